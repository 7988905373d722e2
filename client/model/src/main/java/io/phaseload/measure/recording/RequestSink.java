package io.phaseload.measure.recording;

import io.phaseload.measure.TraceContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Receives each request of a phase as it ends. */
@FunctionalInterface
public interface RequestSink {

    /**
     * Takes a request. Threads of users call it, several at once, between two requests: it must return at once.
     *
     * @param phaseStarted the phase's start, from which the request's times count
     * @param request the request
     * @param trace its place in a trace; {@code null} without one
     */
    void take(Instant phaseStarted, SampledRequest request, @Nullable TraceContext trace);
}
