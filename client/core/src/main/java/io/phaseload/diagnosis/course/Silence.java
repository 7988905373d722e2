package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A time in which nothing succeeded, though requests were due or open.
 *
 * @param fromNanos the last success before it, since the phase's start
 * @param toNanos the first success after it
 * @param failed the number of failures in it; estimated, if more than some thousands failed
 */
record Silence(long fromNanos, long toNanos, long failed) {

    private static final long LEAST_NANOS = 900_000_000;
    private static final int LEAST_FAILED = 5;
    private static final int LEAST_OPEN = 2;
    private static final double MOST_CHANCE = 1e-4;
    private static final double OPEN = 0.8;
    private static final double SLOWER = 3;

    /** As many times as long as nearly all times between successes. */
    private static final double RARE = 3;

    /** The longest of a phase; none without a sample. */
    static Optional<Silence> longest(PhaseSeries phase) {
        List<SampledRequest> failures = new ArrayList<>();
        List<SampledRequest> slow = new ArrayList<>();
        double share = 1;
        for (Facts facts : phase.facts()) {
            failures.addAll(facts.failures());
            slow.addAll(slow(facts));
            share = facts.failureShare();
        }
        long[] ends = phase.facts().stream()
                .flatMap(facts -> facts.requests().stream())
                .filter(of -> !of.failed())
                .mapToLong(SampledRequest::endNanos)
                .sorted()
                .toArray();
        // Later ends are those of requests that the phase's end left open.
        long lastSent = phase.facts().stream()
                .flatMap(facts -> facts.requests().stream())
                .mapToLong(SampledRequest::sentNanos)
                .max()
                .orElse(0);
        double least = Math.max(LEAST_NANOS, RARE * usualGap(ends));
        List<Silence> found = new ArrayList<>();
        for (int i = 1; i < ends.length; i++) {
            if (ends[i] - ends[i - 1] >= least && ends[i] <= lastSent) {
                Silence silence = new Silence(ends[i - 1], ends[i], failures, share);
                if (silence.isRefusal(phase, ends.length) || silence.isHang(slow)) {
                    found.add(silence);
                }
            }
        }
        return found.stream().max(Comparator.comparingLong(of -> of.toNanos() - of.fromNanos()));
    }

    /** The time between successes that few exceed. */
    private static long usualGap(long[] ends) {
        long[] gaps = IntStream.range(1, ends.length)
                .mapToLong(i -> ends[i] - ends[i - 1])
                .sorted()
                .toArray();
        return gaps.length == 0 ? 0 : gaps[(int) ((gaps.length < 200 ? 0.9 : 0.99) * gaps.length)];
    }

    /** Far longer than three of four requests of the same operation. */
    private static List<SampledRequest> slow(Facts facts) {
        long[] times = facts.requests().stream()
                .mapToLong(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        double limit = times.length == 0 ? 0 : SLOWER * times[times.length * 3 / 4];
        return facts.requests().stream()
                .filter(of -> of.serviceNanos() >= limit && !of.stalled())
                .toList();
    }

    private Silence(long from, long to, List<SampledRequest> failures, double share) {
        this(
                from,
                to,
                Math.round(failures.stream()
                                .filter(of -> of.endNanos() > from && of.endNanos() < to)
                                .count()
                        / share));
    }

    private boolean isRefusal(PhaseSeries phase, int tries) {
        long others = Math.max(0, phase.all().failed() - failed);
        double usual = (others + 1.0) / (phase.all().succeeded() + others + 2);
        return failed >= LEAST_FAILED && Math.pow(usual, failed) * tries < MOST_CHANCE;
    }

    private boolean isHang(List<SampledRequest> slow) {
        return slow.stream()
                        .filter(of -> overlap(of) >= OPEN * (toNanos - fromNanos))
                        .count()
                >= LEAST_OPEN;
    }

    private long overlap(SampledRequest of) {
        return Math.min(of.endNanos(), toNanos) - Math.max(of.sentNanos(), fromNanos);
    }
}
