package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Stretches of time in which many of an operation's requests are far slower than at other times, in whatever form.
 *
 * @param facts of that operation
 * @param stretches its requests within each, from the first slow one to the last one
 * @param limitNanos slower ones are slow
 */
record SlowTimes(Facts facts, List<List<SampledRequest>> stretches, double limitNanos) {

    private static final double QUARTER = 0.25;
    private static final double FACTOR = 4;
    private static final double LEAST_NANOS = 3e7;
    private static final int LEAST = 10;
    private static final int LEAST_TOGETHER = 3;
    private static final int LEAST_USERS = 3;

    /** A cold server is slow at first. */
    private static final double START = 0.1;

    private static final double LEAST_SHARE = 0.4;
    private static final double MOST = 0.6;
    private static final double MOST_OF_PHASE = 0.5;
    private static final double LEAST_PART = 0.15;
    private static final double MOST_CHANCE = 1e-6;

    /** If new connections, a status or a length explain as much, it isn't a matter of time. */
    private static final double OF_ITS_OWN = 0.4;

    /** Of the requests just before it: if a line of waiting requests grows, they wait, too. */
    private static final int BEFORE = 5;

    private static final double AT_ONCE = 2;

    /** A run of requests, by the sums of their scores before it and after it. */
    private record Run(int from, int to, double before, double after) {}

    /**
     * Those of the operation with the most slow requests; empty if none has any. At a busy target, requests of a rate
     * wait for each other at several times: of these, one stretch must have them.
     */
    static Optional<SlowTimes> of(PhaseSeries phase) {
        return phase.facts().stream()
                .map(SlowTimes::of)
                .map(of -> phase.load() instanceof Load.Closed ? of : of.longest())
                .filter(SlowTimes::areReal)
                .max(Comparator.comparingInt(of -> of.slow().size()));
    }

    private static SlowTimes of(Facts facts) {
        List<SampledRequest> all = facts.undisturbed();
        double usual = Facts.quantileNanos(all, QUARTER);
        double limit = Math.max(FACTOR * usual, usual + LEAST_NANOS);
        List<List<SampledRequest>> stretches = new ArrayList<>();
        for (Run run : runs(all, limit)) {
            List<SampledRequest> before = all.subList(Math.max(0, run.from() - BEFORE), run.from());
            List<SampledRequest> stretch = all.subList(run.from(), run.to());
            if (stretch.get(0).sentNanos() >= START * facts.wall().toNanos()
                    && only(stretch, of -> of.serviceNanos() > limit).size() >= LEAST_TOGETHER
                    && Facts.medianNanos(before) <= AT_ONCE * usual) {
                stretches.add(stretch);
            }
        }
        return new SlowTimes(facts, stretches, limit);
    }

    private SlowTimes longest() {
        return new SlowTimes(
                facts,
                stretches.stream().max(Comparator.comparingInt(List::size)).stream()
                        .toList(),
                limitNanos);
    }

    /**
     * All runs with the largest sums of 1 for each slow request less a quarter for each of all (W. L. Ruzzo, M. Tompa,
     * Proceedings of ISMB 7, 1999).
     */
    private static List<Run> runs(List<SampledRequest> all, double limit) {
        List<Run> runs = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < all.size(); i++) {
            boolean slow = all.get(i).serviceNanos() > limit;
            Run next = new Run(i, i + 1, sum, sum + 1 - QUARTER);
            sum += slow ? 1 - QUARTER : -QUARTER;
            for (int last = runs.size() - 1; slow && last >= 0; last--) {
                Run earlier = runs.get(last);
                if (earlier.before() < next.before()) {
                    if (earlier.after() >= next.after()) {
                        break;
                    }
                    next = new Run(earlier.from(), i + 1, earlier.before(), next.after());
                    runs.subList(last, runs.size()).clear();
                }
            }
            if (slow) {
                runs.add(next);
            }
        }
        return runs;
    }

    /** Whether these are some times of the phase, of several users, not by chance, and cost much. */
    private boolean areReal() {
        List<SampledRequest> all = facts.undisturbed();
        List<SampledRequest> slow = slow();
        if (slow.size() < LEAST) {
            return false;
        }
        double part = episodes().stream()
                        .mapToDouble(of -> of.lastNanos() - of.fromNanos())
                        .sum()
                / facts.wall().toNanos();
        long allSlow = only(
                        all,
                        of -> isSlow(of)
                                && of.sentNanos() >= START * facts.wall().toNanos())
                .size();
        double longer =
                slow.stream().mapToDouble(SampledRequest::serviceNanos).sum() - slow.size() * usualMillis() * 1e6;
        return share() >= LEAST_SHARE
                && slow.size() >= MOST * allSlow
                && slow.stream().map(SampledRequest::user).distinct().count() >= LEAST_USERS
                && part <= MOST_OF_PHASE
                && longer
                        >= LEAST_PART
                                * all.stream()
                                        .mapToDouble(SampledRequest::serviceNanos)
                                        .sum()
                && Chance.ofTogether(allSlow, stretches.size(), slow.size() - stretches.size(), part) < MOST_CHANCE
                && !facts.slow().byNew().explains(OF_ITS_OWN)
                && !facts.slow().byStatus().explains(OF_ITS_OWN)
                && !facts.slow().bySize().explains(OF_ITS_OWN);
    }

    private static List<SampledRequest> only(List<SampledRequest> of, Predicate<SampledRequest> such) {
        return of.stream().filter(such).toList();
    }

    private boolean isSlow(SampledRequest request) {
        return request.serviceNanos() > limitNanos;
    }

    /** Its slow requests within these, in the order in which they were sent. */
    List<SampledRequest> slow() {
        return stretches.stream().flatMap(List::stream).filter(this::isSlow).toList();
    }

    double slowMillis() {
        return Facts.medianNanos(slow()) / 1e6;
    }

    /** Of the operation's requests that aren't slow. */
    double usualMillis() {
        return Facts.medianNanos(only(facts.undisturbed(), of -> !isSlow(of))) / 1e6;
    }

    /** The part of the requests within these that are slow, from 0 to 1. */
    double share() {
        return (double) slow().size()
                / Math.max(1, stretches.stream().mapToInt(List::size).sum());
    }

    List<Episode> episodes() {
        return stretches.stream()
                .map(of -> {
                    List<SampledRequest> slow = only(of, this::isSlow);
                    return Episode.of(slow, (double) slow.size() / of.size());
                })
                .toList();
    }
}
