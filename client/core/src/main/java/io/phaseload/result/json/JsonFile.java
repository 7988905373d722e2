package io.phaseload.result.json;

import io.phaseload.settings.SyntaxMistake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes and reads JSON files of results, with one-line messages for users. */
public final class JsonFile {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private JsonFile() {}

    /**
     * Writes an object.
     *
     * @param written a record, a list of records, or a tree
     * @return indented JSON that ends in a line feed
     */
    public static String text(Object written) {
        return MAPPER.writeValueAsString(written) + "\n";
    }

    /**
     * The same as a tree, to which properties can be added.
     *
     * @param written a record
     * @return its properties, in order
     */
    public static ObjectNode tree(Object written) {
        return MAPPER.valueToTree(written);
    }

    /**
     * Reads a file that has a {@code schemaVersion}.
     *
     * @param file the file
     * @param newest the newest version that can be read
     * @param type a record with its properties; others are ignored
     * @return the object that it holds
     * @throws IOException as {@link #read(Path, int)}, or if a property is wrong
     */
    public static <T> T read(Path file, int newest, Class<T> type) throws IOException {
        JsonNode json = read(file, newest);
        try {
            return MAPPER.treeToValue(json, type);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IOException(file + ": " + SyntaxMistake.json(e), e);
        }
    }

    /**
     * Reads a file that has a {@code schemaVersion}.
     *
     * @param newest the newest version that can be read
     * @return the object that it holds
     * @throws IOException if it is missing, incomplete, not an object, or is of another version
     */
    public static JsonNode read(Path file, int newest) throws IOException {
        JsonNode json;
        try {
            byte[] bytes = Files.readAllBytes(file);
            json = MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is missing", e);
        } catch (JacksonException e) {
            throw new IOException(file + " isn't complete JSON: " + place(e), e);
        }
        if (!json.isObject()) {
            throw new IOException(file + ": expected a JSON object");
        }
        JsonNode version = json.path("schemaVersion");
        if (!version.isInt() || version.asInt() < 1 || version.asInt() > newest) {
            throw new IOException("%s: schemaVersion %s: expected %s"
                    .formatted(
                            file,
                            version.isMissingNode() ? "is missing" : version,
                            newest == 1 ? "1" : "1 to " + newest));
        }
        return json;
    }

    private static String place(JacksonException mistake) {
        String reason =
                String.valueOf(mistake.getOriginalMessage()).lines().findFirst().orElse("");
        return mistake.getLocation() == null
                ? reason
                : "line " + mistake.getLocation().getLineNr() + ": " + reason;
    }
}
