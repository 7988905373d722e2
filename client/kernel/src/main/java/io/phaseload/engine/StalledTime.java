package io.phaseload.engine;

import io.phaseload.health.Span;
import io.phaseload.measure.Interval;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The intervals with requests that client stalls affected. */
public final class StalledTime {

    private StalledTime() {}

    /**
     * Finds those of a phase.
     *
     * @param intervals in their order
     * @return from the run's start; adjacent ones are joined
     */
    public static List<Span> of(List<Interval> intervals) {
        List<Span> stalled = new ArrayList<>();
        intervals.forEach(interval -> add(interval, stalled));
        return stalled;
    }

    static void add(Interval interval, List<Span> stalled) {
        boolean affected = interval.operations().stream()
                .anyMatch(tally -> tally.histogram(Timing.STALLED).getTotalCount() > 0);
        if (!affected) {
            return;
        }
        Duration end = interval.start().plus(interval.length());
        int last = stalled.size() - 1;
        if (last >= 0 && stalled.get(last).to().compareTo(interval.start()) >= 0) {
            stalled.set(last, new Span(stalled.get(last).from(), end));
        } else {
            stalled.add(new Span(interval.start(), end));
        }
    }
}
