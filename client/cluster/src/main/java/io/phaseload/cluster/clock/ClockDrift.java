package io.phaseload.cluster.clock;

import java.util.List;
import java.util.Optional;

/**
 * How much faster another machine's clock runs than this one's, if it does so evenly.
 *
 * <p>With offsets <i>[lᵢ, uᵢ]</i> at times <i>tᵢ</i>, the line that the offset follows is above all lower bounds and
 * below all upper ones, so that its slope is between
 *
 * <pre>max (lⱼ − uᵢ) / (tⱼ − tᵢ)    and    min (uⱼ − lᵢ) / (tⱼ − tᵢ)    over all i &lt; j</pre>
 *
 * @param lowPpm parts per million at least
 * @param highPpm at most; less than {@code lowPpm} if a clock was stepped, or didn't run evenly
 */
public record ClockDrift(double lowPpm, double highPpm) {

    private static final double MILLION = 1e6;

    /**
     * The conclusion from offsets.
     *
     * @param offsets in order of time
     * @return empty with less than two of different times
     */
    public static Optional<ClockDrift> of(List<ClockOffset> offsets) {
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.POSITIVE_INFINITY;
        for (int j = 1; j < offsets.size(); j++) {
            ClockOffset later = offsets.get(j);
            for (ClockOffset earlier : offsets.subList(0, j)) {
                double time = later.measured() - earlier.measured();
                if (time > 0) {
                    low = Math.max(low, (later.lower() - earlier.upper()) / time);
                    high = Math.min(high, (later.upper() - earlier.lower()) / time);
                }
            }
        }
        return Double.isInfinite(low) ? Optional.empty() : Optional.of(new ClockDrift(low * MILLION, high * MILLION));
    }

    /** {@return true if the clocks may have run evenly} */
    public boolean consistent() {
        return lowPpm <= highPpm;
    }
}
