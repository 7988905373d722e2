package io.phaseload.report.tables;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.report.tables.Timeline.Stretch;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The reader's selection: a phase, or several together.
 *
 * @param figures of all operations
 * @param operations of each, in the plan's order, with the paths that were sent
 * @param courses requests per second of each operation over time, in at most {@value #POINTS} points; empty without
 *     intervals
 * @param asked requests that its open phases asked for; 0 if all are closed
 * @param notSent the number of them that weren't sent
 * @param sentPerSecond requests of its open phases by the time in which they were due
 * @param journeys the journeys of the plan in these phases
 * @param targetPerSecond the rate that its open phases ask for; empty if all are closed
 */
public record Part(
        String title,
        Figures figures,
        List<OperationResult> operations,
        List<double[]> courses,
        long asked,
        long notSent,
        double sentPerSecond,
        List<Made> journeys,
        OptionalDouble targetPerSecond) {

    private static final int POINTS = 40;

    /**
     * The rate of successes, by the time in which they were due where all phases are open: a message that is waited for
     * at the end of a phase doesn't lower it.
     */
    public double succeededPerSecond() {
        return sentPerSecond == 0 || asked < figures.requests()
                ? figures.succeededPerSecond()
                : sentPerSecond * figures.succeeded() / figures.requests();
    }

    /** The same of failures. */
    public double failedPerSecond() {
        return figures.succeeded() == 0
                ? figures.failedPerSecond()
                : succeededPerSecond() * figures.failed() / figures.succeeded();
    }

    /**
     * How often a journey was made.
     *
     * @param name as in the plan
     * @param failed the number of them with a failed step
     * @param all the number of them
     */
    public record Made(String name, long failed, long all) {}

    /**
     * All that can be chosen of a run.
     *
     * @param result of a run
     * @param intervals those that are in the result
     * @return the measured phases first, then each other phase, then all; of a run of one phase, just that
     */
    public static List<Part> of(Result result, List<Interval> intervals) {
        List<PhaseResult> run = result.phases().stream()
                .filter(phase -> phase.startedAt().isPresent())
                .toList();
        List<PhaseResult> measured = run.stream()
                .filter(phase -> result.measuredPhases().contains(phase.name()))
                .toList();
        List<Part> parts = new ArrayList<>();
        boolean whole = measured.size() == run.size();
        // Where no measured phase was reached, all that ran is shown first.
        if (whole || measured.isEmpty()) {
            parts.add(of("All phases", result, run, result.totals(), intervals));
        } else {
            parts.add(of("Measured: " + names(measured), result, measured, result.measured(), intervals));
        }
        for (PhaseResult phase : run) {
            if (run.size() > 1 && !measured.equals(List.of(phase))) {
                parts.add(of(phase.name(), result, List.of(phase), phase.figures(), intervals));
            }
        }
        if (!whole && !measured.isEmpty()) {
            parts.add(of("All phases", result, run, result.totals(), intervals));
        }
        return parts;
    }

    private static String names(List<PhaseResult> phases) {
        return String.join(", ", phases.stream().map(PhaseResult::name).toList());
    }

    private static Part of(
            String title, Result result, List<PhaseResult> phases, Figures figures, List<Interval> intervals) {
        Set<String> names = new HashSet<>();
        phases.forEach(phase -> names.add(phase.name()));
        List<Interval> own =
                intervals.stream().filter(of -> names.contains(of.phase())).toList();
        List<Phase> open = result.plan().phases().stream()
                .filter(phase -> names.contains(phase.name()))
                .filter(phase -> phase.load() instanceof Load.Open)
                .toList();
        long asked = 0;
        long notSent = 0;
        double seconds = 0;
        for (Phase phase : open) {
            PhaseResult of = phases.stream()
                    .filter(one -> one.name().equals(phase.name()))
                    .findFirst()
                    .orElseThrow();
            asked += of.asked();
            notSent += of.notSent().values().stream().mapToLong(Long::longValue).sum();
            boolean fixed = result.plan().looks(phase).isEmpty();
            seconds += seconds(
                    fixed
                            ? planned(phase, of, result.interrupted())
                            : of.figures().wall());
        }
        return new Part(
                title,
                figures,
                SentNames.of(
                        result.plan(),
                        phases.size() == 1 ? phases.get(0).operations() : operations(phases, own, figures)),
                own.isEmpty() ? List.of() : courses(own),
                asked,
                notSent,
                seconds > 0 ? (asked - notSent) / seconds : 0,
                journeys(result, phases),
                seconds > 0 ? OptionalDouble.of(asked / seconds) : OptionalDouble.empty());
    }

    private static List<Made> journeys(Result result, List<PhaseResult> phases) {
        return result.plan().scenario().journeys().stream()
                .flatMap(journeys -> journeys.all().stream())
                .map(journey -> {
                    List<Figures> own = phases.stream()
                            .flatMap(phase -> phase.journeys().stream())
                            .filter(of -> of.name().equals(journey.name()))
                            .map(OperationResult::figures)
                            .toList();
                    return new Made(
                            journey.name(),
                            own.stream().mapToLong(Figures::failed).sum(),
                            own.stream().mapToLong(Figures::requests).sum());
                })
                .filter(made -> made.all() > 0)
                .toList();
    }

    /** In which time a phase's requests were due: they may end later, and a part may be cut out. */
    private static Duration planned(Phase phase, PhaseResult of, boolean interrupted) {
        Duration wall = of.figures().wall();
        if (phase.length() instanceof PhaseLength.Lasting lasting
                && (interrupted || lasting.duration().compareTo(wall) < 0)) {
            return lasting.duration();
        }
        return wall;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** No percentile of a phase can be added to that of another, but their histograms can. */
    private static List<OperationResult> operations(List<PhaseResult> phases, List<Interval> own, Figures figures) {
        if (phases.isEmpty() || own.isEmpty()) {
            return List.of();
        }
        List<Tally> sums = Tallies.sumEach(
                own.get(0).operations().size(),
                own.stream().map(Interval::operations).toList());
        return IntStream.range(0, sums.size())
                .mapToObj(i -> new OperationResult(
                        phases.get(0).operations().get(i).name(),
                        Figures.of(sums.get(i), figures.wall(), figures.inPhases()),
                        sums.get(i).slowest(),
                        sums.get(i).firstFailed()))
                .toList();
    }

    /** In the bins of the charts, so that the rest of a second isn't taken for a second. */
    private static List<double[]> courses(List<Interval> own) {
        List<List<Stretch>> points = Bins.together(Timeline.stretches(own), Stretch::phase, POINTS);
        return IntStream.range(0, own.get(0).operations().size())
                .mapToObj(i -> points.stream()
                        .mapToDouble(point -> perSecond(point, i))
                        .toArray())
                .toList();
    }

    /** Without what is between them. */
    private static double perSecond(List<Stretch> point, int operation) {
        long requests = point.stream().mapToLong(of -> of.requests(operation)).sum();
        return requests / point.stream().mapToDouble(Stretch::lengthSeconds).sum();
    }
}
