package io.phaseload.cli;

import io.phaseload.options.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The file of {@code --plan}: YAML, or JSON, which a {@code result.json} is, too. Keeps the line of
 * each of its parts, since a mistake is reported with it.
 */
final class PlanFile {

    private static final String PLAN = "/plan";

    private static final int MOST_BYTES = 5_000_000;

    /** YAML has no quotes around its keys, unless somebody wants them. */
    private static final Pattern JSON_BEGINS = Pattern.compile("\\s*\\{\\s*[\"}]");

    private final String name;
    private final Map<String, Integer> lines = new HashMap<>();
    private final JsonNode root;
    private final String base;

    private PlanFile(String name, boolean json, String text) throws UsageException {
        this.name = name;
        try (JsonParser parser =
                json
                        ? JsonMapper.shared().createParser(text)
                        : YAMLMapper.shared().createParser(text)) {
            this.root = parser.nextToken() == null ? null : read(parser, "");
        } catch (JacksonException e) {
            String reason = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw failure("line " + line + ": " + reason);
        }
        if (root == null || !root.isObject()) {
            throw failure("expected a plan, or a result.json");
        }
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
            return new PlanFile(
                    name, file.endsWith(".json") || JSON_BEGINS.matcher(text).lookingAt(), text);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(
                    "--plan %s: expected a plan, or a result.json: %s".formatted(name, e));
        }
    }

    private JsonNode read(JsonParser parser, String at) throws UsageException {
        lines.putIfAbsent(at, parser.currentTokenLocation().getLineNr());
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser, at);
            case START_ARRAY -> {
                ArrayNode array = nodes.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(parser, at + "/" + array.size()));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> nodes.numberNode(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> nodes.numberNode(parser.getDecimalValue());
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            case VALUE_NULL -> nodes.nullNode();
            default -> nodes.stringNode(parser.getString());
        };
    }

    private ObjectNode readObject(JsonParser parser, String at) throws UsageException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int line = parser.currentTokenLocation().getLineNr();
            lines.put(at + "/" + key, line);
            parser.nextToken();
            if (object.has(key)) {
                throw failure("line " + line + ": key " + key + ": expected it once");
            }
            object.set(key, read(parser, at + "/" + key));
        }
        return object;
    }

    /** The plan itself. */
    JsonNode plan() {
        return base.isEmpty() ? root : root.get("plan");
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
