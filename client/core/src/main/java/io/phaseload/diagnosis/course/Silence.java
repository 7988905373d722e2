package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.responses.BadGateway;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A time in which nothing succeeded, though requests were due or open.
 *
 * @param fromNanos the last success before it, since the phase's start; 0 if there is none
 * @param toNanos the first success after it, or the phase's end if there is none
 * @param failures sampled failures in it that a server which is down makes
 * @param hung sampled requests that were open for most of it, far longer than usual
 */
record Silence(long fromNanos, long toNanos, List<SampledRequest> failures, List<SampledRequest> hung) {

    private static final long LEAST_NANOS = 900_000_000;
    private static final int LEAST_FAILED = 5;
    private static final int LEAST_USERS = 2;
    private static final int CAUSES = 3;
    private static final double MOST_CHANCE = 1e-4;
    private static final double MOST_CHANCE_OF_HANGS = 1e-3;
    private static final double OPEN = 0.8;
    private static final double MOST_OF_HANGS = 0.5;
    private static final double SLOWER = 3;
    private static final double MOST_OF_ALL = 0.75;
    private static final double NEAR_TIMEOUT = 0.5;

    /** Users who wait for slow responses most of the time do so at once. */
    private static final double MOST_SLOW = 0.5;

    /** Requests just before it. */
    private static final int BEFORE = 20;

    /** As many times as long as nearly all times between successes. */
    private static final double RARE = 3;

    /** All of a phase, in order; none without a sample. */
    static List<Silence> of(PhaseSeries phase) {
        List<SampledRequest> requests = phase.requests().toList();
        List<SampledRequest> slow =
                phase.facts().stream().flatMap(Silence::slow).toList();
        List<SampledRequest> failures = phase.facts().stream()
                .flatMap(facts -> facts.failures().stream())
                .filter(Silence::isOfTarget)
                .toList();
        long[] ends = requests.stream()
                .filter(of -> !of.failed())
                .mapToLong(SampledRequest::endNanos)
                .sorted()
                .toArray();
        // Later ends are those of requests that the phase's end left open.
        long lastSent =
                requests.stream().mapToLong(SampledRequest::sentNanos).max().orElse(0);
        double least = Math.max(LEAST_NANOS, RARE * usualGap(ends));
        List<Silence> refused = new ArrayList<>();
        List<Silence> hung = new ArrayList<>();
        // The phase may begin before the server does. What waits at first waits for it.
        if (ends.length > 0 && ends[0] >= least && ends[0] <= lastSent) {
            Silence first = of(0, ends[0], failures, slow);
            if (first.isRefusal(phase, ends.length) && !first.isOfTimeouts()) {
                refused.add(first);
            }
        }
        for (int i = 1; i < ends.length; i++) {
            if (ends[i] - ends[i - 1] >= least && ends[i] <= lastSent) {
                Silence silence = of(ends[i - 1], ends[i], failures, slow);
                if (silence.isRefusal(phase, ends.length) && !silence.isOfWaiting(phase, requests)) {
                    refused.add(silence);
                } else if (users(silence.hung()) >= LEAST_USERS) {
                    hung.add(silence);
                }
            }
        }
        // The phase may end before the server is back. Of a proxy that answers for it, 'bad-gateway' says more.
        if (ends.length > 0 && lastSent - ends[ends.length - 1] >= least) {
            Silence last = of(ends[ends.length - 1], phase.wall().toNanos(), failures, slow);
            if (last.isRefusal(phase, ends.length)
                    && !last.isOfWaiting(phase, requests)
                    && last.isSudden(phase)
                    && !BadGateway.isAll(last.failures())) {
                refused.add(last);
            }
        }
        boolean real =
                slowNanos(phase) <= MOST_SLOW * phase.users() * phase.wall().toNanos()
                        && within(hung, slow) >= MOST_OF_HANGS
                        && chance(hung, slow.size(), phase.wall().toNanos()) < MOST_CHANCE_OF_HANGS;
        return Stream.concat(refused.stream(), real ? hung.stream() : Stream.empty())
                .toList();
    }

    /** The share of the requests that hang as long as these, which do so in such times. */
    private static double within(List<Silence> hung, List<SampledRequest> slow) {
        long shortest = hung.stream().mapToLong(Silence::nanos).min().orElse(0);
        List<SampledRequest> asLong =
                slow.stream().filter(of -> of.serviceNanos() >= OPEN * shortest).toList();
        long within = asLong.stream()
                .filter(of -> hung.stream().anyMatch(each -> each.hung().contains(of)))
                .count();
        return asLong.isEmpty() ? 0 : (double) within / asLong.size();
    }

    private static Silence of(long from, long to, List<SampledRequest> failures, List<SampledRequest> slow) {
        return new Silence(
                from,
                to,
                failures.stream()
                        .filter(of -> of.endNanos() > from && of.endNanos() < to)
                        .toList(),
                slow.stream()
                        .filter(of ->
                                Math.min(of.endNanos(), to) - Math.max(of.sentNanos(), from) >= OPEN * (to - from))
                        .toList());
    }

