package io.phaseload.metrics;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sums of a run so far, by phase and operation. Thread-safe. */
final class RunTotals implements RunListener {

    private static final double NANOS = 1e9;

    private record NameInPhase(String phase, String name) {}

    private static final class Sums {

        private long requests;
        private final Map<String, Long> failures = new TreeMap<>();
        private final Distribution response = new Distribution();
        private final Distribution service = new Distribution();

        void add(Tally tally) {
            requests += tally.requests();
            tally.causes().forEach((cause, of) -> failures.merge(cause, of.count(), Long::sum));
            response.add(tally.histogram(Timing.RESPONSE));
            service.add(tally.histogram(Timing.SERVICE));
        }
    }

    private final List<String> operations;
    private final List<String> journeys;
    // Guarded by this, all of them.
    private final Map<NameInPhase, Sums> requests = new LinkedHashMap<>();
    private final Map<NameInPhase, Sums> spans = new LinkedHashMap<>();
    private String phase = "";
    private int users;
    private double perSecond;

    RunTotals(Plan plan) {
        operations = Operation.namesInResult(plan.scenario().operations());
        journeys = plan.scenario().timed();
    }

    @Override
    public synchronized void phaseStarted(Phase started, int count) {
        phase = started.name();
        users = count;
    }

    @Override
    public synchronized void interval(Interval interval) {
        add(requests, interval.phase(), operations, interval.operations());
        add(spans, interval.phase(), journeys, interval.journeys());
        long ended = interval.operations().stream().mapToLong(Tally::requests).sum();
        perSecond = interval.length().isZero()
                ? 0
                : ended * NANOS / interval.length().toNanos();
    }

    private static void add(Map<NameInPhase, Sums> sums, String phase, List<String> names, List<Tally> tallies) {
        for (int i = 0; i < tallies.size(); i++) {
            sums.computeIfAbsent(new NameInPhase(phase, names.get(i)), any -> new Sums())
                    .add(tallies.get(i));
        }
    }

    @Override
    public synchronized void phaseFinished(Phase finished, Duration wall) {
        users = 0;
        perSecond = 0;
    }

    /** {@return the operations of all phases so far} */
    synchronized List<Series> operations() {
        return series(requests);
    }

    /** {@return the journeys and groups of steps of all phases so far} */
    synchronized List<Series> journeys() {
        return series(spans);
    }

    private static List<Series> series(Map<NameInPhase, Sums> sums) {
        return sums.entrySet().stream()
                .map(of -> new Series(
                        of.getKey().phase(),
                        of.getKey().name(),
                        of.getValue().requests,
                        Map.copyOf(of.getValue().failures),
                        of.getValue().response.copy(),
                        of.getValue().service.copy()))
                .toList();
    }

    /** {@return the phase that runs, or the last one that did; empty before the first one} */
    synchronized String phase() {
        return phase;
    }

    /** {@return its users; 0 between phases} */
    synchronized int users() {
        return users;
    }

    /** {@return the requests a second of the last interval; 0 between phases} */
    synchronized double perSecond() {
        return perSecond;
    }
}
