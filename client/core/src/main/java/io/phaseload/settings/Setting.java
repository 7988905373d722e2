package io.phaseload.settings;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A setting of a run with its option, its key in a plan's file, its limits, its default and its help, as
 * {@code plan.schema.json} declares them. Its name is its key, such as {@code engine.loops}.
 */
public final class Setting {

    public static final String URL = "target.url";
    public static final String TARGET = "target.kind";
    public static final String LAMBDA_INSTANCES = "target.lambdaInstances";
    public static final String LAMBDA_COLD_START = "target.lambdaColdStart";
    public static final String HEADER = "target.headers";
    public static final String AWS_SIGV4 = "target.awsSigv4";
    public static final String ENGINE = "engine.name";
    public static final String CLIENT = "client.name";
    public static final String OPERATIONS = "operations";
    public static final String BODY = "operations.body";
    public static final String FORM = "operations.multipart";
    public static final String EXPECT = "operations.checks";
    public static final String METRIC = "operations.metrics";
    public static final String EVENT_STREAM = "operations.eventStream";
    public static final String SCENARIOS = "scenarios";
    public static final String PAIRS = "pairs";
    public static final String VARIABLES = "variables";
    public static final String DATA = "data";
    public static final String THREADS = "threads";
    public static final String DURATION = "duration";
    public static final String PHASES = "phases";
    public static final String RATE = "rate";
    public static final String SEED = "seed";
    public static final String NAME = "name";

    private static final Map<String, Setting> ALL = new LinkedHashMap<>();

    static {
        SettingTable.read().forEach((name, declared) -> ALL.put(name, new Setting(declared)));
    }

    private final Map<String, String> declared;
    private final Kind kind;

    private Setting(Map<String, String> declared) {
        this.declared = declared;
        this.kind = Kind.of(declared);
    }

    /** {@return all settings by their names, in the order of the help} */
    public static Map<String, Setting> all() {
        return Collections.unmodifiableMap(ALL);
    }

    /**
     * A setting.
     *
     * @param name such as {@code engine.loops}
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Setting of(String name) {
        Setting setting = ALL.get(name);
        if (setting == null) {
            throw new IllegalArgumentException("setting " + name);
        }
        return setting;
    }

    /** The values that a setting allows, for messages. */
    public static String expected(String name) {
        return of(name).kind.expected();
    }

    private String head() {
        return declared.getOrDefault("x-option", "");
    }

    /** {@return its option, such as {@code --threads}; empty if it has none} */
    public String option() {
        String head = head();
        int start = head.indexOf("--");
        int end = head.indexOf(' ', start);
        return start < 0 ? "" : head.substring(start, end < 0 ? head.length() : end);
    }

    /** {@return the short form of its option, such as {@code -c}, if it has one} */
    public List<String> aliases() {
        return head().indexOf(',') == 2 ? List.of(head().substring(0, 2)) : List.of();
    }

    /** {@return its place in a plan's file as a JSON pointer; empty if it is a part of a list} */
    public String key() {
        return declared.getOrDefault(SettingTable.POINTER, "");
    }

    /** {@return its values' type and limits} */
    public Kind kind() {
        return kind;
    }

    /** {@return its default, as text; empty if there is none} */
    public Optional<String> standard() {
        return Optional.ofNullable(declared.get("default"));
    }

    /**
     * Whether its option is in a section of the help.
     *
     * @param group the section
     */
    public boolean isOf(SettingGroup group) {
        return declared.getOrDefault("x-group", "").equalsIgnoreCase(group.name());
    }

    /** Whether files have names and values for it. */
    boolean hasEntries() {
        return declared.containsKey(SettingTable.ENTRIES);
    }

    /**
     * Whether it overrides a setting of a plan's file if it is given beside that file.
     *
     * @param other the setting's name
     */
    boolean replaces(String other) {
        return Setting.of(other) == this
                ? !declared.containsKey("x-added")
                : replaced().contains(other);
    }

    /** The other settings that it overrides. */
    List<String> replaced() {
        return SettingTable.words(declared, "x-replaces");
    }

    /** The settings that it needs, each with its value; empty for any. */
    Map<String, String> needs() {
        Map<String, String> needs = new LinkedHashMap<>();
        for (String need : SettingTable.words(declared, "x-needs")) {
            int equals = need.indexOf('=');
            needs.put(need.substring(0, equals), need.substring(equals + 1));
        }
        return needs;
    }

    /** The settings that it can't be combined with. */
    List<String> excludes() {
        return SettingTable.words(declared, "x-excludes");
    }

    /**
     * The part of a value that messages may repeat: all, {@code none}, {@code name}, {@code address}, {@code quoted}.
     */
    String shown() {
        return declared.getOrDefault("x-shown", kind.type() == Kind.Type.FLAG ? "none" : "");
    }

    /** {@return the form of its option's value in help, such as {@code N}; empty for a flag} */
    public String form() {
        String form =
                head().substring(head().indexOf(option()) + option().length()).strip();
        return kind.words().isEmpty() ? form : String.join("|", kind.words());
    }

    /** {@return a sentence about its option, with the default} */
    public String help() {
        return declared.getOrDefault("description", "")
                + standard().map(of -> " (" + of + ")").orElse("");
    }
}
