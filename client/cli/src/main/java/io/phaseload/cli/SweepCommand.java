package io.phaseload.cli;

import io.phaseload.engine.RunControl;
import io.phaseload.engine.RunListener;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.JUnitXml;
import io.phaseload.report.TestSuites;
import io.phaseload.result.Environment;
import io.phaseload.result.json.FileProblem;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code phaseload sweep}: from options to an exit code. */
final class SweepCommand {

    private final PrintStream out;
    private final PrintStream err;

    SweepCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** What is there before the first trial. */
    private record Prepared(SweepSetup setup, Path folder, SweepResult sweep, OutputFile junit) {}

    /** The exit code of what a command line asks for. */
    int run(String... arguments) throws UsageException {
        SweepOptions options = new SweepOptions();
        OptionParser parser = OptionParser.handingOn(options, new RunOptions());
        parser.parse(ForeignOptions.translate(arguments, parser));
        if (options.help || options.briefHelp) {
            out.print(options.help ? Help.full(SweepOptions.HELP) : SweepOptions.briefHelp());
            return ExitCode.PASSED;
        }
        if (options.version) {
            out.println("phaseload " + Environment.currentVersion());
            return ExitCode.PASSED;
        }
        StoredSweep stored = options.resume == null ? null : StoredSweep.read(options, parser);
        SweepSetup setup = stored == null ? SweepSetup.of(options, parser) : stored.setup();
        LocalTarget local = setup.local();
        if (local == null) {
            setup.checkServer(setup.url(new Trial(setup.steps().get(0), 1)).orElseThrow());
            return execute(prepared(setup, stored, options), null, null, options);
        }
        try (TargetServer target = local.start()) {
            setup.checkServer(target.url());
            return execute(prepared(setup, stored, options), local, target, options);
        } catch (IOException e) {
            err.println("--target " + local.name() + ": couldn't be started: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    /**
     * Makes the folder, or takes it.
     *
     * @param stored the sweep that goes on, or {@code null} for a new one
     * @param given what was said now; the setup of one that goes on has what was said then
     */
    private static Prepared prepared(SweepSetup setup, StoredSweep stored, SweepOptions given)
            throws UsageException {
        SweepOptions options = setup.options();
        List<String> read = stored == null ? List.of() : List.of(stored.folder().toString());
        OutputFile junit =
                ReadFolders.of("--resume", read).protect(OutputFile.of("--junit", given.junit));
        SweepInfo info =
                new SweepInfo(
                        options.name,
                        stored == null ? Instant.now() : stored.startedAt(),
                        Environment.capture(),
                        setup.arguments(),
                        options.trials,
                        setup.order(),
                        options.seed,
                        setup.steps());
        if (stored != null) {
            return new Prepared(
                    setup,
                    stored.folder(),
                    new SweepResult(info, stored.trials(setup), false, List.of()),
                    junit);
        }
        Path folder = Folders.make(options.out, options.name).path();
        try {
            TrialTable none = TrialTable.of(setup.rows().columns(), List.of());
            TrialCsv.write(folder, none);
            return new Prepared(
                    setup, folder, new SweepResult(info, none, false, List.of()), junit);
        } catch (IOException e) {
            throw Folders.notWritable(folder, e);
        }
    }

    /** Signals are caught until the results are written. */
    private int execute(
            Prepared prepared, LocalTarget local, TargetServer target, SweepOptions options) {
        SweepSession session =
                new SweepSession(
                        prepared.setup(),
                        prepared.folder(),
                        prepared.sweep(),
                        local,
                        target,
                        new Progress(
                                options.json ? err : out,
                                options.quiet,
                                prepared.setup().steps().size()
                                        * prepared.sweep().info().trials()));
        try (Interruption interruption =
                new Interruption(session::stop, RunControl.DRAIN_LIMIT, err, false)) {
            SweepResult sweep = session.run();
            new SweepOutput(out, err, options.json).write(prepared.folder(), sweep);
            return prepared.junit()
                    .write(
                            () -> JUnitXml.write(TestSuites.of(sweep, prepared.folder())),
                            code(sweep),
                            err);
        } catch (IOException e) {
            err.println(
                    "The results couldn't be written to "
                            + prepared.folder()
                            + ": "
                            + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        } catch (UsageException e) {
            // What was right for the first trial isn't for a later one: a file is gone, for one.
            err.println(e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static int code(SweepResult sweep) {
        if (!sweep.finished()) {
            return ExitCode.INTERRUPTED;
        }
        // That every request of a step failed may be what the sweep was to find out.
        List<TrialRow> succeeded =
                sweep.rows().stream().filter(row -> row.isOk() && !row.allFailed()).toList();
        if (succeeded.isEmpty()) {
            return ExitCode.NOTHING_SUCCEEDED;
        }
        if (hasAny(succeeded, "verdict", "INVALID")) {
            return ExitCode.INVALID;
        }
        return hasAny(sweep.rows(), "thresholds", "failed")
                ? ExitCode.THRESHOLD_FAILED
                : ExitCode.PASSED;
    }

    private static boolean hasAny(List<TrialRow> rows, String column, String value) {
        return rows.stream().filter(TrialRow::isOk).anyMatch(row -> row.text(column).equals(value));
    }

    /** A line a trial, and on a terminal how the one that is going does. */
    private record Progress(PrintStream to, boolean quiet, int trials)
            implements SweepSession.Listener {

        @Override
        public RunListener begin(Trial trial, Plan plan) {
            if (quiet || !Terminal.isLive()) {
                return RunListener.NONE;
            }
            int columns = Terminal.width();
            return ProgressPrinter.live(to, plan.phases(), () -> columns);
        }

        @Override
        public void end(Trial trial, List<TrialRow> rows) {
            if (quiet) {
                return;
            }
            String step = trial.step().toString();
            to.printf(
                    Locale.ROOT,
                    "Step %d%s, trial %d: %s%n",
                    trial.step().number(),
                    step.isEmpty() ? "" : " (" + step + ")",
                    trial.number(),
                    rows.get(0).isOk() ? figures(rows) : "failed: " + rows.get(0).text("reason"));
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
            return rows.stream().mapToDouble(row -> row.number(column).orElse(0)).sum();
        }
    }
}
