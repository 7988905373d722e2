package io.phaseload.server;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON document without arrays as a flat map, such as {@code requests/total} to {@code 7}. */
final class JsonMap {

    private JsonMap() {}

    static Map<String, String> of(String json) {
        Map<String, String> map = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    String path = parser.streamReadContext().pathAsPointer().toString();
                    map.put(path.substring(1), parser.getString());
                }
            }
        }
        return map;
    }
}
