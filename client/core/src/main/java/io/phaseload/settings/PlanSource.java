package io.phaseload.settings;

import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A plan as a file has it, with the lines of its parts for messages. Immutable. */
public final class PlanSource {

    private static final Path WORKING = Path.of("");

    private final String name;
    private final Map<String, Integer> lines;
    private final JsonNode root;
    private final boolean result;
    private final Path folder;

    private PlanSource(String name, Map<String, Integer> lines, JsonNode root, boolean result, Path folder) {
        this.name = name;
        this.lines = lines;
        this.root = root;
        this.result = result;
        this.folder = folder;
    }

    /** The plan of a file, or of the result that it has. */
    static PlanSource of(String name, String file, PlanText.Parsed parsed) {
        JsonNode root = parsed.root();
        boolean result = root.has("schemaVersion") && root.path("plan").isObject();
        // A result has the paths that its run used.
        Path parent = result ? null : Path.of(file).getParent();
        return new PlanSource(name, parsed.lines(), root, result, parent == null ? WORKING : parent);
    }

    /** A plan that isn't in a file of its own. */
    static PlanSource of(JsonNode root, boolean result) {
        return new PlanSource("plan", Map.of(), root, result, WORKING);
    }

    /** The folder that its paths are relative to. */
    Path folder() {
        return folder;
    }

    /** Whether it is the plan of a past run. */
    boolean isResult() {
        return result;
    }

    boolean hasScenarios() {
        return plan().path("scenarios").isArray();
    }

    JsonNode root() {
        return root;
    }

    JsonNode plan() {
        return result ? root.path("plan") : root;
    }

    /** The file and the line of a part of the plan, for the beginning of a message. */
    String place(String at) {
        Integer line = lines.get(result ? "/plan" + at : at);
        return name + ": " + (line == null ? "" : "line " + line + ": ");
    }

    /** An exception about a part of the plan. */
    SettingsException failure(String at, String message) {
        return new SettingsException(place(at) + message);
    }
}
