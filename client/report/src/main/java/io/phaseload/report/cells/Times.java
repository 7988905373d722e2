package io.phaseload.report.cells;

import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.TooFewSamples;

/** Values of a distribution in milliseconds. */
public final class Times {

    private static final Column MILLIS = Column.of("ms", "time", "ms");

    private Times() {}

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
}
