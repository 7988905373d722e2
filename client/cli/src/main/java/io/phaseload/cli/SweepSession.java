package io.phaseload.cli;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.Listeners;
import io.phaseload.engine.RunListener;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.text.TextFiles;
import io.phaseload.result.Result;
import io.phaseload.result.store.AtomicFile;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import io.phaseload.sweep.trials.Window;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a sweep's trials one after another. Run by one thread; {@link #stop} may be by any. */
final class SweepSession {

    /** Hears how a sweep goes. */
    interface Listener {

        /** A trial begins. */
        RunListener begin(Trial trial, Plan plan);

        /** A trial is over. */
        void end(Trial trial, List<TrialRow> rows);
    }

    /** A folder within the sweep's for what trials left that weren't finished. */
    private static final String UNFINISHED = "unfinished";

    private final SweepSetup setup;
    private final Path folder;
    private final LocalTarget local;
    private final TargetServer target;
    private final Listener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<Integer, String> skipped = new LinkedHashMap<>();
    private SweepResult sweep;
    private TrialTable trials;
    // Guarded by this.
    private ThreadsLoadClient running;

    /**
     * Makes a session.
     *
     * @param target that the sweep started itself, or {@code null}
     * @param local what it is, or {@code null}
     */
    SweepSession(
            SweepSetup setup,
            Path folder,
            SweepResult sweep,
            LocalTarget local,
            TargetServer target,
            Listener listener) {
        this.setup = setup;
        this.folder = folder;
        this.sweep = sweep;
        this.trials = sweep.trials();
        this.local = local;
        this.target = target;
        this.listener = listener;
    }

    /** Ends the sweep: the trial that is going isn't counted. */
    void stop() {
        stopped.countDown();
        synchronized (this) {
            if (running != null) {
                running.close();
            }
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /**
     * Runs what isn't over yet.
     *
     * @return the sweep as it is then
     * @throws IOException if files can't be written
     */
    SweepResult run() throws IOException, UsageException {
        write(false);
        boolean first = true;
        for (Trial trial :
                setup.order().arrange(setup.steps(), sweep.info().trials(), sweep.info().seed())) {
            if (isStopped()) {
                return sweep;
            }
            if (trials.has(trial) || isSkipped(trial.step())) {
                continue;
            }
            if (!first && !pause()) {
                return sweep;
            }
            first = false;
            Optional<List<TrialRow>> rows = run(trial);
            if (rows.isEmpty()) {
                return sweep;
            }
            TrialCsv.append(folder, trials.columns(), rows.get());
            trials = trials.plus(rows.get());
            listener.end(trial, rows.get());
            write(false);
        }
        write(true);
        return sweep;
    }

    private boolean pause() {
        try {
            return !stopped.await(setup.options().pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isSkipped(Step step) {
        if (!skipped.containsKey(step.number())) {
            setup.rule()
                    .reasonToSkip(step, setup.steps(), trials.rows())
                    .ifPresent(reason -> skipped.put(step.number(), reason));
        }
        return skipped.containsKey(step.number());
    }

    private void write(boolean finished) throws IOException {
        List<SweepResult.Skipped> left = new ArrayList<>();
        skipped.forEach((step, reason) -> left.add(new SweepResult.Skipped(step, reason)));
        sweep = new SweepResult(sweep.info(), trials, finished, left);
        AtomicFile.write(folder.resolve(SweepJson.FILE), SweepJson.write(sweep));
    }

    /** The rows of a trial; empty if the sweep was stopped meanwhile. */
    private Optional<List<TrialRow>> run(Trial trial) throws IOException, UsageException {
        Optional<URI> url = setup.url(trial);
        Plan plan = setup.trials().plan(trial, url.isPresent() ? url.get() : target.url());
        Instant at = Instant.now();
        RunListener progress = listener.begin(trial, plan);
        Asides asides = new Asides(setup.options().asides, setup.trials().placeholders(trial));
        Optional<String> before = asides.send("--before", plan);
        Optional<List<TrialRow>> rows = Optional.empty();
        Window window = new Window(plan);
        Optional<Result> result = Optional.empty();
        if (before.isEmpty() && !isStopped()) {
            result = Optional.of(measured(trial, plan, window, progress));
        }
        // Also after what went wrong: the next trial begins with what this one leaves.
        Optional<String> after = asides.send("--after", plan);
        if (isStopped()) {
            return rows;
        }
        if (result.isEmpty()) {
            return Optional.of(
                    setup.rows()
                            .ofNotRun(trial, plan, setup.operations(), before.orElseThrow(), at));
        }
        Optional<String> reason = failure(result.get()).or(() -> after);
        return Optional.of(setup.rows().of(trial, result.get(), window, reason));
    }

    private static Optional<String> failure(Result result) {
        if (result.fault() != null) {
            return Optional.of(result.fault());
        }
        if (result.totals().responses() == 0) {
            return Optional.of("nothing completed: " + result.totals().failures());
        }
        return Optional.empty();
    }

    private Result measured(Trial trial, Plan plan, Window window, RunListener progress)
            throws IOException {
        Path path = folder.resolve(trial.folder());
        setAside(path, trial);
        Files.createDirectories(path.getParent());
        ResultFolder results = ResultFolder.at(path);
        long before = target == null ? 0 : target.requestsServed();
        try (IntervalFiles files = results.begin(plan);
                ThreadsLoadClient client =
                        ThreadsLoadClient.of(
                                plan, new Listeners(List.of(progress, files, window)))) {
            synchronized (this) {
                running = client;
            }
            if (isStopped()) {
                client.close();
            }
            Result result = client.run();
            if (target != null) {
                result =
                        result.withTarget(
                                new Result.TargetCount(
                                        local.name(),
                                        local.description(target.url()),
                                        target.requestsServed() - before));
            }
            results.write(result);
            TextFiles.write(path, result);
            if (files.failure().isPresent()) {
                throw files.failure().get();
            }
            return result;
        } finally {
            synchronized (this) {
                running = null;
            }
        }
    }

    /** What an interrupted trial left is kept, but not among those that count. */
    private void setAside(Path path, Trial trial) throws IOException {
        if (Files.exists(path)) {
            Path unfinished = folder.resolve(UNFINISHED);
            Files.createDirectories(unfinished);
            String name = trial.folder().replace('/', '-');
            int i = 1;
            while (Files.exists(unfinished.resolve(name + "-" + i))) {
                i++;
            }
            Files.move(path, unfinished.resolve(name + "-" + i));
        }
    }
}
