package io.phaseload.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The settings that {@code plan.schema.json} declares, as a table. The build makes it of the schema, which takes a cold
 * JVM ten times as long to read. A line has the name of a setting, then its keys, each followed by its value as text;
 * the words of a list are separated by blanks.
 */
public final class SettingTable {

    /** The key of a setting's place in a plan's file. */
    static final String POINTER = "pointer";

    /** The key of a setting for which files have names and values. */
    static final String ENTRIES = "entries";

    private static final String NAME = "/io/phaseload/planfile/settings.tsv";

    private SettingTable() {}

    /**
     * Writes the table, unless it is there already: a new file would have all modules compiled again.
     *
     * @param arguments the folder of the compiled classes
     * @throws IOException if it can't be written
     */
    public static void main(String... arguments) throws IOException {
        Path file = Path.of(arguments[0] + NAME);
        String table = of(Schema.ROOT);
        if (Files.notExists(file) || !Files.readString(file).equals(table)) {
            Files.writeString(file, table);
        }
    }

    /** The keys of each setting by its name, in the order of the schema. */
    static Map<String, Map<String, String>> read() {
        Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        try (InputStream in = SettingTable.class.getResourceAsStream(NAME)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                String[] fields = line.split("\t", -1);
                Map<String, String> declared = new HashMap<>();
                for (int i = 1; i < fields.length; i += 2) {
                    declared.put(fields[i], fields[i + 1]);
                }
                settings.put(fields[0], declared);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return settings;
    }

    /** The words of a key's value; none if it isn't declared. */
    static List<String> words(Map<String, String> declared, String key) {
        String words = declared.getOrDefault(key, "");
        return words.isEmpty() ? List.of() : List.of(words.split(" "));
    }

    private static String of(JsonNode schema) {
        StringBuilder lines = new StringBuilder();
        collect(schema, "", false, lines);
        return lines.toString();
    }

    private static void collect(JsonNode schema, String parent, boolean listed, StringBuilder to) {
        for (JsonNode form : Schema.forms(schema)) {
            for (Map.Entry<String, JsonNode> own : form.path("properties").properties()) {
                String name = parent + own.getKey();
                JsonNode declared = own.getValue();
                if (declared.has("x-option")) {
                    to.append(line(name, listed, declared)).append('\n');
                }
                if (!declared.has("$ref")) {
                    collect(declared, name + ".", listed, to);
                }
            }
            if (form.has("items")) {
                collect(form.get("items"), parent, true, to);
            }
        }
    }

    private static String line(String name, boolean listed, JsonNode declared) {
        StringJoiner line = new StringJoiner("\t").add(name);
        if (!listed) {
            line.add(POINTER).add("/" + name.replace('.', '/'));
        }
        if (!declared.has("x-whole")
                && Schema.forms(declared).stream()
                        .anyMatch(form -> Schema.type(form).equals("object"))) {
            line.add(ENTRIES).add("");
        }
        declared.properties().stream()
                .filter(own -> own.getKey().startsWith("x-")
                        || own.getValue().isValueNode()
                        || own.getKey().equals("enum"))
                .forEach(own -> line.add(own.getKey()).add(text(own.getValue())));
        return line.toString();
    }

    private static String text(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .map(own -> own.getKey() + "=" + own.getValue().asString())
                    .collect(Collectors.joining(" "));
        }
        return value.isArray() ? String.join(" ", Schema.texts(value)) : value.asString();
    }
}
