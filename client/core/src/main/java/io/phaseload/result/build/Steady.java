package io.phaseload.result.build;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.result.SteadyPhase;
import io.phaseload.stats.series.SteadyState;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Finds phases whose mean throughput describes no moment. */
final class Steady {

    /** Of a third of the phase: three of each apart happen by chance once in twenty times. */
    private static final int LEAST_SECONDS = 3;

    /** Less may be noise of a busy machine. */
    private static final double LEAST_FACTOR = 1.5;

    /** In standard errors: with a deviation of a quarter from second to second, once in 10,000 phases by chance. */
    private static final double LEAST_DIFFERENCE = 6;

    /** A shorter phase isn't long enough for a warm-up and a steady part. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private Steady() {}

    /**
     * Judges a phase of which users ask again as soon as they are answered, and neither come nor go: otherwise the plan
     * itself may change the rate. Each second of its last third must have a higher rate than each of its first, or a
     * lower one, so that a pause of the target doesn't count.
     */
    static Optional<Finding> judge(PhaseSeries phase) {
        List<Second> seconds = phase.steady();
        int third = seconds.size() / 3;
        if (third < LEAST_SECONDS || !phase.isAtOnce() || !phase.isConstant()) {
            return Optional.empty();
        }
        Third first = Third.of(seconds.subList(0, third));
        Third last = Third.of(seconds.subList(seconds.size() - third, seconds.size()));
        Third fast = first.mean() < last.mean() ? last : first;
        Third slow = fast == first ? last : first;
        boolean apart = fast.least() > slow.most() && fast.mean() >= LEAST_FACTOR * slow.mean();
        double error = Math.sqrt((fast.variance() + slow.variance()) / third);
        return !apart || fast.mean() - slow.mean() < LEAST_DIFFERENCE * error || first.mean() == 0
                ? Optional.empty()
                : Optional.of(Rule.UNSTEADY.in(
                        Wording.REQUESTS, phase.name(), last.mean() / first.mean(), last.mean(), first.mean()));
    }

    /**
     * The beginning of the steady part of a long phase whose load is constant: of its throughput, if users ask again as
     * soon as they are answered, and of its median time.
     */
    static Optional<SteadyPhase> part(PhaseSeries phase) {
        List<Second> seconds = phase.steady();
        if (phase.wall().compareTo(LONG) < 0 || !phase.isConstant()) {
            return Optional.empty();
        }
        Optional<SteadyPhase> times = part(phase, "median", seconds, Second::medianNanos);
        Optional<SteadyPhase> rate = phase.isAtOnce()
                ? part(phase, "throughput", seconds, of -> of.perSecond(of.succeeded()))
                : Optional.empty();
        return Stream.of(times, rate)
                .flatMap(Optional::stream)
                .max(Comparator.comparing((SteadyPhase of) -> !of.reached()).thenComparing(SteadyPhase::fromSeconds));
    }

    private static Optional<SteadyPhase> part(
            PhaseSeries phase, String figure, List<Second> seconds, ToDoubleFunction<Second> value) {
        return SteadyState.of(seconds.stream().mapToDouble(value).toArray())
                .map(state -> new SteadyPhase(
                        phase.name(),
                        figure,
                        state.reached(),
                        state.from() == 0
                                ? 0
                                : seconds.get(state.from()).start().toNanos() / 1e9 - phase.startSeconds(),
                        100 * state.trend()));
    }

    /** The rates of some seconds; counts vary by their square roots at least. */
    private record Third(double mean, double variance, double least, double most) {

        static Third of(List<Second> seconds) {
            DoubleSummaryStatistics rates = seconds.stream()
                    .mapToDouble(of -> of.perSecond(of.succeeded()))
                    .summaryStatistics();
            double mean = rates.getAverage();
            double squares = seconds.stream()
                    .mapToDouble(of -> Math.pow(of.perSecond(of.succeeded()) - mean, 2))
                    .sum();
            return new Third(mean, Math.max(mean, squares / (seconds.size() - 1)), rates.getMin(), rates.getMax());
        }
    }
}
