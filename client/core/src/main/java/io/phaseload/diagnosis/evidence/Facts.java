package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.SampledRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The sampled requests of one operation in one phase. Each rule may conclude from it; without a sample, as in merged
 * runs, there is none.
 *
 * @param operation the operation's index
 * @param name the operation's name
 * @param share the probability with which a request is in the sample
 * @param failureShare the probability with which a failure is in the sample of failures
 * @param requests a uniform sample of its requests, in the order in which they were sent
 * @param failures a uniform sample of its failures
 * @param slow successes that were slow, beside all other successes
 * @param failed requests that failed, beside those that succeeded
 */
public record Facts(
        int operation,
        String name,
        Duration wall,
        double share,
        double failureShare,
        List<SampledRequest> requests,
        List<SampledRequest> failures,
        Split split,
        Cases slow,
        Cases failed) {

    /** Fewer cases in the uniform sample are looked for among the slowest. */
    private static final int FEW = 200;

    private static final double SECOND = 1e9;

    /** Of a timer, in nanoseconds: a response comes so near to it, or as near as others are alike. */
    private static final double LEAST_NEAR = 3e7;

    private static final double MOST_NEAR = 1.2e8;
    private static final int LEAST = 10;
    private static final double NEARLY_ALL = 0.8;

    /** The ends of a stretch of time, of the slow ones, that don't count: some may be slow at any time. */
    private static final int ENDS = 20;

    private static final double MOST_WITHIN = 0.6;

    /** Of the phase. */
    private static final double START = 0.1;

    /**
     * The facts of a phase.
     *
     * @param sample of its requests
     * @param names of its operations
     * @param operations the tally of each
     * @return those of each operation; none without a sample
     */
    public static List<Facts> of(RequestSample sample, List<String> names, List<Tally> operations, Duration wall) {
        return sample.share() == 0
                ? List.of()
                : IntStream.range(0, names.size())
                        .mapToObj(i -> of(i, sample, names.get(i), operations.get(i), wall))
                        .toList();
    }

    private static Facts of(int index, RequestSample sample, String name, Tally tally, Duration wall) {
        List<SampledRequest> own = only(sample.all(), of -> of.operation() == index);
        List<SampledRequest> failures = only(sample.failures(), of -> of.operation() == index);
        List<SampledRequest> successes = only(own, of -> !of.failed());
        List<SampledRequest> slowest = only(sample.slowest().get(index), of -> !of.failed());
        Split split = Split.of(successes, slowest);
        long wallNanos = wall.toNanos();
        List<SampledRequest> others = only(successes, of -> !split.isSlow(of));
        List<SampledRequest> slow = only(successes, of -> isSlow(split, of));
        double slowShare = successes.isEmpty() ? 0 : (double) slow.size() / successes.size();
        double weight = 1;
        boolean hasAll = slowest.stream().anyMatch(of -> !split.isSlow(of));
        if (slow.size() < FEW && hasAll) {
            weight = 1 / sample.share();
            slow = only(slowest, of -> isSlow(split, of));
            slowShare = Math.max(slowShare, (double) slow.size() / Math.max(1, tally.succeeded()));
        }
        double failedShare = (double) tally.failed() / Math.max(1, tally.requests());
        return new Facts(
                index,
                name,
                wall,
                sample.share(),
                sample.failureShare(),
                own,
                failures,
                split,
                Cases.of(slow, slowShare, others, weight, wallNanos),
                Cases.of(failures, failedShare, successes, sample.failureShare() / sample.share(), wallNanos));
    }

    /**
     * Failures of one kind, beside all successes.
     *
     * @return their facts, with their share of all requests
     */
    public Cases failed(Predicate<SampledRequest> such) {
        List<SampledRequest> chosen = only(failures, such);
        double part = failures.isEmpty() ? 0 : (double) chosen.size() / failures.size();
        return Cases.of(
                chosen,
                failed.share() * part,
                only(requests, of -> !of.failed()),
                failureShare / share,
                wall.toNanos());
    }

    /** {@return the paths whose requests fail with some causes, while those of others don't} */
    public Optional<Paths> failingPaths(Predicate<Cause> causes) {
        return Paths.of(requests, of -> of.cause().filter(causes).isPresent());
    }

    /** {@return the paths whose successes are slow, while those of others aren't} */
    public Optional<Paths> slowPaths() {
        return Paths.of(undisturbed(), split::isSlow);
    }

    /**
     * Slow successes that begin after the phase does, beside the others that were sent from the first of them to the
     * last. At its start a server gets ready, or a cache fills, and they get fewer.
     *
     * @return their facts, with their share of these; empty if there are few of either, or if most are slow
     */
    public Optional<Cases> slowWithin() {
        List<SampledRequest> such = only(undisturbed(), split::isSlow);
        if (such.size() < ENDS) {
            return Optional.empty();
        }
        long from = such.get(such.size() / ENDS).sentNanos();
        long to = such.get(such.size() - 1 - such.size() / ENDS).sentNanos();
        List<SampledRequest> all = only(undisturbed(), of -> of.sentNanos() >= from && of.sentNanos() <= to);
        List<SampledRequest> cases = only(all, split::isSlow);
        List<SampledRequest> others = only(all, of -> !split.isSlow(of));
        return from < START * wall.toNanos() || others.size() < ENDS || cases.size() > MOST_WITHIN * all.size()
                ? Optional.empty()
                : Optional.of(Cases.of(cases, (double) cases.size() / all.size(), others, 1, to - from));
    }

    /**
     * Whether slow successes take whole seconds longer than the others, as those do that wait for a timer.
     *
     * @return {@code false} for few, and if the others differ by too much
     */
    public boolean isSlowBySeconds() {
        long[] fast = undisturbed().stream()
                .filter(of -> !split.isSlow(of))
                .mapToLong(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        if (fast.length < LEAST || slow.requests().size() < LEAST) {
            return false;
        }
        double near = Math.max(LEAST_NEAR, fast[9 * fast.length / 10] - fast[fast.length / 10]);
        long such = slow.requests().stream()
                .mapToDouble(of -> (of.serviceNanos() - fast[fast.length / 2]) / SECOND)
                .filter(longer -> longer > 0.5 && Math.abs(longer - Math.rint(longer)) * SECOND <= near)
                .count();
        return near <= MOST_NEAR && such >= NEARLY_ALL * slow.requests().size();
    }

    /** {@return the sampled successes that no stall of the client affected} */
    public List<SampledRequest> undisturbed() {
        return only(requests, of -> !of.failed() && !of.stalled());
    }

    /** {@return the median service time of the successes in the sample, in nanoseconds} */
    public long medianNanos() {
        return medianNanos(only(requests, of -> !of.failed()));
    }

    /** {@return the part of the requests' time by which slow successes took longer than others, from 0 to 1} */
    public double slowPart() {
        double all = meanNanos(requests);
        long usual = medianNanos(only(requests, of -> !of.failed() && !split.isSlow(of)));
        double longer = Math.max(0, meanNanos(slow.requests()) - usual);
        return all == 0 ? 0 : Math.min(1, slow.share() * longer / all);
    }

    private static double meanNanos(List<SampledRequest> of) {
        return of.stream().mapToLong(SampledRequest::serviceNanos).average().orElse(0);
    }

    /** Slow, unless the client itself was stalled meanwhile. */
    private static boolean isSlow(Split split, SampledRequest request) {
        return split.isSlow(request) && !request.stalled();
    }

    /** {@return the median service time of requests, in nanoseconds; 0 of none} */
    public static long medianNanos(List<SampledRequest> of) {
        return quantileNanos(of, 0.5);
    }

    /** {@return the service time that this part of requests takes at most, in nanoseconds; 0 of none} */
    public static long quantileNanos(List<SampledRequest> of, double part) {
        long[] sorted =
                of.stream().mapToLong(SampledRequest::serviceNanos).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) (part * sorted.length)];
    }

    private static List<SampledRequest> only(List<SampledRequest> of, Predicate<SampledRequest> such) {
        return of.stream().filter(such).toList();
    }

    /** Where slow responses begin, and whether next to none lie on the border. */
    public record Split(long nanos, Optional<Double> gap) {

        /** The least distance between two groups, as a factor. */
        private static final double LEAST_GAP = 1.5;

        private static final double LEAST_SHARE = 0.02;
        private static final double MOST_BETWEEN = 0.10;
        private static final int LEAST = 50;

        /** A slow response takes at least this much more: less is noise of a busy machine. */
        private static final long LEAST_NANOS = 5_000_000;

        /** {@return true if a request is slow} */
        public boolean isSlow(SampledRequest request) {
            return request.serviceNanos() > nanos;
        }

        static Split of(List<SampledRequest> successes, List<SampledRequest> slowest) {
            long[] sorted = successes.stream()
                    .mapToLong(SampledRequest::serviceNanos)
                    .sorted()
                    .toArray();
            if (sorted.length < LEAST) {
                return new Split(Long.MAX_VALUE, Optional.empty());
            }
            return byGap(sorted).orElseGet(() -> byTail(sorted));
        }

        /** The median, and as much again, or four times what half of all differ by. */
        private static Split byTail(long[] sorted) {
            int n = sorted.length;
            long median = sorted[n / 2];
            long spread = sorted[3 * n / 4] - sorted[n / 4];
            long more = Math.max(Math.max(median, LEAST_NANOS), 4 * spread);
            return new Split(median + more, Optional.empty());
        }

        /** The widest stretch, as a factor, that holds next to none of the smaller group. */
        private static Optional<Split> byGap(long[] sorted) {
            int n = sorted.length;
            double best = LEAST_GAP;
            Optional<Split> found = Optional.empty();
            for (int at = n / 10; n - 1 - at >= LEAST_SHARE * n; at += Math.max(1, n / 400)) {
                long edge = Math.max(1, sorted[at]);
                int above = n - 1 - at;
                int skipped = (int) (MOST_BETWEEN * Math.min(above, n - above));
                long far = sorted[at + 1 + skipped];
                double gap = (double) far / edge;
                if (gap > best && far - edge >= LEAST_NANOS / 2) {
                    best = gap;
                    found = Optional.of(new Split((long) (edge * Math.sqrt(gap)), Optional.of(gap)));
                }
            }
            return found;
        }
    }
}
