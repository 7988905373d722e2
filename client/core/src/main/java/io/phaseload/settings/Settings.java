package io.phaseload.settings;

import io.phaseload.plan.Target;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The settings that somebody gave for a run on the command line, as system properties or in a plan's file. Each
 * remembers where it was written; values are checked when they are read from here. Immutable.
 */
public final class Settings {

    /** No settings at all. */
    public static final Settings NONE = new Settings(Map.of());

    private final Map<String, List<Given>> given;

    private Settings(Map<String, List<Given>> given) {
        this.given = given;
    }

    /**
     * Adds a value.
     *
     * @param setting the setting that it is for
     * @param value its value; a list gets one more element
     * @return a copy
     */
    public Settings with(String setting, Given value) {
        return and(Map.of(setting, List.of(value)));
    }

    /**
     * Puts these settings over others, which they override; what contradicts them is dropped, too.
     *
     * @param lower the others, such as those of a file
     * @return both together
     */
    public Settings over(Settings lower) {
        Map<String, List<Given>> kept = new LinkedHashMap<>(lower.given);
        kept.keySet().removeIf(setting -> given.keySet().stream().anyMatch(own -> replaces(own, setting)));
        return new Settings(kept).and(given);
    }

    /** A flag that is off overrides all that needs it. */
    private boolean replaces(String own, String lower) {
        return Setting.of(own).replaces(lower)
                || !isAsked(own) && Setting.of(lower).needs().containsKey(own);
    }

    /**
     * Whether a setting was given, and isn't a flag that is off.
     *
     * @param setting the setting
     */
    public boolean isAsked(String setting) {
        return has(setting) && (Setting.of(setting).kind().type() != Kind.Type.FLAG || flag(setting));
    }

    /**
     * Checks that no setting lacks another one that it needs, or contradicts one.
     *
     * @throws SettingsException naming both as they were written
     */
    public void check() {
        Setting.all().forEach((name, setting) -> {
            if (isAsked(name)) {
                setting.needs().forEach((other, value) -> {
                    if (!is(other, value)) {
                        throw given(name).needs(other, value);
                    }
                });
                setting.excludes().stream().filter(this::isAsked).findFirst().ifPresent(other -> {
                    throw conflict(name, other);
                });
            }
        });
    }

    /** Whether a setting has a value: any, the scheme of an address, or a word. */
    private boolean is(String setting, String value) {
        if (value.isEmpty()) {
            return isAsked(setting);
        }
        return setting.equals(Setting.URL)
                ? isWebSocket() == value.startsWith("ws:")
                : one(setting)
                        .map(Given::text)
                        .or(Setting.of(setting)::standard)
                        .equals(Optional.of(value));
    }

    /** {@return true if messages are sent in place of requests} */
    public boolean isWebSocket() {
        return Target.isWebSocket(one(Setting.URL).map(Given::text).orElse(""));
    }

    /**
     * Makes an exception: two settings contradict each other.
     *
     * @param one that was given
     * @param other that was given, too
     * @return an exception that names both as they were written
     */
    public SettingsException conflict(String one, String other) {
        return given(one).conflict(given(other));
    }

    private Settings and(Map<String, List<Given>> more) {
        Map<String, List<Given>> all = new LinkedHashMap<>(given);
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
    public boolean has(String setting) {
        return given.containsKey(setting);
    }

    /**
     * A value as it was given.
     *
     * @param setting the setting
     * @return empty if it has its default
     */
    public Optional<Given> one(String setting) {
        return all(setting).stream().findFirst();
    }

    /**
     * A value that was given.
     *
     * @param setting the setting
     * @return the value as it was given
     * @throws java.util.NoSuchElementException if it has its default
     */
    public Given given(String setting) {
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
    public <T> Optional<T> read(String setting, Function<String, T> parse) {
        return one(setting).map(value -> value.read(parse, Setting.expected(setting)));
    }

    /**
     * All values of a list.
     *
     * @param setting the setting
     * @return in order
     */
    public List<Given> all(String setting) {
        return given.getOrDefault(setting, List.of());
    }

    /**
     * Whether a setting was given on the command line, and not in a plan's file.
     *
     * @param setting the setting
     * @return {@code false} if it wasn't given at all
     */
    public boolean isBesideFile(String setting) {
        return one(setting).map(value -> !value.origin().isFile()).orElse(false);
    }

    /**
     * A number.
     *
     * @param setting a count
     * @return the number, or the default
     * @throws SettingsException if it isn't a number, or is out of range
     */
    public long count(String setting) {
        return one(setting)
                .map(value -> isRecorded(value) && value.value().isIntegralNumber()
                        ? value.value().longValue()
                        : value.read(Setting.of(setting).kind()::parseCount, ""))
                .orElseGet(() -> Setting.of(setting)
                        .kind()
                        .parseCount(Setting.of(setting).standard().orElseThrow()));
    }

    /**
     * A number without a default.
     *
     * @param setting a count
     * @return empty if it wasn't given
     * @throws SettingsException if it isn't a number, or is out of range
     */
    public OptionalInt number(String setting) {
        return has(setting) ? OptionalInt.of((int) count(setting)) : OptionalInt.empty();
    }

    /**
     * A time without a default.
     *
     * @param setting a time
     * @return empty if it wasn't given
     * @throws SettingsException if it isn't a time, or is out of range
     */
    public Optional<Duration> period(String setting) {
        return has(setting) ? Optional.of(time(setting)) : Optional.empty();
    }

    /**
     * A time.
     *
     * @param setting a time
     * @return the time, or the default
     * @throws SettingsException if it isn't a time, or is out of range
     */
    public Duration time(String setting) {
        return one(setting)
                .map(Settings::time)
                .orElseGet(() -> Kind.parseTime(Setting.of(setting).standard().orElseThrow()));
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
    public boolean flag(String setting) {
        return one(setting).map(value -> value.value().asBoolean()).orElse(false);
    }

    /**
     * A text.
     *
     * @param setting a text
     * @return the text, or the default
     * @throws SettingsException if it isn't one of the allowed words
     */
    public String text(String setting) {
        return one(setting)
                .map(value -> value.read(Setting.of(setting).kind()::parseText, Setting.expected(setting)))
                .or(Setting.of(setting)::standard)
                .orElseThrow();
    }
}
