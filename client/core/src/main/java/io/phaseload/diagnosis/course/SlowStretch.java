package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A stretch of time in which far more of an operation's requests are far slower than at other times, in whatever form:
 * the one with the largest sum of 1 for each slow request less a quarter for each of all (J. Bentley, Communications of
 * the ACM 27, 1984).
 *
 * @param facts of that operation
 * @param slow its slow requests, in the order in which they were sent
 * @param others the operation's requests that aren't slow
 * @param share the part of the stretch's requests that are slow, from 0 to 1
 */
record SlowStretch(Facts facts, List<SampledRequest> slow, List<SampledRequest> others, double share) {

    private static final double QUARTER = 0.25;
    private static final double FACTOR = 4;
    private static final double LEAST_NANOS = 3e7;
    private static final int LEAST = 10;
    private static final int LEAST_USERS = 3;
    private static final double START = 0.1;
    private static final double LEAST_SHARE = 0.4;
    private static final double ELSEWHERE = 0.1;
    private static final double MOST_OF_PHASE = 0.5;
    private static final double LEAST_LENGTH = 3e8;
    private static final double MOST_CHANCE = 1e-6;

    /** Of the requests just before it: if a line of waiting requests grows, they wait, too. */
    private static final int BEFORE = 5;

    private static final double AT_ONCE = 2;

    /** That of the operation with the most slow requests; empty if none has any. */
    static Optional<SlowStretch> of(PhaseSeries phase) {
        return phase.facts().stream()
                .map(SlowStretch::of)
                .flatMap(Optional::stream)
                .max(Comparator.comparingInt(of -> of.slow().size()));
    }

    private static Optional<SlowStretch> of(Facts facts) {
        List<SampledRequest> all = facts.undisturbed();
        long[] times =
                all.stream().mapToLong(SampledRequest::serviceNanos).sorted().toArray();
        double usual = times.length == 0 ? 0 : times[(int) (QUARTER * times.length)];
        double limit = Math.max(FACTOR * usual, usual + LEAST_NANOS);
        double best = 0;
        double sum = 0;
        int from = 0;
        int first = 0;
        int end = 0;
        for (int i = 0; i < all.size(); i++) {
            from = sum <= 0 ? i : from;
            sum = Math.max(0, sum) + (all.get(i).serviceNanos() > limit ? 1 : 0) - QUARTER;
            if (sum > best) {
                best = sum;
                first = from;
                end = i + 1;
            }
        }
        List<SampledRequest> slow = slow(all.subList(first, end), limit);
        List<SampledRequest> others =
                all.stream().filter(of -> of.serviceNanos() <= limit).toList();
        SlowStretch found = new SlowStretch(facts, slow, others, (double) slow.size() / Math.max(1, end - first));
        long elsewhere = all.size() - others.size() - slow.size();
        return slow.size() >= LEAST
                        && elsewhere <= ELSEWHERE * found.share() * (all.size() - end + first)
                        && Facts.medianNanos(all.subList(Math.max(0, first - BEFORE), first)) <= AT_ONCE * usual
                        && found.isLarge(slow.size() + elsewhere)
                ? Optional.of(found)
                : Optional.empty();
    }

    private static List<SampledRequest> slow(List<SampledRequest> of, double limit) {
        return of.stream().filter(one -> one.serviceNanos() > limit).toList();
    }

    /** Whether it is one stretch of the phase, of several users, and not by chance. */
    private boolean isLarge(long all) {
        double wall = facts.wall().toNanos();
        double nanos = last().sentNanos() - slow.get(0).sentNanos();
        return share >= LEAST_SHARE
                && slow.stream().map(SampledRequest::user).distinct().count() >= LEAST_USERS
                && slow.get(0).sentNanos() >= START * wall
                && nanos >= LEAST_LENGTH
                && nanos <= MOST_OF_PHASE * wall
                && Chance.ofTogether(all, 1, slow.size() - 1, nanos / wall) < MOST_CHANCE;
    }

    /** Whether a request of any operation was sent within it. */
    boolean has(SampledRequest request) {
        return request.sentNanos() >= slow.get(0).sentNanos() && request.sentNanos() <= last().sentNanos();
    }

    /** Its last slow request. */
    SampledRequest last() {
        return slow.get(slow.size() - 1);
    }
}
