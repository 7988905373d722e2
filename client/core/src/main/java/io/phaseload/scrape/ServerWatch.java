package io.phaseload.scrape;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.RunListener;
import io.phaseload.scrape.ServerAsker.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has each server asked once a second, from a thread of its own, and gives each interval of a run the figures of its
 * end; passes on what a run tells.
 *
 * <p>They are asked shortly before a phase's second is over, so that the answers are there when the interval ends. One
 * that isn't, or is none, leaves a gap: an interval without its figures.
 */
public final class ServerWatch implements RunListener, AutoCloseable {

    static final long SECOND = Duration.ofSeconds(1).toNanos();
    static final long AHEAD = Duration.ofMillis(100).toNanos();

    private final List<ServerAsker> servers;
    private final RunListener next;
    private volatile Stretch current;

    /**
     * Creates a watch, which starts with the run.
     *
     * @param probes ask
     * @param next receives all calls, with the servers' figures in intervals
     */
    public ServerWatch(List<ServerProbe> probes, RunListener next) {
        this.servers = probes.stream().map(ServerAsker::new).toList();
        this.next = next;
    }

    @Override
    public void runStarted(Instant at) {
        servers.forEach(ServerAsker::start);
        next.runStarted(at);
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        enter(new Stretch(System.nanoTime()));
        next.phaseStarted(phase, users);
    }

    private void enter(Stretch stretch) {
        current = stretch;
        servers.forEach(server -> server.enter(stretch));
    }

    @Override
    public void interval(Interval interval) {
        List<HostFigures> answers = servers.stream()
                .map(server -> server.take(current))
                .flatMap(Optional::stream)
                .toList();
        // At a phase's end comes the rest of a second, in which they needn't have been asked.
        if (answers.isEmpty() && interval.length().toNanos() < SECOND - AHEAD) {
            next.interval(interval);
            return;
        }
        Map<String, Double> all = new HashMap<>();
        answers.forEach(answer -> all.putAll(answer.values()));
        next.interval(interval.withServer(new HostFigures(all)));
    }

    @Override
    public void loadChanged(LoadEvent event) {
        next.loadChanged(event);
    }

    @Override
    public void progress(Progress progress) {
        next.progress(progress);
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        enter(null);
        next.phaseFinished(phase, wall);
    }

    /** Ends the threads, at once or when the answer that each waits for has arrived. */
    @Override
    public void close() {
        servers.forEach(ServerAsker::close);
    }
}
