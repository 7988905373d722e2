package io.phaseload.plan.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number in a response's JSON body that is recorded, such as the time that the server says it took. Only the first
 * MiB of the body is read; a response without the number counts as a failed check.
 *
 * @param name the name of its column in files: letters, digits and {@code _}
 * @param pointer its place, as a JSON Pointer (RFC 6901) such as {@code /timeElapsed}
 * @param unit the unit, for reports; may be empty
 */
public record Metric(String name, String pointer, String unit) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");
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
    }

    private static void check(String part, String value, Pattern allowed, String expected) {
        if (!allowed.matcher(value).matches()) {
            throw new IllegalArgumentException("metric %s '%s': expected %s".formatted(part, value, expected));
        }
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
            throw new IllegalArgumentException("expected name=/pointer:unit");
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
