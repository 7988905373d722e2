package io.phaseload.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A plan's file: YAML, or JSON such as a {@code result.json}. Immutable. */
public final class SettingsFile {

    /** The largest file to read. */
    public static final int MOST_BYTES = 5_000_000;

    private static final String RESULT = "result.json";

    /** YAML keys are rarely quoted. */
    private static final Pattern JSON_BEGINS = Pattern.compile("\\s*\\{\\s*[\"}]");

    private final PlanSource source;

    private SettingsFile(PlanSource source) {
        this.source = source;
    }

    /**
     * Reads a file.
     *
     * @param path a YAML or JSON file, or a folder with a {@code result.json}
     * @return the settings in it
     * @throws IOException if it can't be read
     * @throws SettingsException if something in it isn't allowed
     */
    public static Settings read(Path path) throws IOException {
        Path file = file(path);
        try (InputStream in = Files.newInputStream(file)) {
            return parse(path.toString(), file.toString(), in.readNBytes(MOST_BYTES + 1));
        }
    }

    /**
     * Finds the file at a path.
     *
     * @param path a file or a results folder
     * @return the file with a plan in it
     */
    public static Path file(Path path) {
        return Files.isDirectory(path) ? path.resolve(RESULT) : path;
    }

    /**
     * Reads a file's bytes.
     *
     * @param name of the file, for messages
     * @param file its path, whose extension may tell its format
     * @param bytes YAML or JSON in UTF-8
     * @return the settings in it
     * @throws CharacterCodingException if it isn't UTF-8
     * @throws SettingsException if something in it isn't allowed
     */
    public static Settings parse(String name, String file, byte[] bytes) throws CharacterCodingException {
        return parse(name, file, bytes, PlanTexts.AS_WRITTEN);
    }

    /**
     * Reads a file's bytes with other texts in place of those that are written.
     *
     * @param name of the file, for messages
     * @param file its path, whose extension may tell its format
     * @param bytes YAML or JSON in UTF-8
     * @param texts has the texts to read
     * @return the settings in it
     * @throws CharacterCodingException if it isn't UTF-8
     * @throws SettingsException if something in it isn't allowed
     */
    public static Settings parse(String name, String file, byte[] bytes, PlanTexts texts)
            throws CharacterCodingException {
        if (bytes.length > MOST_BYTES) {
            throw new SettingsException(name + ": expected at most 5 MB");
        }
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        boolean json = file.endsWith(".json") || JSON_BEGINS.matcher(text).lookingAt();
        PlanText.Parsed parsed = PlanText.parse(text, json, message -> new SettingsException(name + ": " + message));
        PlanSource plan = PlanSource.of(name, file, parsed);
        new PlanSchema(plan, true, texts).check(plan.plan());
        return new SettingsFile(plan).settings();
    }

    /**
     * Checks a plan that is to be written.
     *
     * @param json the content of the file
     * @throws SettingsException if {@link #parse} would refuse it
     */
    public static void check(String json) {
        JsonNode plan = JsonMapper.shared().readTree(json);
        new PlanSchema(PlanSource.of(plan, false), true, PlanTexts.AS_WRITTEN).check(plan);
    }

    /**
     * Reads the plan of a past run.
     *
     * @param json the plan in a {@code result.json}; keys that a later version added are ignored
     * @return the settings in it; secrets are missing
     * @throws SettingsException if something in it isn't allowed
     */
    public static Settings ofResult(String json) {
        JsonNode plan = JsonMapper.shared().readTree(json);
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.set("plan", plan);
        PlanSource source = PlanSource.of(result, true);
        new PlanSchema(source, false, PlanTexts.AS_WRITTEN).check(plan);
        return new SettingsFile(source).settings();
    }

    private Settings settings() {
        Settings settings = Settings.NONE;
        for (Map.Entry<String, Setting> any : Setting.all().entrySet()) {
            if (!any.getValue().key().isEmpty()) {
                for (Given value : values(any.getKey(), any.getValue())) {
                    settings = settings.with(any.getKey(), value);
                }
            }
        }
        return withTarget(settings);
    }

