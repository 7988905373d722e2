package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.journey.JourneyData;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.EngineUse;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Reachability;
import io.phaseload.user.UnsentReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Runs a plan's phases one after another until it is stopped, for any engine. {@link #run} is called once;
 * {@link #stop()} by any thread, any number of times.
 */
public final class RunController {

    private final Plan plan;
    private final RunControl control;
    private final AtomicBoolean started = new AtomicBoolean();
    // The time of the phases that have ended, without waits for a start gate.
    private long phasesNanos;

    /**
     * Creates a run that hasn't begun.
     *
     * @param listener told of its progress
     */
    public RunController(Plan plan, RunListener listener) {
        this.plan = plan;
        this.control = new RunControl(listener, new Reachability(plan.engine().keepGoing()));
    }

    /**
     * Runs all phases, as {@link Engine#run(StartGate)} says.
     *
     * @param engine the engine that runs it
     * @param gate holds each phase's start
     * @param users creates the users of a phase
     * @throws IllegalStateException if it is called again
     */
    public Measurement run(EngineUse engine, StartGate gate, Function<PhaseRun, PhaseUsers> users) {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("a run can be run only once");
        }
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        control.tell(heard -> heard.runStarted(startedAt));
        List<PhaseMeasurement> phases = new ArrayList<>();
        Optional<JourneyData> data = openData();
        for (Phase phase : plan.phases()) {
            PhaseSettings settings = new PhaseSettings(plan, phase);
            phases.add(
                    control.stopped()
                            ? PhaseAccounting.notStarted(settings, control.reason())
                            : run(PhaseRun.of(settings, control, data, startNanos), gate, users));
        }
        data.ifPresent(JourneyData::close);
        return new Measurement(
                engine,
                startedAt,
                Duration.ofNanos(System.nanoTime() - startNanos),
                List.copyOf(phases),
                control.interrupted(),
                control.fault());
    }

    private Optional<JourneyData> openData() {
        try {
            return plan.scenario().journeys().map(journeys -> JourneyData.open(plan, System.getenv()));
        } catch (IllegalArgumentException e) {
            control.fail(e);
            return Optional.empty();
        }
    }

    /** Ends the run, as {@link Engine#stop()} says. */
    public void stop() {
        control.stop();
    }

    private PhaseMeasurement run(PhaseRun phase, StartGate gate, Function<PhaseRun, PhaseUsers> engine) {
        PhaseUsers users = engine.apply(phase);
        control.drainBy(users::drain);
        boolean interrupted = false;
        try {
            users.ready();
            if (control.awaitOpen(gate.ready(phase.settings().phase()))) {
                phase.accounting().startAt(gate.startAt(phase.settings().phase()));
                users.release();
                gate.started(phase.settings().phase(), phase.accounting().startNanos());
                watch(phase, users);
            }
        } catch (InterruptedException e) {
            control.stop();
            interrupted = true;
        } catch (RuntimeException | Error e) {
            // Whatever it is: the users must still be joined, and the measurements kept.
            control.fail(e);
        } finally {
            users.close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return measured(phase, users);
    }

    /** Reports the phase's progress until all users have ended. */
    private void watch(PhaseRun phase, PhaseUsers users) throws InterruptedException {
        PhaseSettings settings = phase.settings();
        control.tell(heard -> heard.phaseStarted(settings.phase(), settings.users()));
        try (Ticker ticker = startTicker(phase, users)) {
            users.await();
        }
    }

    private Ticker startTicker(PhaseRun phase, PhaseUsers users) {
        PhaseAccounting accounting = phase.accounting();
        try {
            accounting.startWatch();
            return new Ticker(accounting.startNanos(), elapsed -> tick(accounting, users, elapsed));
        } catch (OutOfMemoryError e) {
            throw new NoThreadException("no thread to record the intervals", e);
        }
    }

    private void tick(PhaseAccounting accounting, PhaseUsers users, long elapsedNanos) {
        Interval interval = accounting.closeInterval(
                users.recorder().nextInterval(), users.lag(), users.connections(), users.pool(), elapsedNanos);
        control.tell(heard -> heard.interval(interval));
        RunListener.Progress progress = accounting.progress(interval);
        control.tell(heard -> heard.progress(progress));
        if (control.target().givesUp(phasesNanos + elapsedNanos)) {
            control.stop();
        }
    }

    private PhaseMeasurement measured(PhaseRun phase, PhaseUsers users) {
        PhaseAccounting accounting = phase.accounting();
        accounting.endWatch();
        if (!accounting.started()) {
            return PhaseAccounting.notStarted(phase.settings(), control.reason());
        }
        Interval last = accounting.closeLastInterval(users.recorder().nextInterval());
        control.tell(heard -> heard.interval(last));
        PhaseMeasurement measured = accounting.measured(
                users.recorder().totals(),
                users.recorder().sample(accounting.startNanos()),
                control.stopped() ? control.reason() : UnsentReason.QUEUED);
        phasesNanos += measured.wall().toNanos();
        control.tell(heard -> heard.phaseFinished(measured.phase(), measured.wall()));
        return measured;
    }
}
