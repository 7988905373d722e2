package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.http.Connector;
import io.phaseload.http.PreparedRequest;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a plan's phases one after another with one thread a user. One-shot: {@link #run()} is called
 * once; {@link #stop()} by any thread, any number of times.
 */
public final class ThreadEngine {

    private final Plan plan;
    private final RunListener listener;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean stop = new AtomicBoolean();
    private volatile PhaseRun current;

    /**
     * Makes an engine for one run.
     *
     * @param plan what to run
     * @param listener hears how it goes
     * @throws IllegalArgumentException if the plan wants virtual threads and this JDK has none
     */
    public ThreadEngine(Plan plan, RunListener listener) {
        if (plan.virtualThreads() && !UserThreads.virtualSupported()) {
            throw new IllegalArgumentException(
                    "virtual threads: expected JDK 21 or later, this is JDK "
                            + Runtime.version().feature());
        }
        this.plan = plan;
        this.listener = listener;
    }

    /**
     * Runs all phases and returns what was measured, also if it was stopped, or the thread was
     * interrupted (which ends the run as a stop does; the thread's interrupt flag is set again).
     *
     * @return what was measured
     * @throws IllegalStateException if it is called a second time
     */
    public Measurement run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("a run is run once");
        }
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        Optional<Throwable> fault = tellStart(startedAt);
        Connector connector = new Connector(plan.target());
        List<PreparedRequest> requests =
                plan.scenario().operations().stream()
                        .map(operation -> new PreparedRequest(plan.target(), operation))
                        .toList();
        List<PhaseMeasurement> phases = new ArrayList<>();
        for (Phase phase : plan.phases()) {
            PhaseRun run = new PhaseRun(plan, phase, stop, listener, startNanos);
            if (stop.get()) {
                phases.add(run.notStarted(fault.isPresent() ? "client fault" : "interrupted"));
                continue;
            }
            current = run;
            phases.add(run.run(connector, requests));
            fault = run.fault();
        }
        return new Measurement(
                startedAt,
                Duration.ofNanos(System.nanoTime() - startNanos),
                List.copyOf(phases),
                stop.get() && fault.isEmpty(),
                fault);
    }

    private Optional<Throwable> tellStart(Instant startedAt) {
        try {
            listener.runStarted(startedAt);
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            // Whatever it is, the run is still one whose books are kept.
            stop.set(true);
            return Optional.of(e);
        }
    }

    /**
     * Ends the run: no more requests are sent, those in flight may end within five seconds, and
     * {@link #run()} returns what was measured.
     */
    public void stop() {
        stop.set(true);
        PhaseRun running = current;
        if (running != null) {
            running.drain();
        }
    }
}
