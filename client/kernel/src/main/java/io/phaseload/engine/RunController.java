package io.phaseload.engine;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.journey.JourneyData;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Load;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.EngineUse;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.LoadState;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Reachability;
import io.phaseload.user.Throttle;
import io.phaseload.user.UnsentReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs a plan's phases one after another until it is stopped, for any engine. {@link #run} is called once;
 * {@link #stop()} by any thread, any number of times.
 */
public final class RunController implements Steering {

    /** From a change to the time at which it takes effect: longer than users sleep. */
    private static final long LEAD_NANOS = Duration.ofMillis(50).toNanos();

    /** The phase that runs. */
    private record Running(PhaseRun phase, PhaseUsers users, Ticker ticker) {}

    private final Plan plan;
    private final RunControl control;
    private final AtomicBoolean started = new AtomicBoolean();
    // The time of the phases that have ended, without waits for a start gate.
    private long phasesNanos;
    private volatile long startNanos = System.nanoTime();
    private volatile Optional<Running> running = Optional.empty();
    // Guarded by this.
    private final List<LoadEvent> changes = new ArrayList<>();

    /**
     * Creates a run that hasn't begun.
     *
     * @param listener receives its progress
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
        startNanos = System.nanoTime();
        control.report(to -> to.runStarted(startedAt));
        List<PhaseMeasurement> phases = new ArrayList<>();
        Optional<JourneyData> data = openData();
        for (Phase phase : plan.phases()) {
            PhaseSettings settings = new PhaseSettings(plan, phase);
            phases.add(
                    control.runStopped()
                            ? PhaseAccounting.notStarted(settings, control.reason())
                            : run(PhaseRun.of(settings, control, data, startNanos), gate, users));
        }
        if (data.isPresent()) {
            data.get().close();
        }
        return new Measurement(
                engine,
                startedAt,
                Duration.ofNanos(System.nanoTime() - startNanos),
                List.copyOf(phases),
                control.interrupted(),
                control.fault(),
                changes());
    }

    private synchronized List<LoadEvent> changes() {
        return List.copyOf(changes);
    }

    private Optional<JourneyData> openData() {
        try {
            return plan.scenario().journeys().isPresent()
                    ? Optional.of(JourneyData.open(plan, System.getenv()))
                    : Optional.empty();
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
        try (Ticker ticker = begin(phase, users)) {
            users.await();
        } finally {
            over();
        }
    }

    /** A change that is asked for as soon as the phase is reported waits until it can be made. */
    private synchronized Ticker begin(PhaseRun phase, PhaseUsers users) {
        PhaseSettings settings = phase.settings();
        control.report(to -> to.phaseStarted(settings.phase(), settings.users()));
        Ticker ticker = startTicker(phase, users);
        Running now = new Running(phase, users, ticker);
        running = Optional.of(now);
        settings.plan().changes(settings.phase()).forEach(change -> expect(change, now));
        return ticker;
    }

    /** Waits for a change under way: it must not reach the next phase. */
    private synchronized void over() {
        running = Optional.empty();
    }

    /** A change that the plan has. */
    private void expect(LoadChange change, Running now) {
        if (change.kind() == Kind.NEXT) {
            long left = change.at().toNanos() - (System.nanoTime() - now.phase.startNanos());
            CompletableFuture.delayedExecutor(left, TimeUnit.NANOSECONDS).execute(() -> {
                if (running.filter(now::equals).isPresent()) {
                    steer(Kind.NEXT, "", LoadEvent.PLANNED);
                }
            });
        } else {
            long at = change.at().toNanos();
            add(new LoadEvent(
                    Duration.ofNanos(now.phase.startNanos() - startNanos + at),
                    change,
                    now.phase.throttle().level(at - 1),
                    LoadEvent.PLANNED));
        }
    }

    private synchronized void add(LoadEvent event) {
        changes.add(event);
        control.report(to -> to.loadChanged(event));
    }

    @Override
    public synchronized LoadEvent steer(Kind kind, String to, String origin) {
        Optional<Running> now = running;
        if (now.isEmpty() && !kind.endsRun()) {
            throw new IllegalArgumentException(kind.key() + ": expected a phase that runs");
        }
        String phase = now.map(of -> of.phase.settings().phase().name()).orElse("");
        LoadChange wanted = new LoadChange(phase, Duration.ZERO, kind, to);
        now.ifPresent(of -> check(wanted, of));
        long start = now.map(of -> of.phase.startNanos()).orElseGet(System::nanoTime);
        long at = System.nanoTime() - start;
        switch (kind) {
            case STOP -> control.stop();
            case ABORT -> control.abort();
            case NEXT -> control.skip();
            default -> at = change(wanted, now.orElseThrow());
        }
        long before = at - 1;
        LoadEvent event = new LoadEvent(
                Duration.ofNanos(start - startNanos + at),
                new LoadChange(phase, Duration.ofNanos(at), kind, to),
                now.map(of -> of.phase.throttle().level(before)).orElse(""),
                origin);
        add(event);
        return event;
    }

    private static void check(LoadChange change, Running now) {
        Kind kind = change.kind();
        if (!kind.endsRun() && !now.users.steerable()) {
            throw new IllegalArgumentException(
                    kind.key() + ": the load of messages cannot be changed while they are sent");
        }
        change.check(now.phase.settings().phase());
        boolean paused = now.phase.throttle().paused(Long.MAX_VALUE);
        if (kind == (paused ? Kind.PAUSE : Kind.RESUME)) {
            throw new IllegalArgumentException(
                    "%s: phase %s is %s".formatted(kind.key(), change.phase(), paused ? "paused" : "not paused"));
        }
    }

    private static long change(LoadChange change, Running now) {
        Throttle throttle = now.phase.throttle();
        String before = throttle.level(Long.MAX_VALUE);
        LongSupplier elapsed = () -> System.nanoTime() - now.phase.startNanos();
        long at = throttle.change(change, elapsed, LEAD_NANOS);
        try {
            now.users.changed(now.phase.mostUsers());
        } catch (IllegalArgumentException e) {
            throttle.change(new LoadChange(change.phase(), change.at(), Kind.USERS, before), elapsed, 0);
            throw e;
        } finally {
            now.ticker.changed();
        }
        return at;
    }

    @Override
    public Optional<LoadState> load() {
        return running.or(this::begun).filter(now -> now.users.steerable()).map(now -> {
            Throttle throttle = now.phase.throttle();
            long elapsed = System.nanoTime() - now.phase.startNanos() + LEAD_NANOS;
            Phase phase = now.phase.settings().phase();
            return new LoadState(
                    phase.name(), phase.load() instanceof Load.Open, throttle.level(elapsed), throttle.paused(elapsed));
        });
    }

    /** Waits for a phase that is being reported. */
    private synchronized Optional<Running> begun() {
        return running;
    }

    private Ticker startTicker(PhaseRun phase, PhaseUsers users) {
        PhaseAccounting accounting = phase.accounting();
        try {
            accounting.startWatch();
            return new Ticker(
                    accounting.startNanos(), elapsed -> tick(accounting, users, elapsed), phase.throttle()::nextNanos);
        } catch (OutOfMemoryError e) {
            throw new NoThreadException("no thread to record the intervals", e);
        }
    }

    private void tick(PhaseAccounting accounting, PhaseUsers users, long elapsedNanos) {
        Interval interval = accounting.closeInterval(
                users.recorder(), users.lag(), users.connections(), users.pool(), elapsedNanos);
        control.report(to -> to.interval(interval));
        RunListener.Progress progress = accounting.progress(interval);
        control.report(to -> to.progress(progress));
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
        Interval last = accounting.closeLastInterval(users.recorder());
        control.report(to -> to.interval(last));
        PhaseMeasurement measured = accounting.measured(
                users.recorder().totals(),
                users.recorder().sample(accounting.startNanos()),
                control.stopped() ? control.reason() : UnsentReason.QUEUED);
        phasesNanos += measured.wall().toNanos();
        control.report(to -> to.phaseFinished(measured.phase(), measured.wall()));
        return measured;
    }
}
