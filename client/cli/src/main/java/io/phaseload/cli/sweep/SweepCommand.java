package io.phaseload.cli.sweep;

import io.phaseload.cli.cluster.AgentsException;
import io.phaseload.cli.cluster.LoadClients;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ReadFolders;
import io.phaseload.cli.folders.SweepOutput;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.run.Heap;
import io.phaseload.cli.run.LocalTarget;
import io.phaseload.cli.run.WrongScheme;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cli.terminal.ProgressPrinter;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.cli.watch.Outputs;
import io.phaseload.engine.Listeners;
import io.phaseload.engine.RunControl;
import io.phaseload.files.FileProblem;
import io.phaseload.live.LivePage;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.TextFiles;
import io.phaseload.report.junit.JUnitXml;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepListener;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.SweepRun;
import io.phaseload.sweep.TrialHooks;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code phaseload sweep}: from options to an exit code. */
public final class SweepCommand implements CommandBean {

    private final SweepOptions options = new SweepOptions();
    private OptionParser parser;

    @Override
    public List<?> more() {
        return List.of(options);
    }

    @Override
    public void parse(OptionParser of, String... arguments) {
        parser = of;
        ForeignOptions.parse(of, false, arguments);
    }

    @Override
    public boolean lists(OptionSpec option) {
        return !options.plan.has(option);
    }

