package io.phaseload.measure.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Some requests of a phase, one by one, in the order in which they were sent. Immutable.
 *
 * @param all a uniform sample of all requests
 * @param share the probability with which a request is in it, from 0 to 1; 0 if no sample was taken
 * @param failures a uniform sample of the requests that failed
 * @param failureShare the probability with which a failure is in it
 * @param slowest the requests with the longest service time, for each operation: all of those that took longer than the
 *     fastest of them
 */
public record RequestSample(
        List<SampledRequest> all,
        double share,
        List<SampledRequest> failures,
        double failureShare,
        List<List<SampledRequest>> slowest) {

    /** No sample was taken, or it wasn't kept. */
    public static final RequestSample NONE = new RequestSample(List.of(), 0, List.of(), 0, List.of());

    private static final double KEYS = 0x1p63;

    /**
     * Adds up what the samplers of a phase have.
     *
     * @param samplers one or more, with as many operations each
     * @param startNanos the phase's start, as {@link System#nanoTime()}
     * @return their sample
     */
    public static RequestSample of(List<RequestSampler> samplers, long startNanos) {
        int operations = samplers.get(0).slowest.length;
        return new RequestSample(
                rows(samplers, of -> of.all, startNanos),
                share(samplers, of -> of.all),
                rows(samplers, of -> of.failures, startNanos),
                share(samplers, of -> of.failures),
                IntStream.range(0, operations)
                        .mapToObj(i -> rows(samplers, of -> of.slowest[i], startNanos))
                        .toList());
    }

    private static List<SampledRequest> rows(
            List<RequestSampler> samplers, Function<RequestSampler, RequestRows> part, long startNanos) {
        long bar = bar(samplers, part);
        List<SampledRequest> rows = new ArrayList<>();
        samplers.forEach(of -> rows.addAll(part.apply(of).above(bar, startNanos)));
        rows.sort(Comparator.comparingLong(SampledRequest::sentNanos));
        return List.copyOf(rows);
    }

    private static double share(List<RequestSampler> samplers, Function<RequestSampler, RequestRows> part) {
        return 1 - (bar(samplers, part) + 1) / KEYS;
    }

    private static long bar(List<RequestSampler> samplers, Function<RequestSampler, RequestRows> part) {
        return samplers.stream().map(part).mapToLong(RequestRows::bar).max().orElse(-1);
    }
}
