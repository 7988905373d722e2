package io.phaseload.schedule;

import io.phaseload.options.ValueException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate as an integer number of events per time, so that offsets can be computed without accumulating rounding errors.
 *
 * @param events at least 1
 * @param per whole seconds, 1 to 5,000,000,000; the quotient is at most 10,000,000 a second
 */
public record Rate(long events, Duration per) {

    private static final Duration MAX_PER = Duration.ofSeconds(5_000_000_000L);
    private static final double MAX_PER_SECOND = 1e7;
    private static final int MAX_DECIMALS = 6;
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,10}(?:\\.[0-9]{1,6})?)([km]?)/([0-9]{0,10})(s|m|h)");

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException naming what is out of range
     */
    public Rate {
        if (events < 1) {
            throw new ValueException("events " + events, "1 or more");
        }
        if (per.toSeconds() < 1 || per.getNano() != 0 || per.compareTo(MAX_PER) > 0) {
            throw new ValueException("per " + per, "whole seconds, 1 to " + MAX_PER.toSeconds());
        }
        if (events / (double) per.toSeconds() > MAX_PER_SECOND) {
            throw new ValueException("rate", "at most 10,000,000/s");
        }
    }

    /**
     * A number of events per second.
     *
     * @param perSecond 1 to 10,000,000
     * @return the rate
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Rate perSecond(long perSecond) {
        return new Rate(perSecond, Duration.ofSeconds(1));
    }

    /**
     * Parses the form of the command line.
     *
     * @param text a number, {@code k} or {@code m} for thousands or millions, a slash and {@code s}, {@code m} or
     *     {@code h}: {@code 500/s}, {@code 1.5k/s}, {@code 30/m}
     * @return the rate
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public static Rate parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new ValueException("a rate such as 500/s, 1.5k/s or 30/m");
        }
        long multiple =
                switch (matcher.group(2)) {
                    case "k" -> 1_000;
                    case "m" -> 1_000_000;
                    default -> 1;
                };
        Duration per =
                switch (matcher.group(4)) {
                    case "m" -> Duration.ofMinutes(1);
                    case "h" -> Duration.ofHours(1);
                    default -> Duration.ofSeconds(1);
                };
        if (!matcher.group(3).isEmpty()) {
            per = per.multipliedBy(Long.parseLong(matcher.group(3)));
        }
        BigDecimal events = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(multiple));
        return of(events, per);
    }

    /**
     * This rate times a factor.
     *
     * @param factor above 0
     * @return the product, rounded to a millionth of an event
     * @throws IllegalArgumentException if the product is out of range
     */
    public Rate times(double factor) {
        BigDecimal product = BigDecimal.valueOf(events).multiply(BigDecimal.valueOf(factor));
        return of(product.setScale(MAX_DECIMALS, RoundingMode.HALF_UP), per);
    }

    /**
     * The rate as a floating-point number.
     *
     * @return events per second
     */
    public double perSecond() {
        return events / (double) per.toSeconds();
    }

    /**
     * The offset of an event at this rate: {@code floor(index × per / events)}, in nanoseconds, exact for any index
     * that stays below 292 years.
     */
    long offsetNanos(long index) {
        long perNanos = per.toNanos();
        // index × perNanos alone could overflow: a day at 1,000,000/s is 8.64e10 × 1e9.
        long whole = index / events * perNanos;
        long rest = index % events;
        long high = Math.multiplyHigh(rest, perNanos);
        if (high == 0 && rest * perNanos >= 0) {
            return whole + rest * perNanos / events;
        }
        return whole
                + BigDecimal.valueOf(rest)
                        .multiply(BigDecimal.valueOf(perNanos))
                        .divideToIntegralValue(BigDecimal.valueOf(events))
                        .longValueExact();
    }

    /** How many events have an offset below a time: {@code ceil(nanos × events / per)}. */
    long eventsBefore(long nanos) {
        BigDecimal product = BigDecimal.valueOf(nanos).multiply(BigDecimal.valueOf(events));
        BigDecimal before = product.divide(BigDecimal.valueOf(per.toNanos()), 0, RoundingMode.CEILING);
        return Math.max(0, before.longValueExact());
    }

    private static Rate of(BigDecimal events, Duration per) {
        if (events.signum() <= 0) {
            throw new ValueException("a rate above 0");
        }
        // Whole events: 0.5/s is kept as 5 in 10 s.
        BigDecimal count = events.stripTrailingZeros();
        int digits = Math.max(0, count.scale());
        try {
            return new Rate(
                    count.movePointRight(digits).longValueExact(),
                    per.multipliedBy(BigDecimal.TEN.pow(digits).longValueExact()));
        } catch (ArithmeticException tooLarge) {
            throw new ValueException("rate", "at most 10,000,000/s and at least 1/5000000000s", tooLarge);
        }
    }

    /** The form that {@link #parse} reads, such as {@code 500/s}, or {@code 5/10s} for half an event per second. */
    @Override
    public String toString() {
        return events + "/" + (per.toSeconds() == 1 ? "" : per.toSeconds()) + "s";
    }
}
