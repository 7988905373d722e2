package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The course of one run, whatever its users are: phases one after another, until it is stopped. */
public final class RunCourse {

    private final Plan plan;
    private final RunListener listener;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean stop = new AtomicBoolean();
    private volatile PhaseCourse current;

    /**
     * Makes the course of a run that has not begun.
     *
     * @param plan what to run
     * @param listener hears how it goes
     */
    public RunCourse(Plan plan, RunListener listener) {
        this.plan = plan;
        this.listener = listener;
    }

    /**
     * Runs all phases, as {@link Engine#run()} says.
     *
     * @param engine what runs it
     * @param users makes the users of a phase, which have not begun
     * @return what was measured
     * @throws IllegalStateException if it is called a second time
     */
    public Measurement run(EngineUse engine, Function<PhaseCourse, PhaseUsers> users) {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("a run is run once");
        }
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        Optional<Throwable> fault = tellStart(startedAt);
        Reachability reachability = new Reachability(plan.engine().keepGoing(), startNanos);
        List<PhaseMeasurement> phases = new ArrayList<>();
        for (Phase phase : plan.phases()) {
            PhaseCourse course =
                    new PhaseCourse(plan, phase, stop, listener, reachability, startNanos);
            if (stop.get()) {
                phases.add(
                        course.notStarted(
                                fault.isPresent() ? "client fault" : reachability.reasonToStop()));
                continue;
            }
            current = course;
            phases.add(course.run(users.apply(course)));
            fault = course.fault();
        }
        return new Measurement(
                engine,
                startedAt,
                Duration.ofNanos(System.nanoTime() - startNanos),
                List.copyOf(phases),
                stop.get() && fault.isEmpty() && !reachability.gaveUp(),
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

    /** Ends the run, as {@link Engine#stop()} says. */
    public void stop() {
        stop.set(true);
        PhaseCourse running = current;
        if (running != null) {
            running.drain();
        }
    }
}
