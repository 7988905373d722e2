package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.recording.SampledRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Whether users share a rate of bytes: when one gets more, others get less. The variance of the sum of independent
 * rates is the sum of their variances; that of shares of a constant is 0.
 */
public final class SharedRate {

    private static final int LEAST = 100;
    private static final int MOST_USERS = 1_000;

    /** The variance of the sum, of the sum of variances: chance alone makes 1 ± 0.2. */
    private static final double MOST = 0.4;

    /** With less, of the mean, rates don't vary: nothing shows if they share anything. */
    private static final double LEAST_VARIATION = 0.1;

    private static final double SECOND = 1e9;

    /** A response of one packet has no length; in seconds. */
    private static final double SHORTEST = 1e-6;

    private SharedRate() {}

    /**
     * Looks at users who don't pause.
     *
     * @param phase in which they run
     * @param bytes of a request
     * @return true if their rates add up to something more constant than themselves; {@code false} if it isn't known
     */
    public static boolean isSeen(PhaseSeries phase, ToLongFunction<SampledRequest> bytes) {
        List<SampledRequest> requests = phase.facts().stream()
                .filter(operation -> operation.share() == 1)
                .flatMap(operation -> operation.requests().stream())
                .filter(of -> !of.failed() && of.serviceNanos() > 0)
                .toList();
        int users = phase.users();
        if (!phase.isAtOnce() || requests.size() < LEAST || users < 2 || users > MOST_USERS) {
            return false;
        }
        // Without the start, at which all users begin at once, and the end.
        long from = requests.stream().mapToLong(SampledRequest::sentNanos).max().orElse(0) / 10;
        double width = Facts.medianNanos(requests) / 2.0;
        int bins = (int) (8 * from / width);
        Map<Integer, double[]> rates = new HashMap<>();
        for (SampledRequest of : requests) {
            double[] own = rates.computeIfAbsent(of.user(), any -> new double[bins]);
            double rate = bytes.applyAsLong(of) / (double) of.serviceNanos();
            add(own, (of.sentNanos() - from) / width, (of.endNanos() - from) / width, rate);
        }
        double[] sum = new double[bins];
        double variances = 0;
        double squares = 0;
        for (double[] own : rates.values()) {
            for (int i = 0; i < bins; i++) {
                sum[i] += own[i];
            }
            Steadiness one = Steadiness.of(own);
            squares += one.mean() * one.mean();
            variances += Math.pow(one.mean() * one.variation(), 2);
        }
        Steadiness all = Steadiness.of(sum);
        return variances >= LEAST_VARIATION * LEAST_VARIATION * squares
                && Math.pow(all.mean() * all.variation(), 2) <= MOST * variances;
    }

    /**
     * Bytes that arrive in each whole second but the first: those of a response spread from its first byte to its last,
     * so that few large responses make no jumps.
     *
     * @return none if not all requests are in the sample
     */
    public static double[] arrivals(PhaseSeries phase) {
        if (!phase.hasAll()) {
            return new double[0];
        }
        List<SampledRequest> responses = phase.requests()
                .filter(of -> of.bytes() > 0 && of.firstByteNanos() >= 0)
                .toList();
        double[] bins = new double[(int) (phase.wall().toNanos() / SECOND)];
        for (SampledRequest of : responses) {
            double from = (of.sentNanos() + of.firstByteNanos()) / SECOND;
            double to = Math.max(of.endNanos() / SECOND, from + SHORTEST);
            add(bins, from, to, of.bytes() / (to - from));
        }
        return bins.length < 2 ? new double[0] : Arrays.copyOfRange(bins, 1, bins.length);
    }

    /** Adds a rate to the bins between two points, to those at the ends in part. */
    private static void add(double[] bins, double from, double to, double rate) {
        for (int i = Math.max(0, (int) from); i < Math.min(bins.length, to); i++) {
            bins[i] += rate * (Math.min(to, i + 1) - Math.max(from, i));
        }
    }
}
