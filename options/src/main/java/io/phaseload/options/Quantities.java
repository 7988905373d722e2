package io.phaseload.options;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses counts, times, sizes and percentages, in the same way in every locale: the decimal separator is a point.
 *
 * <p>Every failure is an {@link IllegalArgumentException} whose message is what was expected ("expected a whole number
 * of 1 or more, such as 100 or 10k"); the caller puts the name and the value in front of it.
 */
public final class Quantities {

    // The limits on the digits keep the arithmetic small, whatever somebody pastes.
    private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?)([a-zA-Z]{0,2})");

    private static final Pattern PERCENTAGE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,19})?) ?%");

    private static final Map<String, Long> COUNT_UNITS = Map.of("", 1L, "k", 1_000L, "m", 1_000_000L);

    private static final Map<String, Long> SIZE_UNITS = Map.of("", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30);

    private static final Map<String, Long> TIME_UNITS = Map.of(
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private Quantities() {}

    /**
     * Reads a count: {@code 100}, {@code 10k} (thousands), {@code 1.5m} (millions).
     *
     * @param text the text
     * @param least the smallest count that is allowed
     * @return the count, {@code least} or more
     * @throws IllegalArgumentException if it isn't such a count, or doesn't fit a {@code long}
     */
    public static long parseCount(String text, long least) {
        return parse(text, COUNT_UNITS, least, "a whole number of " + least + " or more, such as 100 or 10k");
    }

    /**
     * Reads a count that is an {@code int}.
     *
     * @param text such as {@code 100} or {@code 10k}
     * @param least the least that is allowed
     * @return the number
     * @throws IllegalArgumentException saying what was expected
     */
    public static int parseInt(String text, long least) {
        long count = parseCount(text, least);
        if (count > Integer.MAX_VALUE) {
            throw new ValueException("a whole number from " + least + " to " + Integer.MAX_VALUE);
        }
        return (int) count;
    }

    /**
     * Reads a size in bytes: {@code 512}, {@code 64k} (1024 bytes each), {@code 1m}, {@code 2g}.
     *
     * @param text the text
     * @param least the smallest size that is allowed, in bytes
     * @return the size in bytes, {@code least} or more
     * @throws IllegalArgumentException if it isn't such a size, or doesn't fit a {@code long}
     */
    public static long parseSize(String text, long least) {
        return parse(
                text,
                SIZE_UNITS,
                least,
                "a size of " + least + (least == 1 ? " byte" : " bytes") + " or more, such as 512, 64k or 1m");
    }

    /**
     * Reads a time: {@code 250ms}, {@code 1.5s}, {@code 5m} (minutes), {@code 1h}, {@code 50us}. The unit is required,
     * since a bare number would be read as seconds by one and as milliseconds by another.
     *
     * @param text the text
     * @param zeroAllowed true if {@code 0s} is a time too
     * @return the time, of nanosecond precision
     * @throws IllegalArgumentException if it isn't such a time, or is longer than 292 years
     */
    public static Duration parseDuration(String text, boolean zeroAllowed) {
        String expected = zeroAllowed
                ? "a time of 0s or more, such as 250ms, 30s, 5m or 1h"
                : "a time above 0, such as 250ms, 30s, 5m or 1h";
        return Duration.ofNanos(parse(text, TIME_UNITS, zeroAllowed ? 0 : 1, expected));
    }

    /**
     * Reads a percentage: {@code 5%}, {@code 0.1%}.
     *
     * @param text the text
     * @return percent, 0 to 100
     * @throws IllegalArgumentException if it isn't such a percentage
     */
    public static double parsePercent(String text) {
        String expected = "a percentage from 0% to 100%, such as 5% or 0.1%";
        Matcher matcher = PERCENTAGE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new ValueException(expected);
        }
        double percent = Double.parseDouble(matcher.group(1));
        if (percent > 100) {
            throw new ValueException(expected);
        }
        return percent;
    }

    /**
     * Writes a time.
     *
     * @param time of whole milliseconds
     * @return in the largest unit without a fraction, such as {@code 90s}
     */
    public static String time(Duration time) {
        if (time.toMillisPart() != 0) {
            return time.toMillis() + "ms";
        }
        return time.isZero() || time.toSecondsPart() != 0 ? time.toSeconds() + "s" : time.toMinutes() + "m";
    }

    /** A size in the largest unit without a fraction, such as {@code 64k}. */
    static String size(long bytes) {
        return SIZE_UNITS.entrySet().stream()
                .filter(unit -> bytes % unit.getValue() == 0)
                .max(Map.Entry.comparingByValue())
                .map(unit -> bytes / unit.getValue() + unit.getKey())
                .orElseThrow();
    }

    private static long parse(String text, Map<String, Long> units, long least, String expected) {
        Matcher matcher = QUANTITY.matcher(text.strip());
        if (!matcher.matches()) {
            throw new ValueException(expected);
        }
        Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            throw new ValueException(expected);
        }
        long value;
        try {
            value = new BigDecimal(matcher.group(1))
                    .multiply(new BigDecimal(unit))
                    .longValueExact();
        } catch (ArithmeticException fractionOrOverflow) {
            throw new ValueException("", expected, fractionOrOverflow);
        }
        if (value < least) {
            throw new ValueException(expected);
        }
        return value;
    }
}
