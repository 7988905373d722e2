package io.phaseload.plan.check;

import io.phaseload.options.ValueException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number in a response's JSON body that is recorded, such as the time that the server says it took. Only the first
 * MiB of the body is read; a response without the number counts as a failed check. Of a message that a step expects, it
 * may also be the time since a moment, which is a value of the session.
 *
 * @param name the name of its column in files: letters, digits and {@code _}
 * @param pointer its place, as a JSON Pointer (RFC 6901) such as {@code /timeElapsed}; or <code>{now}-{sent}</code>:
 *     the time from the moment that is the value {@code sent} to the message's receipt
 * @param unit the unit, for reports; may be empty; that of a moment, {@code s}, {@code ms} or {@code us} since 1970
 */
public record Metric(String name, String pointer, String unit) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*|\\{now}-\\{[A-Za-z_][\\w.-]*}");
    private static final Pattern UNIT_OF_TIME = Pattern.compile("s|ms|us");
    private static final Pattern UNIT = Pattern.compile("[A-Za-z%]{0,10}");
    private static final Pattern TEXT = Pattern.compile("([^=]*)=(.*?)(?::([A-Za-z%]+))?");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Metric {
        check("name", name, NAME, "letters, digits and _");
        check("pointer", pointer, POINTER, "a JSON Pointer such as /timeElapsed");
        check("unit", unit, UNIT, "letters or %, such as ms");
        if (pointer.startsWith("{")) {
            check("unit", unit, UNIT_OF_TIME, "s, ms or us with {now}");
        }
    }

    private static void check(String part, String value, Pattern allowed, String expected) {
        if (!allowed.matcher(value).matches()) {
            throw new ValueException("metric %s '%s'".formatted(part, value), expected);
        }
    }

    /** {@return true if it is the time since a moment} */
    public boolean isSince() {
        return pointer.startsWith("{");
    }

    /**
     * The moment from which it counts.
     *
     * @return its value in braces; empty for a number in JSON
     */
    public Optional<String> moment() {
        return isSince() ? Optional.of(pointer.substring(pointer.indexOf('-') + 1)) : Optional.empty();
    }

    /**
     * Parses the form of the command line.
     *
     * @param text {@code name=pointer} or {@code name=pointer:unit}, such as {@code elapsed=/timeElapsed:ms}
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public static Metric parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new ValueException("name=/pointer:unit");
        }
        String unit = matcher.group(3);
        return new Metric(matcher.group(1), matcher.group(2), unit == null ? "" : unit);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return name + "=" + pointer + (unit.isEmpty() ? "" : ":" + unit);
    }
}
