package io.phaseload.engine;

import io.phaseload.measure.Interval;
import io.phaseload.measure.recording.RequestSink;
import io.phaseload.plan.Phase;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Several listeners as one.
 *
 * @param all told in order
 */
public record Listeners(List<RunListener> all) implements RunListener {

    @Override
    public void runStarted(Instant at) {
        all.forEach(listener -> listener.runStarted(at));
    }

    @Override
    public Optional<RequestSink> requests(Phase phase) {
        List<RequestSink> sinks = all.stream()
                .flatMap(listener -> listener.requests(phase).stream())
                .toList();
        return sinks.isEmpty()
                ? Optional.empty()
                : Optional.of((started, request, trace) -> sinks.forEach(sink -> sink.take(started, request, trace)));
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        all.forEach(listener -> listener.phaseStarted(phase, users));
    }

    @Override
    public void interval(Interval interval) {
        all.forEach(listener -> listener.interval(interval));
    }

    @Override
    public void loadChanged(LoadEvent event) {
        all.forEach(listener -> listener.loadChanged(event));
    }

    @Override
    public void agentInterval(String agent, Interval interval) {
        all.forEach(listener -> listener.agentInterval(agent, interval));
    }

    @Override
    public void progress(Progress progress) {
        all.forEach(listener -> listener.progress(progress));
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        all.forEach(listener -> listener.phaseFinished(phase, wall));
    }
}