    /**
     * A client without a descriptor, or one that was stopped itself, says nothing of the target, but a route that was
     * there before and after does; a limit of the rate has a rule of its own; and what conflicts with an earlier
     * request isn't the service's fault.
     */
    private static boolean isOfTarget(SampledRequest failure) {
        return !failure.stalled()
                && (!(failure.outcome() instanceof Outcome.ClientFault)
                        || failure.outcome().cause().equals(Cause.NO_ROUTE))
                && !failure.outcome()
                        .cause()
                        .isStatus(status -> status == Statuses.CONFLICT || Statuses.limits(status));
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
    private static Stream<SampledRequest> slow(Facts facts) {
        double limit = SLOWER * Facts.quantileNanos(facts.requests(), MOST_OF_ALL);
        boolean patient = facts.slow().haveOwnStatus();
        return facts.requests().stream()
                .filter(of -> of.serviceNanos() >= limit && !of.stalled() && (of.failed() || !patient));
    }

    /**
     * Whether requests waited ever longer until none was answered in time: nearly all failures are timeouts, and the
     * last successes before took nearly as long.
     */
    private boolean isOfWaiting(PhaseSeries phase, List<SampledRequest> requests) {
        double[] last = requests.stream()
                .filter(of -> !of.failed() && of.endNanos() <= fromNanos)
                .sorted(Comparator.comparingLong(SampledRequest::endNanos).reversed())
                .limit(LEAST_FAILED)
                .mapToDouble(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        return isOfTimeouts()
                && last.length == LEAST_FAILED
                && last[LEAST_FAILED / 2]
                        >= NEAR_TIMEOUT * phase.responseTimeout().toNanos();
    }

    private boolean isOfTimeouts() {
        long timeouts = failures.stream()
                .filter(of -> of.outcome().cause().equals(Cause.READ_TIMEOUT))
                .count();
        return timeouts > OPEN * failures.size();
    }

    /** Whether most requests still succeeded just before it: otherwise more and more failed. */
    private boolean isSudden(PhaseSeries phase) {
        long[] before = phase.requests()
                .filter(of -> of.endNanos() <= fromNanos)
                .sorted(Comparator.comparingLong(SampledRequest::endNanos).reversed())
                .limit(BEFORE)
                .mapToLong(of -> of.failed() ? 1 : 0)
                .toArray();
        return 2 * LongStream.of(before).sum() <= before.length;
    }

    /** {@return true if requests failed in it, instead of hanging} */
    boolean isRefusal() {
        return failures.size() >= LEAST_FAILED;
    }

    /** Whether all failures in it are such statuses. */
    boolean isRefusedByStatus(IntPredicate such) {
        return isRefusal() && failures.stream().allMatch(of -> such.test(of.status()));
    }

    /** The causes of the failures: for people. */
    String causes() {
        return failures.isEmpty()
                ? ""
                : failures.stream()
                        .map(of -> "'" + of.outcome().cause() + "'")
                        .distinct()
                        .sorted()
                        .limit(CAUSES)
                        .collect(Collectors.joining(", ", " with ", ""));
    }

    private boolean isRefusal(PhaseSeries phase, int tries) {
        long failed = failed(phase);
        long others = Math.max(0, phase.all().failed() - failed);
        double usual = (others + 1.0) / (phase.all().succeeded() + others + 2);
        return failed >= LEAST_FAILED && Math.pow(usual, failed) * tries < MOST_CHANCE;
    }

    /** The chance that requests which hang independently of each other do so at once. */
    private static double chance(List<Silence> hung, int slow, long wallNanos) {
        long joined = hung.stream().mapToLong(of -> users(of.hung()) - 1).sum();
        double beginning = hung.stream()
                .map(Silence::hung)
                .mapToDouble(of -> of.stream()
                                .mapToLong(SampledRequest::sentNanos)
                                .max()
                                .orElse(0)
                        - of.stream().mapToLong(SampledRequest::sentNanos).min().orElse(0))
                .sum();
        return Chance.ofTogether(slow, hung.size(), joined, beginning / wallNanos);
    }

    /** The time that users waited for slow responses. */
    private static double slowNanos(PhaseSeries phase) {
        return phase.facts().stream()
                .mapToDouble(facts ->
                        slow(facts).mapToDouble(SampledRequest::serviceNanos).sum() / facts.share())
                .sum();
    }

    private static long users(List<SampledRequest> requests) {
        return requests.stream().mapToInt(SampledRequest::user).distinct().count();
    }

    /** The number of failures in it; estimated, if more than some thousands failed. */
    long failed(PhaseSeries phase) {
        return failures.isEmpty()
                ? 0
                : Math.round(failures.size() / phase.facts().get(0).failureShare());
    }

    long nanos() {
        return toNanos - fromNanos;
    }
}
