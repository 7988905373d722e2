package io.phaseload.sweep;

import io.phaseload.engine.Listeners;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.rows.Window;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Runs a sweep's trials one after another. One-shot: {@link #run} is called once, by one thread. {@link #close()} may
 * be called by any thread, at any time, any number of times.
 */
public final class SweepRun implements AutoCloseable {

    private final SweepInfo info;
    private final Sweep sweep;
    private final TrialRows maker;
    private final RunSeries runs;
    private final Optional<SweepFolder> folder;
    private final Map<Integer, String> skipped = new LinkedHashMap<>();
    private TrialTable trials;

    /**
     * Makes one.
     *
     * @param sweep its settings, which don't change any more
     * @param info the plan that is run
     * @param trials that are over
     * @param maker makes the rows of the others
     */
    SweepRun(Sweep sweep, SweepInfo info, TrialTable trials, TrialRows maker, Optional<SweepFolder> folder) {
        this.sweep = sweep;
        this.info = info;
        this.trials = trials;
        this.maker = maker;
        this.runs = new RunSeries(sweep.clients);
        this.folder = folder;
    }

    /** Ends the sweep, if it is running; the current trial doesn't count. Returns at once. */
    @Override
    public void close() {
        runs.close();
    }

    /**
     * Runs the remaining trials and waits for the end. A trial that fails becomes a row with its reason, and the sweep
     * goes on. If the calling thread is interrupted, or {@link #close()} is called, the sweep ends after the requests
     * in flight, and its result isn't finished; the thread's interrupt flag stays set.
     *
     * @return the measurement
     * @throws IOException if the folder can't be written to
     */
    public SweepResult run() throws IOException {
        write(result(false));
        boolean first = true;
        for (Trial trial : info.order().arrange(info.steps(), info.trials(), info.seed())) {
            if (runs.isStopped()) {
                return result(false);
            }
            if (trials.has(trial) || isSkipped(trial.step())) {
                continue;
            }
            if (!first && !runs.pause(sweep.pause)) {
                return result(false);
            }
            first = false;
            if (!run(trial)) {
                return result(false);
            }
            write(result(false));
        }
        write(result(true));
        return result(true);
    }

    private boolean isSkipped(Step step) {
        if (!skipped.containsKey(step.number())) {
            sweep.rule
                    .reasonToSkip(step, info.steps(), trials.rows())
                    .ifPresent(reason -> skipped.put(step.number(), reason));
        }
        return skipped.containsKey(step.number());
    }

    private SweepResult result(boolean finished) {
        List<SweepResult.Skipped> left = new ArrayList<>();
        skipped.forEach((step, reason) -> left.add(new SweepResult.Skipped(step, reason)));
        return new SweepResult(info, trials, finished, left);
    }

    private void write(SweepResult result) throws IOException {
        if (folder.isPresent()) {
            folder.get().write(result);
        }
    }

    /** Returns whether the trial counts: not if the sweep was stopped meanwhile. */
    private boolean run(Trial trial) throws IOException {
        Plan plan = sweep.plans.apply(trial);
        Instant at = Instant.now();
        RunListener progress = sweep.listener.trialStarted(trial, plan);
        Window window = new Window(plan, sweep.counted(plan));
        Optional<String> before = sweep.hooks.before(trial, plan);
        Optional<Result> result = Optional.empty();
        if (before.isEmpty() && !runs.isStopped()) {
            try {
                result = Optional.of(measured(trial, plan, new Listeners(List.of(progress, window))));
            } catch (InterruptedIOException e) {
                // Stopped while it waited for whoever sends the load.
                close();
            }
        }
        Optional<String> after = sweep.hooks.after(trial, plan);
        result.ifPresent(measured -> sweep.listener.trialMeasured(trial, measured));
        if (runs.isStopped()) {
            return false;
        }
        List<TrialRow> rows = result.isPresent()
                ? maker.of(trial, result.get(), window, failure(result.get()).or(() -> after))
                : maker.ofNotRun(trial, plan, before.orElseThrow(), at);
        if (folder.isPresent()) {
            TrialCsv.append(folder.get().path(), trials.columns(), rows);
        }
        trials = trials.plus(rows);
        sweep.listener.trialFinished(trial, rows);
        return true;
    }

    private static Optional<String> failure(Result result) {
        if (result.fault().isPresent()) {
            return result.fault();
        }
        if (result.totals().responses() == 0) {
            return Optional.of("no request got a response: " + result.totals().failures());
        }
        return Optional.empty();
    }

    private Result measured(Trial trial, Plan plan, RunListener progress) throws IOException {
        UnaryOperator<Result> completed = result -> sweep.hooks.measured(trial, result);
        return folder.isEmpty()
                ? runs.run(plan, progress, completed)
                : runs.run(folder.get().trial(trial), plan, progress, completed);
    }
}
