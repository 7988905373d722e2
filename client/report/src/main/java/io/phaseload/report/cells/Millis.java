package io.phaseload.report.cells;

import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Values of a distribution in milliseconds. */
public final class Millis {

    private static final Column MILLIS = Column.of("ms", "time", "ms");

    private Millis() {}

    /** A cell: a number, or the reason why there is none. */
    public static Object cell(LatencyValue value) {
        if (value instanceof TooFewSamples few) {
            return few.samples() == 0 ? Missing.NOT_MEASURED : Missing.TOO_FEW;
        }
        return value.value().orElseThrow().toNanos() / 1e6;
    }

    /**
     * A value in a sentence.
     *
     * @param value of a distribution
     * @return milliseconds with three decimal places, or the reason why there are none: {@code n/a}, {@code n too
     *     small}
     */
    public static String text(LatencyValue value) {
        return MILLIS.write(cell(value));
    }

    /**
     * Values in a sentence.
     *
     * @param of a distribution
     * @param figures of {@code mean}, {@code median}, {@code p95}, {@code p99} and {@code max}
     * @return such as {@code mean 1.500, max 3.000}
     */
    public static String text(Latency of, String... figures) {
        return Stream.of(figures)
                .map(figure -> figure + " " + text(value(of, figure)))
                .collect(Collectors.joining(", "));
    }

    private static LatencyValue value(Latency of, String figure) {
        return switch (figure) {
            case "mean" -> of.mean();
            case "median" -> of.p50();
            case "p95" -> of.p95();
            case "p99" -> of.p99();
            case "max" -> of.max();
            default -> throw new IllegalArgumentException(figure);
        };
    }

    /**
     * A value to three digits.
     *
     * @param value of a distribution
     * @return such as {@code 8.3 ms} or {@code 73.3 µs}, or the reason why there is none
     */
    public static String brief(LatencyValue value) {
        return (number(value) + " " + unit(value)).strip();
    }

    /**
     * Its number.
     *
     * @param value of a distribution
     * @return in its {@link #unit}, or the reason why there is none
     */
    public static String number(LatencyValue value) {
        return value instanceof Measured measured
                ? Significant.text(measured.time().toNanos() / (isShort(measured) ? 1e3 : 1e6))
                : text(value);
    }

    /**
     * Its unit.
     *
     * @param value of a distribution
     * @return microseconds below a millisecond; empty without a number
     */
    public static String unit(LatencyValue value) {
        return value instanceof Measured measured ? isShort(measured) ? "µs" : "ms" : "";
    }

    private static boolean isShort(Measured value) {
        return value.time().toNanos() < 1_000_000;
    }
}