    /** One value, the elements of a list, or names with values. */
    private List<Given> values(String name, Setting setting) {
        Optional<Given> scalar = scalar(name, setting);
        if (scalar.isPresent()) {
            return List.of(scalar.get());
        }
        JsonNode several = source.plan().at(setting.key());
        Given nested = Given.of(several, part(setting.key()));
        if (setting.hasEntries()) {
            return entries(nested);
        }
        if (several.isObject()) {
            return List.of(nested);
        }
        return several.isArray()
                ? nested.elements().stream().map(element -> line(name, element)).toList()
                : List.of();
    }

    /** The target can be just an address or a name, in place of an object. */
    private Settings withTarget(Settings settings) {
        JsonNode target = source.plan().path("target");
        if (source.isResult() && source.root().path("target").isObject()) {
            // The first version of results had only one kind, and didn't name it.
            String kind = source.root().path("target").path("kind").asString("tomcat");
            return Settings.NONE
                    .with(Setting.TARGET, text(Setting.TARGET, kind, "/target"))
                    .over(settings);
        }
        if (!target.isString()) {
            return settings;
        }
        String which = target.asString().contains("://") ? Setting.URL : Setting.TARGET;
        return settings.with(which, text(which, target.asString(), "/target"));
    }

    private Given text(String setting, String text, String at) {
        return Given.text(setting, text, part(at));
    }

    private Origin.Part part(String at) {
        return new Origin.Part(source, at);
    }

    private boolean has(String at) {
        JsonNode value = source.plan().at(at);
        return !(value.isMissingNode() || value.isNull() || value.isContainer());
    }

    /** A value by its key, by the key of its milliseconds, or in place of its parent. */
    private Optional<Given> scalar(String name, Setting setting) {
        String key = setting.key();
        String millis = key + "Ms";
        if (has(key) && setting.kind().type() == Kind.Type.TIME && has(millis)) {
            throw source.failure(
                    millis,
                    "%s cannot be combined with %s".formatted(Origin.Part.dotted(millis), Origin.Part.dotted(key)));
        }
        String at = key;
        if (!has(key)) {
            at = setting.kind().type() == Kind.Type.TIME ? millis : shorthand(name);
        }
        if (at.isEmpty() || !has(at)) {
            return Optional.empty();
        }
        Given value = Given.of(source.plan().at(at), part(at));
        return Optional.of(new Given(value.value(), SecretOptions.shown(name, value.text()), value.origin()));
    }

    /** The part of the plan that may be a name or an address alone. */
    private static String shorthand(String name) {
        return List.of(Setting.ENGINE, Setting.CLIENT, "serverMetrics.url").contains(name)
                ? "/" + name.substring(0, name.indexOf('.'))
                : "";
    }

    /** Without quotes, YAML takes the part of a threshold before the colon for a key. */
    private static Given line(String name, Given element) {
        if (!name.equals("thresholds")) {
            return element;
        }
        String text = element.value().properties().stream()
                .map(part -> part.getKey() + ": " + part.getValue().asString())
                .collect(Collectors.joining());
        return Given.text(name, text.isEmpty() ? element.text() : text, element.origin());
    }

    /**
     * Reads names and values, written as an object or as a list of {@code name} and {@code value}.
     *
     * @param nested a part of a plan's file
     * @return one object with one key per name
     */
    public static List<Given> entries(Given nested) {
        List<Given> entries = new ArrayList<>();
        if (nested.value().isObject()) {
            nested.value()
                    .properties()
                    .forEach(entry -> entries.add(entry(
                            entry.getKey(),
                            entry.getValue(),
                            entry.getValue().isObject()
                                    ? nested.origin()
                                    : nested.origin().at(entry.getKey()))));
        } else if (nested.value().isArray()) {
            for (Given element : nested.elements()) {
                JsonNode value = element.value();
                entries.add(entry(value.get("name").asString(), value.get("value"), element.origin()));
            }
        }
        return entries;
    }

    /**
     * Whether a file can contain a body as it is: some texts would be taken for something else.
     *
     * @param text the body
     * @return {@code false} if it must be written as {@code bodyBase64}
     */
    public static boolean isPlainBody(String text) {
        return PlanSchema.isPlainBody(text);
    }

    private static Given entry(String name, JsonNode value, Origin origin) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.set(name, value);
        return new Given(entry, Optional.empty(), origin);
    }
}
