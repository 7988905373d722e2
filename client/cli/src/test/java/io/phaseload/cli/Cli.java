package io.phaseload.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a command line came to in this JVM.
 *
 * @param code the exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record Cli(int code, String out, String err) {

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Runs a command; arguments are taken by their text. */
    public static Cli run(Object... arguments) {
        String[] line = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                line,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8));
        Cli done = new Cli(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        done.checkWrittenResult();
        return done;
    }

    /** The usual options, names and values in turn, without those that are given, and these. */
    public static Object[] line(List<Object> usual, Object... given) {
        List<Object> line = new ArrayList<>();
        for (int i = 0; i < usual.size(); i += 2) {
            if (!List.of(given).contains(usual.get(i))) {
                line.addAll(usual.subList(i, i + 2));
            }
        }
        line.addAll(List.of(given));
        return line.toArray();
    }

    /** Every result and comparison that a test makes is as its schema says. */
    private void checkWrittenResult() {
        Stream.concat(out.lines(), err.lines())
                .filter(line -> line.startsWith("Results: "))
                .map(line -> Path.of(line.substring("Results: ".length()), "result.json"))
                .filter(Files::exists)
                .forEach(file -> ResultSchema.assertValid(read(file)));
        if (out.startsWith("{") && !out.startsWith("{\"type\"")) {
            if (json().has("comparisons")) {
                ResultSchema.assertValidComparison(out);
            } else if (json().has("search")) {
                ResultSchema.assertValidCapacity(out);
            } else if (json().has("steps")) {
                ResultSchema.assertValidSweep(out);
            } else if (json().has("looks")) {
                ResultSchema.assertValidAb(out);
            } else if (json().has("schemaVersion") && !json().has("drifts")) {
                ResultSchema.assertValid(out);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command while system properties are set. */
    public static Cli runWith(Map<String, String> properties, Object... arguments) {
        Map<String, String> before = new HashMap<>();
        properties.keySet().forEach(name -> before.put(name, System.getProperty(name)));
        try {
            System.getProperties().putAll(properties);
            return run(arguments);
        } finally {
            before.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }

    /** Runs a command with a text on standard input. */
    public static Cli withInput(String text, Supplier<Cli> command) {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            return command.get();
        } finally {
            System.setIn(before);
        }
    }

    public List<String> outLines() {
        return out.lines().toList();
    }

    /** Standard output, which must be one JSON document and nothing else. */
    public JsonNode json() {
        return json(out);
    }

    public static JsonNode json(String document) {
        return STRICT.readTree(document);
    }
}
