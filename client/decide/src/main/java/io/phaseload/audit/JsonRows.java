package io.phaseload.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files that have a JSON object in each line. */
final class JsonRows {

    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonRows() {}

    /** Reads each line that isn't blank. */
    static void read(Path file, Consumer<JsonNode> reader) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    accept(number, line, reader);
                }
            }
        }
    }

    private static void accept(long number, String line, Consumer<JsonNode> reader) throws LineMistake {
        try {
            reader.accept(MAPPER.readTree(line));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw new LineMistake(number, "expected a whole JSON object, as in the lines before it");
        }
    }
}
