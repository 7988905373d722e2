package io.phaseload.settings;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The settings that somebody gave for a run on the command line, as system properties or in a plan's file. Each
 * remembers where it was written; values are checked when they are read from here. Immutable.
 */
public final class Settings {

    /** No settings at all. */
    public static final Settings NONE = new Settings(new EnumMap<>(Setting.class));

    private final Map<Setting, List<Given>> given;

    private Settings(Map<Setting, List<Given>> given) {
        this.given = given;
    }

    /**
     * Adds a value.
     *
     * @param setting the setting that it is for
     * @param value its value; a list gets one more element
     * @return a copy
     */
    public Settings with(Setting setting, Given value) {
        return and(Map.of(setting, List.of(value)));
    }

    /**
     * Puts these settings over others, which they override; what contradicts them is dropped, too.
     *
     * @param lower the others, such as those of a file
     * @return both together
     */
    public Settings over(Settings lower) {
        Map<Setting, List<Given>> kept = new EnumMap<>(lower.given);
        kept.keySet().removeIf(setting -> given.keySet().stream().anyMatch(own -> replaces(own, setting)));
        return new Settings(kept).and(given);
    }

    private boolean replaces(Setting own, Setting lower) {
        return Precedence.replaces(own, lower)
                || own.kind().type() == Kind.Type.FLAG && !flag(own) && Precedence.isOnlyWith(own, lower);
    }

    /**
     * Makes an exception: two settings contradict each other.
     *
     * @param one that was given
     * @param other that was given, too
     * @return an exception that names both as they were written
     */
    public SettingsException conflict(Setting one, Setting other) {
        return given(one).conflict(given(other));
    }

    private Settings and(Map<Setting, List<Given>> more) {
        Map<Setting, List<Given>> all = new EnumMap<>(given);
        more.forEach((setting, values) ->
                all.merge(setting, values, (one, other) -> Stream.concat(one.stream(), other.stream())
                        .toList()));
        return new Settings(all);
    }

    /**
     * Whether a setting was given.
     *
     * @param setting the setting
     * @return {@code false} if it has its default
     */
    public boolean has(Setting setting) {
        return given.containsKey(setting);
    }

    /**
     * A value as it was given.
     *
     * @param setting the setting
     * @return empty if it has its default
     */
    public Optional<Given> one(Setting setting) {
        return all(setting).stream().findFirst();
    }

    /**
     * A value that was given.
     *
     * @param setting the setting
     * @return the value as it was given
     * @throws java.util.NoSuchElementException if it has its default
     */
    public Given given(Setting setting) {
        return one(setting).orElseThrow();
    }

    /**
     * A text's meaning.
     *
     * @param <T> the value of the text
     * @param setting a text
     * @param parse parses the text, or throws an {@link IllegalArgumentException}
     * @return empty if it has its default
     * @throws SettingsException if the text can't be read
     */
    public <T> Optional<T> read(Setting setting, Function<String, T> parse) {
        return one(setting).map(value -> value.read(parse, setting.kind().expected()));
    }

    /**
     * All values of a list.
     *
     * @param setting the setting
     * @return in order
     */
    public List<Given> all(Setting setting) {
        return given.getOrDefault(setting, List.of());
    }

    /**
     * Whether a setting was given on the command line, and not in a plan's file.
     *
     * @param setting the setting
     * @return {@code false} if it wasn't given at all
     */
    public boolean isBesideFile(Setting setting) {
        return one(setting).map(value -> !value.origin().isFile()).orElse(false);
    }

    /**
     * A number.
     *
     * @param setting a count
     * @return the number, or the default
     * @throws SettingsException if it isn't a number, or is out of range
     */
    public long count(Setting setting) {
        return one(setting)
                .map(value -> isRecorded(value) && value.value().isIntegralNumber()
                        ? value.value().longValue()
                        : value.read(setting.kind()::parseCount, ""))
                .orElseGet(() -> setting.kind().parseCount(setting.standard().orElseThrow()));
    }

    /**
     * A time.
     *
     * @param setting a time
     * @return the time, or the default
     * @throws SettingsException if it isn't a time, or is out of range
     */
    public Duration time(Setting setting) {
        return one(setting)
                .map(Settings::time)
                .orElseGet(() -> Kind.parseTime(setting.standard().orElseThrow()));
    }

    /** A number in a file is in milliseconds: only keys that end in "Ms" have numbers. */
    private static Duration time(Given value) {
        if (isRecorded(value) && value.value().isNumber()) {
            return Duration.ofNanos(Math.round(value.value().doubleValue() * 1e6));
        }
        return value.read(text -> Kind.parseTime(value.value().isNumber() ? text + "ms" : text), "");
    }

    /** Limits don't apply to past runs. */
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
     * @throws SettingsException if it isn't one of the allowed words
     */
    public String text(Setting setting) {
        return one(setting)
                .map(value ->
                        value.read(setting.kind()::parseText, setting.kind().expected()))
                .or(setting::standard)
                .orElseThrow();
    }
}
