package io.phaseload.result.build;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Figures;
import io.phaseload.result.ThresholdResult;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Ends a run as soon as a threshold with {@code abort} doesn't hold over the last 10 seconds of the phases that it is
 * about. It does nothing before these have lasted that long, or if a percentile has too few samples in that time.
 * {@link #breach()} and {@link #close()} may be called by any thread.
 */
public final class AbortWatch implements RunListener, AutoCloseable {

    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final List<RecentSeconds> windows;
    private final Runnable stop;
    private volatile ThresholdResult breach;
    private volatile boolean closed;

    /**
     * Creates a watch for a run.
     *
     * @param plan the plan
     * @param stop ends the run; called at most once
     */
    public AbortWatch(Plan plan, Runnable stop) {
        this.stop = stop;
        List<Threshold> named = plan.thresholdsInResult();
        List<String> names = plan.scenario().namesInResult();
        List<String> measured = plan.measuredPhases();
        this.windows = named.stream()
                .filter(Threshold::abort)
                .map(threshold -> new RecentSeconds(
                        threshold,
                        threshold.phases(measured),
                        threshold.operation().map(names::indexOf).orElse(-1)))
                .toList();
    }

    @Override
    public void interval(Interval interval) {
        for (RecentSeconds window : windows) {
            Optional<ThresholdResult> breached = window.add(interval);
            if (breached.isPresent() && breach == null && !closed) {
                breach = breached.get();
                stop.run();
            }
        }
    }

    /**
     * The breach that ended the run.
     *
     * @return the threshold's result over its last 10 seconds; empty if none ended the run
     */
    public Optional<ThresholdResult> breach() {
        return Optional.ofNullable(breach);
    }

    /** Stops watching: something else has ended the run. */
    @Override
    public void close() {
        closed = true;
    }

    /** The last seconds of what a threshold is about. Owned by the thread that delivers intervals. */
    private static final class RecentSeconds {

        private record WatchedPart(Duration length, Tally tally) {}

        private final Threshold threshold;
        private final List<String> phases;
        private final int operation;
        private final Deque<WatchedPart> parts = new ArrayDeque<>();
        private Duration length = Duration.ZERO;

        RecentSeconds(Threshold threshold, List<String> phases, int operation) {
            this.threshold = threshold;
            this.phases = phases;
            this.operation = operation;
        }

        Optional<ThresholdResult> add(Interval interval) {
            if (!phases.contains(interval.phase())) {
                return Optional.empty();
            }
            parts.add(new WatchedPart(
                    interval.length(), Scope.pick(interval.operations(), interval.journeys(), operation)));
            length = length.plus(interval.length());
            while (length.minus(parts.element().length()).compareTo(WINDOW) >= 0) {
                length = length.minus(parts.remove().length());
            }
            return length.compareTo(WINDOW) < 0 ? Optional.empty() : judge();
        }

        private Optional<ThresholdResult> judge() {
            Tally sum = Tallies.sum(parts.stream().map(WatchedPart::tally).toList());
            ThresholdResult judged = ThresholdResult.of(threshold, Figures.of(sum, length));
            return judged.passed() || judged.reason().isPresent()
                    ? Optional.empty()
                    : Optional.of(judged.ending(length));
        }
    }
}
