package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Interval;
import io.phaseload.run.RunListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what a rule needs of each interval: some numbers rather than its histograms. To be read when the run has ended.
 */
public final class SeriesRecorder implements RunListener {

    private final Map<String, List<Second>> byPhase = new HashMap<>();

    /** One that has heard of intervals. */
    public static SeriesRecorder of(List<Interval> intervals) {
        SeriesRecorder recorder = new SeriesRecorder();
        intervals.forEach(recorder::interval);
        return recorder;
    }

    @Override
    public void interval(Interval interval) {
        byPhase.computeIfAbsent(interval.phase(), phase -> new ArrayList<>()).add(Second.of(interval));
    }

    /** The seconds of a phase, in order; none if it wasn't reached. */
    public List<Second> of(String phase) {
        return List.copyOf(byPhase.getOrDefault(phase, List.of()));
    }
}
