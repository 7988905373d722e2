package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.diagnosis.evidence.Trend;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.schedule.Rate;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A constant rate of which fewer requests end than are due from the phase's start on, so that they wait ever longer.
 *
 * @param due requests a second
 * @param ended requests a second
 * @param firstNanos the mean response time of its first requests
 * @param lastNanos the same of its last ones
 * @param untilNanos the time since the phase's start up to which they wait longer
 */
record Overload(double due, double ended, double firstNanos, double lastNanos, long untilNanos) {

    private static final double BEHIND = 0.9;

    /** The same on average, if response times rise in a line: a slower growth is something that fills up. */
    private static final double BEHIND_IN_LINE = 0.95;

    private static final double LINE = 0.8;
    private static final int LEAST_SECONDS = 2;

    /** Fewer random arrivals than due, for so many seconds one after the other, are no chance. */
    private static final int LEAST_SECONDS_AT_RANDOM = 5;

    private static final int LEAST = 40;
    private static final double LONGER = 1.5;

    private static final double LEAST_PASSING_NANOS = 1e9;
    private static final double MOST_OF_PHASE = 0.75;
    private static final double TIMES = 3;
    private static final double LEAST_WAIT_NANOS = 1e8;
    private static final double EXPLAINED = 0.9;

    /** The waiting of those in the middle, of the longest one: it grows in a line. */
    private static final double HALF = 0.5;

    private static final double NEAR = 0.2;

    /** One that lasts until the phase's end. */
    static Optional<Overload> of(PhaseSeries phase) {
        Optional<Rate> rate = phase.constantRate();
        List<Second> steady = phase.steady();
        List<SampledRequest> requests = byDue(phase);
        int leastSeconds = phase.isAtRandom() ? LEAST_SECONDS_AT_RANDOM : LEAST_SECONDS;
        if (rate.isEmpty() || steady.size() < leastSeconds || requests.size() < LEAST) {
            return Optional.empty();
        }
        double due = rate.get().perSecond();
        double ended = Steadiness.of(steady, of -> of.perSecond(of.answered())).mean();
        boolean behind = steady.stream().allMatch(of -> of.perSecond(of.answered()) < BEHIND * due);
        int quarter = requests.size() / 4;
        double first = meanNanos(requests.subList(0, quarter));
        double last = meanNanos(requests.subList(requests.size() - quarter, requests.size()));
        return behind && last >= LONGER * first
                        || ended < BEHIND_IN_LINE * due
                                && last >= Math.max(TIMES * first, first + LEAST_WAIT_NANOS)
                                && ofLine(requests) >= LINE
                ? Optional.of(new Overload(due, ended, first, last, phase.wall().toNanos()))
                : Optional.empty();
    }

    /** One that passes, as when a target gets more instances: what waits then is done, and no more has to wait. */
    static Optional<Overload> passing(PhaseSeries phase) {
        List<SampledRequest> requests =
                byDue(phase).stream().filter(of -> !of.stalled()).toList();
        if (phase.constantRate().isEmpty() || !phase.hasAll() || requests.size() < 2 * LEAST) {
            return Optional.empty();
        }
        SampledRequest longest = Collections.max(requests, Comparator.comparingLong(Overload::responseNanos));
        long until = longest.dueNanos();
        List<SampledRequest> before =
                requests.stream().filter(of -> of.dueNanos() < until).toList();
        if (before.size() < LEAST
                || until < LEAST_PASSING_NANOS
                || until > MOST_OF_PHASE * phase.wall().toNanos()) {
            return Optional.empty();
        }
        long ended = before.stream().filter(of -> of.endNanos() <= until).count();
        double first = meanNanos(before.subList(0, before.size() / 10));
        double last = responseNanos(longest);
        double middle = meanNanos(before.subList(2 * before.size() / 5, 3 * before.size() / 5));
        double over = meanNanos(requests.subList(3 * requests.size() / 4, requests.size()));
        return ended < BEHIND * before.size()
                        && last >= Math.max(TIMES * first, first + LEAST_WAIT_NANOS)
                        && last >= TIMES * over
                        && Math.abs((middle - first) / (last - first) - HALF) <= NEAR
                        && Trend.of(before).explained() >= EXPLAINED
                ? Optional.of(
                        new Overload(phase.constantRate().get().perSecond(), ended * 1e9 / until, first, last, until))
                : Optional.empty();
    }

    /** The part of response times' variance that a line explains: the square of the correlation. */
    private static double ofLine(List<SampledRequest> requests) {
        double at =
                requests.stream().mapToLong(SampledRequest::dueNanos).average().orElse(0);
        double mean = meanNanos(requests);
        double both = 0;
        double times = 0;
        double responses = 0;
        for (SampledRequest of : requests) {
            double time = of.dueNanos() - at;
            double response = responseNanos(of) - mean;
            both += time * response;
            times += time * time;
            responses += response * response;
        }
        return both <= 0 ? 0 : both * both / (times * responses);
    }

    private static List<SampledRequest> byDue(PhaseSeries phase) {
        return phase.requests()
                .sorted(Comparator.comparingLong(SampledRequest::dueNanos))
                .toList();
    }

    private static long responseNanos(SampledRequest of) {
        return of.endNanos() - of.dueNanos();
    }

    private static double meanNanos(List<SampledRequest> of) {
        return of.stream().mapToLong(Overload::responseNanos).average().orElse(0);
    }
}
