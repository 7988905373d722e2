package io.phaseload.content;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import io.phaseload.journey.ContentReader.Finder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSONPath, by Jayway's JsonPath; Jackson reads the documents, as it does for JSON pointers. */
final class JsonPaths {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final Configuration CONFIGURATION = Configuration.defaultConfiguration();

    private JsonPaths() {}

    static Finder finder(String expression) {
        if (expression.contains("=~")) {
            throw new IllegalArgumentException("expected a JSONPath without =~, which may never end: use regex:…");
        }
        try {
            JsonPath path = JsonPath.compile(expression);
            return new PathFinder(path);
        } catch (JsonPathException | IllegalArgumentException e) {
            throw new IllegalArgumentException("expected a JSONPath: " + e.getMessage(), e);
        }
    }

    /** Finds values by a path, whose texts aren't numbers. */
    private record PathFinder(JsonPath path) implements Finder {
        @Override
        public List<String> find(byte[] body) {
            return values(path, body).stream().map(JsonPaths::text).toList();
        }

        @Override
        public boolean isText(byte[] body) {
            return values(path, body).stream()
                    .findFirst()
                    .filter(String.class::isInstance)
                    .isPresent();
        }
    }

    private static List<?> values(JsonPath path, byte[] body) {
        try {
            Object document = JSON.readValue(body, Object.class);
            Object found = path.read(document, CONFIGURATION);
            Collection<?> values = !path.isDefinite() && found instanceof List<?> several
                    ? several
                    : found == null ? List.of() : List.of(found);
            return values.stream().filter(Objects::nonNull).toList();
        } catch (JsonPathException | JacksonException none) {
            return List.of();
        }
    }

    private static String text(Object value) {
        return value instanceof Map || value instanceof Collection ? JSON.writeValueAsString(value) : value.toString();
    }
}
