package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.recording.SampledRequest;
import java.util.List;

/** Distances between requests. */
public final class Distances {

    /** The number of requests in a stretch of time, whose variance is compared with that of independent ones. */
    private static final double STRETCH = 2;

    private static final int LEAST = 30;
    private static final double EVEN = 0.35;

    private Distances() {}

    /**
     * Whether requests are sent at even distances, as those are that a limit of the rate lets pass: the number of them
     * in short stretches varies far less than by chance.
     *
     * @param requests in any order
     * @return {@code false} for few
     */
    public static boolean areEven(List<SampledRequest> requests) {
        int n = requests.size();
        if (n < LEAST) {
            return false;
        }
        long[] sent =
                requests.stream().mapToLong(SampledRequest::sentNanos).sorted().toArray();
        double width = STRETCH * (sent[n - 1] - sent[0] + 1) / n;
        double[] counts = new double[1 + (int) (n / STRETCH)];
        for (long at : sent) {
            counts[(int) ((at - sent[0]) / width)]++;
        }
        Steadiness each = Steadiness.of(counts);
        return each.variation() * each.variation() * each.mean() < EVEN;
    }
}
