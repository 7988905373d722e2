package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.result.json.FileProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The file of {@code --plan}: YAML, or JSON, which a {@code result.json} is, too. */
final class PlanFile {

    private static final String PLAN = "/plan";

    private static final int MOST_BYTES = 5_000_000;

    /** YAML has no quotes around its keys, unless somebody wants them. */
    private static final Pattern JSON_BEGINS = Pattern.compile("\\s*\\{\\s*[\"}]");

    private final String name;
    private final Map<String, Integer> lines;
    private final JsonNode root;
    private final String base;

    private PlanFile(String name, boolean json, String text) throws UsageException {
        this.name = name;
        PlanText.Parsed parsed = PlanText.parse(text, json, this::failure);
        this.lines = parsed.lines();
        this.root = parsed.root();
        this.base = root.has("schemaVersion") && root.path("plan").isObject() ? PLAN : "";
        new PlanSchema(this).check(plan());
    }

    /**
     * Reads a file.
     *
     * @param name as the user wrote it; of a folder, its {@code result.json} is read
     * @param inputs reads it
     * @throws UsageException if it can't be read, or something in it isn't allowed
     */
    static PlanFile read(String name, Inputs inputs) throws UsageException {
        try {
            Path path = Path.of(name);
            String file = Files.isDirectory(path) ? path.resolve("result.json").toString() : name;
            byte[] bytes = inputs.read(file, MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new UsageException("--plan " + name + ": expected at most 5 MB");
            }
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            boolean json = file.endsWith(".json") || JSON_BEGINS.matcher(text).lookingAt();
            return new PlanFile(name, json, text);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(
                    "--plan %s: expected a plan, or a result.json: %s"
                            .formatted(name, FileProblem.of(e)));
        }
    }

    /** The plan itself. */
    JsonNode plan() {
        return base.isEmpty() ? root : root.get("plan");
    }

    /** Whether it is the plan of a run that was, and not one that somebody wrote. */
    boolean isResult() {
        return !base.isEmpty();
    }

    /** What a result's run had started itself, or {@code null}. */
    String startedTarget() {
        JsonNode target = root.path("target");
        // The first version of results knew one kind, and didn't name it.
        return base.isEmpty() || !target.isObject() ? null : target.path("kind").asString("tomcat");
    }

    /** What is wrong with a part of the plan, with its line. */
    UsageException failure(String at, String message) {
        Integer line = lines.get(base + at);
        return failure(line == null ? message : "line " + line + ": " + message);
    }

    /** What is wrong with the plan as a whole. */
    UsageException failure(String message) {
        return new UsageException("--plan " + name + ": " + message);
    }
}
