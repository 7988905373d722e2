package io.phaseload.diagnosis.statistics;

import io.phaseload.measure.recording.SampledRequest;
import java.util.List;

/**
 * The narrow range of service times, 2 % wide, that most of some requests share: what a timer, a timeout or a fixed
 * delay makes.
 *
 * @param nanos its middle
 * @param share the part of these requests in it, from 0 to 1
 */
public record Spike(double nanos, double share) {

    private static final double WIDTH = 1.02;
    private static final double MOST = 0.8;

    /** The spike of some requests; 0 and 0 of none. */
    public static Spike of(List<SampledRequest> requests) {
        long[] sorted = requests.stream()
                .mapToLong(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        Spike best = new Spike(0, 0);
        int from = 0;
        for (int to = 0; to < sorted.length; to++) {
            while (sorted[to] > sorted[from] * WIDTH) {
                from++;
            }
            double share = (to - from + 1.0) / sorted.length;
            if (share > best.share) {
                best = new Spike((sorted[from] + sorted[to]) / 2.0, share);
            }
        }
        return best;
    }

    /** {@return true if nearly all took the same time} */
    public boolean isFixed() {
        return share >= MOST;
    }
}
