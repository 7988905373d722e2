package io.phaseload.ab;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.result.Result;
import io.phaseload.result.store.StoredRun;
import io.phaseload.stats.series.SteadyState;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One run of a comparison, in its steady part (see {@link SteadyState}). A run that doesn't become steady counts from
 * where it is steadiest; one of fewer than {@value SteadyState#LEAST} seconds counts from its second on, since users
 * connect in the first one.
 *
 * @param block from 1; 0 for a run that warms up and doesn't count
 * @param arm its subject
 * @param folder its results folder within that of the comparison
 * @param startedAt the time when it began
 * @param seconds its length with all that belongs to it, such as starting the target
 * @param fromSeconds the beginning of the part that counts, from that of the measured load
 * @param steady true if that part is steady; empty if the run is too short for the test
 * @param requests the requests of the steady part
 * @param failed those of them that failed
 * @param verdict on the whole run's measurement
 * @param figures by their keys, in their units; unknown figures are missing
 */
public record AbRun(
        int block,
        Arm arm,
        String folder,
        Instant startedAt,
        double seconds,
        double fromSeconds,
        Optional<Boolean> steady,
        long requests,
        long failed,
        Verdict.Status verdict,
        Map<String, Double> figures) {

    /** Keeps the figures from being changed. */
    public AbRun {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }

    /** The part of a run that counts. */
    private record Part(Duration from, Optional<Boolean> steady) {

        /** Of several phases with different loads, all count. */
        static Part of(List<Interval> measured) {
            double[] medians = measured.stream()
                    .mapToDouble(interval ->
                            Tallies.sum(interval.operations(), Timing.RESPONSE).getValueAtPercentile(50))
                    .toArray();
            Optional<SteadyState> state = SteadyState.of(medians);
            int from = state.map(SteadyState::from).orElse(measured.size() > 3 ? 1 : 0);
            return measured.isEmpty()
                    ? new Part(Duration.ZERO, Optional.empty())
                    : new Part(measured.get(from).start(), state.map(SteadyState::reached));
        }
    }

    /**
     * Makes one of a run's results.
     *
     * @param block from 1; 0 for a run that doesn't count
     * @param arm its subject
     * @param folder its results folder within that of the comparison
     * @param length its length with all that belongs to it
     * @param run as it was read from its folder
     * @return the run
     */
    public static AbRun of(int block, Arm arm, String folder, Duration length, StoredRun run) {
        Result whole = run.result();
        List<Interval> measured = run.intervals().stream()
                .filter(interval -> whole.measuredPhases().contains(interval.phase()))
                .toList();
        Part part = whole.measuredPhases().size() == 1 ? Part.of(measured) : new Part(Duration.ZERO, Optional.empty());
        Result result = run.result(interval -> interval.start().compareTo(part.from()) >= 0);
        Map<String, Double> figures = new TreeMap<>();
        for (AbFigure figure : AbFigure.values()) {
            figure.of(result).ifPresent(value -> figures.put(figure.key(), value));
        }
        Duration begin = measured.isEmpty() ? Duration.ZERO : measured.get(0).start();
        return new AbRun(
                block,
                arm,
                folder,
                whole.startedAt(),
                length.toMillis() / 1e3,
                Math.max(0, part.from().minus(begin).toMillis() / 1e3),
                part.steady(),
                result.measured().requests(),
                result.measured().failed(),
                whole.verdict().status(),
                figures);
    }

    /**
     * One of its figures.
     *
     * @param figure the figure
     * @return in its unit; empty if unknown
     */
    public Optional<Double> value(AbFigure figure) {
        return Optional.ofNullable(figures.get(figure.key()));
    }
}
