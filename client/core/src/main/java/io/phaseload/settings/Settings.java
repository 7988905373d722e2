package io.phaseload.settings;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was said of a run, by the command line, system properties or a plan's file: each setting may
 * be given or not, and remembers where. Nothing is checked before it is read here. Immutable.
 */
public final class Settings {

    /** Nothing was said. */
    public static final Settings NONE = new Settings(new EnumMap<>(Setting.class));

    private final Map<Setting, List<Given>> given;

    private Settings(Map<Setting, List<Given>> given) {
        this.given = given;
    }

    /**
     * These settings and one more value.
     *
     * @param setting of which one
     * @param value added to what it has, if it is a list
     * @return a copy
     */
    public Settings with(Setting setting, Given value) {
        return and(Map.of(setting, List.of(value)));
    }

    /**
     * These settings over others: what is said here, and what it contradicts, isn't taken from
     * them.
     *
     * @param lower such as those of a file
     * @return both together
     */
    public Settings over(Settings lower) {
        Map<Setting, List<Given>> kept = new EnumMap<>(lower.given);
        kept.keySet()
                .removeIf(
                        setting -> given.keySet().stream().anyMatch(own -> replaces(own, setting)));
        return new Settings(kept).and(given);
    }

    private boolean replaces(Setting own, Setting lower) {
        return Precedence.replaces(own, lower)
                || own.kind().type() == Kind.Type.FLAG
                        && !flag(own)
                        && Precedence.isOnlyWith(own, lower);
    }

    /**
     * That two settings contradict each other.
     *
     * @param one that was given
     * @param other that was given, too
     * @return an exception that names both as they were written
     */
    public SettingsException conflict(Setting one, Setting other) {
        return one(one).orElseThrow().conflict(one(other).orElseThrow());
    }

    private Settings and(Map<Setting, List<Given>> more) {
        Map<Setting, List<Given>> all = new EnumMap<>(given);
        more.forEach(
                (setting, values) ->
                        all.merge(
                                setting,
                                values,
                                (one, other) ->
                                        Stream.concat(one.stream(), other.stream()).toList()));
        return new Settings(all);
    }

    /**
     * Whether a setting was given.
     *
     * @param setting which one
     * @return {@code false} if its default holds
     */
    public boolean has(Setting setting) {
        return given.containsKey(setting);
    }

    /**
     * A value as it was given.
     *
     * @param setting which one
     * @return empty if its default holds
     */
    public Optional<Given> one(Setting setting) {
        return all(setting).stream().findFirst();
    }

    /**
     * All values of a list.
     *
     * @param setting which one
     * @return in order
     */
    public List<Given> all(Setting setting) {
        return given.getOrDefault(setting, List.of());
    }

    /**
     * A setting that was given beside a plan's file, and not in it.
     *
     * @param setting which one
     * @return whether it was
     */
    public boolean isBesideFile(Setting setting) {
        return one(setting).map(value -> !value.origin().isFile()).orElse(false);
    }

    /**
     * A number.
     *
     * @param setting a count
     * @return the number, or the default
     * @throws SettingsException if it is no number, or out of range
     */
    public long count(Setting setting) {
        return one(setting)
                .map(
                        value ->
                                isRecorded(value) && value.value().isIntegralNumber()
                                        ? value.value().longValue()
                                        : value.read(setting.kind()::parseCount, ""))
                .orElseGet(() -> setting.kind().parseCount(setting.standard().orElseThrow()));
    }

    /**
     * A time.
     *
     * @param setting a time
     * @return the time, or the default
     * @throws SettingsException if it is no time, or out of range
     */
    public Duration time(Setting setting) {
        return one(setting)
                .map(Settings::time)
                .orElseGet(() -> Kind.parseTime(setting.standard().orElseThrow()));
    }

    /** In a file, a number is milliseconds: only keys whose names say so have numbers. */
    private static Duration time(Given value) {
        if (isRecorded(value) && value.value().isNumber()) {
            return Duration.ofNanos(Math.round(value.value().doubleValue() * 1e6));
        }
        return value.read(
                text -> Kind.parseTime(value.value().isNumber() ? text + "ms" : text), "");
    }

    /** What a run did can be read whatever somebody may ask for. */
    private static boolean isRecorded(Given value) {
        return value.origin() instanceof Origin.Part part && part.file().isResult();
    }

    /**
     * Whether a flag is set.
     *
     * @param setting a flag
     * @return {@code false} if it isn't given
     */
    public boolean flag(Setting setting) {
        return one(setting).map(value -> value.value().asBoolean()).orElse(false);
    }

    /**
     * A text.
     *
     * @param setting a text
     * @return the text, or the default
     * @throws SettingsException if it is none of the words that are allowed
     */
    public String text(Setting setting) {
        return one(setting)
                .map(value -> value.read(setting.kind()::parseText, setting.kind().expected()))
                .or(setting::standard)
                .orElseThrow();
    }
}
