package io.phaseload.engine;

import io.phaseload.measure.recording.RequestSink;
import io.phaseload.plan.Phase;
import io.phaseload.run.RunListener;
import io.phaseload.user.Reachability;
import io.phaseload.user.UnsentReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Whether a run goes on: its stop, its fault, and its drain. Thread-safe. */
public final class RunControl {

    /** How long requests in flight may go on after a stop. */
    public static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

    private final RunListener listener;
    private final Reachability target;
    private final CompletableFuture<Void> stop = new CompletableFuture<>();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private volatile Consumer<Duration> drain = limit -> {};
    private volatile boolean phaseOver;

    RunControl(RunListener listener, Reachability target) {
        this.listener = listener;
        this.target = target;
    }

    /**
     * Whether no more requests are to be sent.
     *
     * @return {@code true} once the run was stopped, or its phase
     */
    public boolean stopped() {
        return phaseOver || stop.isDone();
    }

    /** Whether the run was stopped. */
    boolean runStopped() {
        return stop.isDone();
    }

    /** Whether the phase was stopped, and the run wasn't. */
    boolean skipped() {
        return phaseOver && !runStopped();
    }

    /** Ends the phase that runs as {@link #stop} ends the run. */
    void skip() {
        phaseOver = true;
        drain.accept(DRAIN_LIMIT);
    }

    /** Ends the run at once: requests in flight are cut off. */
    void abort() {
        stop.complete(null);
        drain.accept(Duration.ZERO);
    }

    /**
     * Ends the run because the client itself can't go on; what was measured is kept.
     *
     * @param why the cause; only the first one is kept
     */
    public void fail(Throwable why) {
        fault.compareAndSet(null, why);
        stop();
    }

    /** Stops sending; requests in flight may go on for {@link #DRAIN_LIMIT}. */
    void stop() {
        stop.complete(null);
        // Users that are created later see the stop.
        drain.accept(DRAIN_LIMIT);
    }

    /** A phase begins: sets how to drain its users. */
    void drainBy(Consumer<Duration> current) {
        phaseOver = false;
        drain = current;
    }

    /** Whether the target can be reached. */
    public Reachability target() {
        return target;
    }

    /** Reports an event to the listener; an exception from it ends the run, and what was measured is kept. */
    synchronized void report(Consumer<RunListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** The listener's sink of a phase's requests. */
    Optional<RequestSink> requests(Phase phase) {
        return listener.requests(phase);
    }

    /** Waits for a start gate; returns false if the run is stopped, possibly before the gate opens. */
    boolean awaitOpen(CompletionStage<Void> gate) throws InterruptedException {
        try {
            CompletableFuture.anyOf(gate.toCompletableFuture(), stop).get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            throw new IllegalStateException("start gate: " + why, cause);
        }
        return !stopped();
    }

    /** Why the run could not go on. */
    Optional<Throwable> fault() {
        return Optional.ofNullable(fault.get());
    }

    /** Whether the run was stopped before its end. */
    boolean interrupted() {
        return runStopped() && fault().isEmpty() && !target.gaveUp();
    }

    /** Why a stopped run or phase didn't send its remaining requests. */
    UnsentReason reason() {
        if (fault().isPresent()) {
            return UnsentReason.CLIENT_FAULT;
        }
        if (skipped()) {
            return UnsentReason.SKIPPED;
        }
        return target.gaveUp() ? UnsentReason.UNREACHABLE : UnsentReason.INTERRUPTED;
    }
}
