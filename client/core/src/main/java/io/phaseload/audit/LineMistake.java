package io.phaseload.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A line of a file that isn't what was expected. */
final class LineMistake extends IOException {

    private static final long serialVersionUID = 1;

    private final long line;

    LineMistake(long line, String message) {
        super(message);
        this.line = line;
    }

    long line() {
        return line;
    }

    /** Reads a file that has a JSON object in each line. */
    static void eachJson(Path file, Consumer<JsonNode> reader) throws IOException {
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
            reader.accept(ForeignFile.MAPPER.readTree(line));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw new LineMistake(number, "expected a whole JSON object, as in the lines before it");
        }
    }
}
