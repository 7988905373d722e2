package io.phaseload.cluster;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import io.phaseload.user.PhaseSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adds up the seconds of agents, without loss, and reports them like one client. For one thread. */
final class IntervalMerger {

    private final Plan plan;
    private final RunListener listener;
    private final int operations;
    // By phase: what came since the last second was reported; late ones may be of an earlier phase.
    private final Map<String, List<Tally>> sums = new LinkedHashMap<>();
    private HostFigures clients = HostFigures.GAP;
    private Optional<HostFigures> server = Optional.empty();
    private Duration phaseStart = Duration.ZERO;
    private Duration reported = Duration.ZERO;
    private long sent;
    private long failed;

    IntervalMerger(Plan plan, RunListener listener) {
        this.plan = plan;
        this.listener = listener;
        this.operations = plan.scenario().operations().size();
    }

    /** A phase begins, so long after the run. */
    void begin(Duration sinceRun) {
        phaseStart = sinceRun;
        reported = Duration.ZERO;
        sent = 0;
        failed = 0;
    }

    /** Adds a second of an agent. */
    void add(String agent, Interval interval) {
        List<Tally> sum = sums.computeIfAbsent(interval.phase(), name -> newSum());
        Tallies.addEach(sum.subList(0, operations), interval.operations());
        Tallies.addEach(sum.subList(operations, sum.size()), interval.journeys());
        clients = clients.and(interval.client().of(agent));
        server = interval.server().or(() -> server);
    }

    /** Reports what came since the last time. */
    void report(Phase phase, Duration elapsed) {
        Tally all = new Tally();
        sums.computeIfAbsent(phase.name(), name -> newSum());
        for (Map.Entry<String, List<Tally>> sum : sums.entrySet()) {
            List<Tally> tallies = sum.getValue();
            Interval interval = new Interval(
                    sum.getKey(),
                    phaseStart.plus(reported),
                    elapsed.minus(reported),
                    tallies.subList(0, operations),
                    tallies.subList(operations, tallies.size()),
                    clients,
                    server);
            listener.interval(interval);
            all.add(Tallies.sum(interval.operations()));
            clients = HostFigures.GAP;
            server = Optional.empty();
        }
        sums.clear();
        sent += all.requests();
        failed += all.failed();
        double seconds = elapsed.minus(reported).toNanos() / 1e9;
        reported = elapsed;
        listener.progress(new RunListener.Progress(
                phase,
                done(phase, elapsed),
                elapsed,
                seconds == 0 ? 0 : all.requests() / seconds,
                Duration.ofNanos(all.histogram(Timing.RESPONSE).getValueAtPercentile(99)),
                failed));
    }

    private double done(Phase phase, Duration elapsed) {
        if (phase.length() instanceof PhaseLength.Lasting lasting) {
            return Math.min(1, (double) elapsed.toNanos() / lasting.duration().toNanos());
        }
        return Math.min(1, (double) sent / new PhaseSettings(plan, phase).asked());
    }

    /** Of operations, then of what is timed as a whole. */
    private List<Tally> newSum() {
        return Tallies.newList(operations + plan.scenario().timed().size());
    }
}