    @Override
    public int execute(Console console) {
        StoredSweep stored = options.resume == null ? null : StoredSweep.read(options, parser);
        SweepSetup setup = stored == null ? SweepSetup.of(options, parser) : stored.setup();
        if (setup.cluster().isEmpty() && Heap.isTooSmall(setup.plans(), console.err())) {
            return ExitCode.INTERNAL_ERROR;
        }
        TrialHooks hooks = new SweepHooks(setup.options(), new HashSet<>()).requests();
        Optional<LocalTarget> local = setup.target();
        if (local.isEmpty()) {
            setup.checkServer(null);
            return execute(console, setup, setup.sweep(null).hooks(hooks), stored);
        }
        try (TargetServer target = local.get().start()) {
            setup.checkServer(target.url());
            return execute(
                    console,
                    setup,
                    setup.sweep(target.url()).hooks(new CountedTarget(hooks, local.get(), target)),
                    stored);
        } catch (IOException e) {
            console.err().println("--target " + local.get().name() + ": couldn't be started: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    /**
     * Signals are caught until the results are written.
     *
     * @param setup of this command line; a sweep to resume has its own
     * @param stored the sweep to resume, or {@code null} for a new one
     */
    private int execute(Console console, SweepSetup setup, Sweep sweep, StoredSweep stored) {
        try (Outputs outputs = Outputs.ofSweep(options.page, console.err())) {
            return execute(console, setup, sweep, stored, outputs);
        }
    }

    private int execute(Console console, SweepSetup setup, Sweep sweep, StoredSweep stored, Outputs outputs) {
        PrintStream err = console.err();
        List<String> read = stored == null ? List.of() : List.of(stored.folder().toString());
        OutputFile junit = ReadFolders.of("--resume", read).protect(OutputFile.of("--junit", options.common.junit));
        Path folder =
                stored == null ? Folders.make(options.common.out, options.name).path() : stored.folder();
        PrintStream progress = console.text(options.common.json);
        sweep.listener(new SweepProgress(
                folder,
                progress,
                err,
                options.common.live(console),
                options.common.quiet,
                outputs.page(),
                new HashSet<>()));
        if (stored == null && !options.common.quiet) {
            progress.println(setup.intention());
        }
        SweepSteering steering = new SweepSteering();
        try (LoadClients clients = LoadClients.open(setup.cluster(), folder, err);
                SweepRun run = open(sweep.clients(steering.watching(clients)), folder, stored != null);
                Interruption interruption = new Interruption(run::close, RunControl.DRAIN_LIMIT, err, () -> {})) {
            steering.begin(run::close);
            outputs.begin(setup.plans().get(0).target().address(), folder, steering);
            SweepResult result = run.run();
            new SweepOutput(console, options.common.json).write(folder, result, List.of(folder));
            outputs.finished(folder);
            return junit.write(() -> JUnitXml.write(TestSuites.of(result, folder)), code(result), err);
        } catch (AgentsException e) {
            err.println("phaseload: " + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        } catch (IOException e) {
            return Folders.notWritten(folder, e, err);
        } catch (UncheckedIOException e) {
            return Folders.notWritten(folder, e.getCause(), err);
        } catch (UsageException e) {
            // The options were valid for the first trial, but a file may have disappeared since.
            err.println(e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static SweepRun open(Sweep sweep, Path folder, boolean resume) {
        return resume
                ? Checked.file("--resume " + folder, StoredSweep.SWEEP, () -> sweep.resume(folder)
                        .open())
                : Folders.writable(folder, () -> sweep.folder(folder).open());
    }

    private static int code(SweepResult sweep) {
        if (!sweep.finished()) {
            return ExitCode.INTERRUPTED;
        }
        // That every request of a step fails may be what the sweep is looking for.
        List<TrialRow> succeeded = sweep.rows().stream()
                .filter(row -> row.isOk() && !row.allFailed())
                .toList();
        if (succeeded.isEmpty()) {
            return ExitCode.NOTHING_SUCCEEDED;
        }
        if (hasAny(succeeded, "verdict", "INVALID")) {
            return ExitCode.INVALID;
        }
        if (hasAny(sweep.rows(), "thresholds", "failed")) {
            return ExitCode.THRESHOLD_FAILED;
        }
        return hasAny(sweep.rows(), "thresholds", "undecided") ? ExitCode.UNDECIDED : ExitCode.PASSED;
    }

    private static boolean hasAny(List<TrialRow> rows, String column, String value) {
        return rows.stream().filter(TrialRow::isOk).anyMatch(row -> row.text(column)
                .equals(value));
    }

    /**
     * Writes the texts of each trial and prints a line for it, with live progress on a terminal.
     *
     * @param live the stream for a live line
     * @param page shows the trial that runs, and a row for each that is over
     * @param hints those that were printed, once for all trials
     */
    private record SweepProgress(
            Path folder,
            PrintStream to,
            PrintStream err,
            Optional<PrintStream> live,
            boolean quiet,
            Optional<LivePage> page,
            Set<String> hints)
            implements SweepListener {

        @Override
        public RunListener trialStarted(Trial trial, Plan plan) {
            List<RunListener> all = new ArrayList<>();
            page.ifPresent(of -> {
                of.judged(folder.resolve(trial.folder()));
                all.add(of.run(plan, step(trial) + ", trial " + trial.number()));
            });
            live.ifPresent(stream -> {
                int columns = Terminal.width();
                all.add(ProgressPrinter.live(to, stream, plan.phases(), () -> columns));
            });
            return new Listeners(all);
        }

        private static String step(Trial trial) {
            String values = trial.step().toString();
            return "Step " + trial.step().number() + (values.isEmpty() ? "" : " (" + values + ")");
        }

        @Override
        public void trialMeasured(Trial trial, Result result) {
            try {
                TextFiles.write(folder.resolve(trial.folder()), result);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            page.ifPresent(of -> of.trial(step(trial), trial.number(), result));
            WrongScheme.hint(result.plan(), result).filter(hints::add).ifPresent(err::println);
        }

        @Override
        public void trialFinished(Trial trial, List<TrialRow> rows) {
            if (quiet) {
                return;
            }
            to.printf(
                    Locale.ROOT,
                    "%s, trial %d: %s%n",
                    step(trial),
                    trial.number(),
                    rows.get(0).isOk()
                            ? figures(rows)
                            : "failed: " + rows.get(0).text("reason"));
            to.flush();
        }

        private static String figures(List<TrialRow> rows) {
            double rate = sum(rows, "ops_per_second");
            double requests = sum(rows, "total_ops");
            return String.format(
                    Locale.ROOT,
                    "%.1f op/s, failed %.2f %%",
                    rate,
                    requests == 0 ? 0 : 100 * sum(rows, "failed") / requests);
        }

        private static double sum(List<TrialRow> rows, String column) {
            return rows.stream()
                    .mapToDouble(row -> row.number(column).orElse(0))
                    .sum();
        }
    }
}
