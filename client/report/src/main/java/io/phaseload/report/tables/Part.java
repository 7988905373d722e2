package io.phaseload.report.tables;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
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
 * @param users the most that any of its phases has
 * @param figures of all operations
 * @param operations of each, in the plan's order, with the paths that were sent
 * @param courses requests per second of each operation over time, in at most {@value #POINTS} points; empty without
 *     intervals
 * @param asked requests that its open phases asked for; 0 if all are closed
 * @param notSent the number of them that weren't sent
 * @param targetPerSecond the rate that its open phases ask for; empty if all are closed
 */
public record Part(
        String title,
        int users,
        Figures figures,
        List<OperationResult> operations,
        List<double[]> courses,
        long asked,
        long notSent,
        OptionalDouble targetPerSecond) {

    private static final int POINTS = 40;

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
        parts.add(of(
                whole ? "All phases" : "Measured phases: " + names(measured),
                result,
                measured,
                result.measured(),
                intervals));
        for (PhaseResult phase : run) {
            if (run.size() > 1 && !measured.equals(List.of(phase))) {
                parts.add(of(phase.name(), result, List.of(phase), phase.figures(), intervals));
            }
        }
        if (!whole) {
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
            seconds += seconds(planned(phase, of, result.interrupted()));
        }
        return new Part(
                title,
                phases.stream().mapToInt(PhaseResult::threads).max().orElse(0),
                figures,
                SentNames.of(
                        result.plan(),
                        phases.size() == 1 ? phases.get(0).operations() : operations(phases, own, figures)),
                own.isEmpty() ? List.of() : courses(own),
                asked,
                notSent,
                seconds > 0 ? OptionalDouble.of(asked / seconds) : OptionalDouble.empty());
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

    private static List<double[]> courses(List<Interval> own) {
        int together = (own.size() + POINTS - 1) / POINTS;
        List<double[]> courses = new ArrayList<>();
        for (int i = 0; i < own.get(0).operations().size(); i++) {
            double[] course = new double[(own.size() + together - 1) / together];
            for (int point = 0; point < course.length; point++) {
                List<Interval> some = own.subList(point * together, Math.min((point + 1) * together, own.size()));
                double requests = 0;
                double seconds = 0;
                for (Interval interval : some) {
                    requests += interval.operations().get(i).requests();
                    seconds += seconds(interval.length());
                }
                course[point] = seconds > 0 ? requests / seconds : 0;
            }
            courses.add(course);
        }
        return courses;
    }
}
