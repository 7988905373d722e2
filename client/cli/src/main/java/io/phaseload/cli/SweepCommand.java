package io.phaseload.cli;

import io.phaseload.engine.RunListener;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.result.AtomicFile;
import io.phaseload.result.Environment;
import io.phaseload.result.ResultFolder;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepReport;
import io.phaseload.sweep.Trial;
import io.phaseload.sweep.TrialRow;
import io.phaseload.sweep.TrialTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
    private record Prepared(
            SweepSetup setup, LocalTarget local, Path folder, Sweep sweep, TrialTable table) {}

    int run(String... arguments) {
        Prepared prepared;
        SweepOptions options = new SweepOptions();
        try {
            OptionParser parser = OptionParser.handingOn(options, new RunOptions());
            parser.parse(arguments);
            if (options.help) {
                out.print(SweepOptions.HELP);
                return ExitCode.PASSED;
            }
            prepared = options.resume == null ? fresh(options, parser) : resumed(options, parser);
        } catch (UsageException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        }
        if (prepared.local() == null) {
            return execute(prepared, null, options);
        }
        try (TargetServer target = prepared.local().start()) {
            prepared.setup().checkServer(target.url());
            return execute(prepared, target, options);
        } catch (IOException | UsageException e) {
            err.println(
                    "--target "
                            + prepared.local().name()
                            + ": couldn't be started: "
                            + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static Prepared fresh(SweepOptions options, OptionParser parser) throws UsageException {
        SweepSetup setup = SweepSetup.of(options, parser);
        LocalTarget local = setup.local();
        if (local == null) {
            Trial first = new Trial(setup.steps().get(0), 1);
            setup.checkServer(setup.url(first).orElseThrow());
        }
        ResultFolder folder = Folders.make(options.out, options.name);
        Sweep sweep =
                new Sweep(
                        options.name,
                        Instant.now(),
                        Environment.capture(),
                        setup.arguments(),
                        options.trials,
                        setup.order(),
                        options.seed,
                        setup.steps(),
                        setup.rows().metrics(),
                        false,
                        List.of());
        try {
            TrialTable table = TrialTable.create(folder.path(), setup.rows().columns());
            return new Prepared(setup, local, folder.path(), sweep, table);
        } catch (IOException e) {
            throw Folders.notWritable(folder.path(), e);
        }
    }

    private static Prepared resumed(SweepOptions options, OptionParser parser)
            throws UsageException {
        StoredSweep stored = StoredSweep.read(options, parser);
        SweepOptions all = new SweepOptions();
        OptionParser again = OptionParser.handingOn(all, new RunOptions());
        again.parse(stored.arguments().toArray(String[]::new));
        SweepSetup setup = SweepSetup.of(all, again);
        try {
            TrialTable table = TrialTable.read(stored.folder());
            if (!table.columns().equals(setup.rows().columns())) {
                throw new UsageException(
                        "--resume " + options.resume + ": its trials.csv has other columns");
            }
            table.keepWholeTrials(setup.operations().size());
            Sweep sweep =
                    new Sweep(
                            all.name,
                            stored.startedAt(),
                            Environment.capture(),
                            setup.arguments(),
                            all.trials,
                            setup.order(),
                            all.seed,
                            setup.steps(),
                            setup.rows().metrics(),
                            false,
                            List.of());
            return new Prepared(setup, setup.local(), stored.folder(), sweep, table);
        } catch (IOException e) {
            throw new UsageException(
                    "--resume %s: expected a sweep's folder: %s"
                            .formatted(options.resume, e.getMessage()));
        }
    }

    /** Signals are caught until the results are written. */
    private int execute(Prepared prepared, TargetServer target, SweepOptions options) {
        SweepSession session =
                new SweepSession(
                        prepared.setup(),
                        prepared.folder(),
                        prepared.sweep(),
                        prepared.table(),
                        prepared.local(),
                        target,
                        new Progress(
                                options.json ? err : out,
                                options.quiet,
                                prepared.setup().steps().size() * prepared.sweep().trials()));
        try (Interruption interruption = new Interruption(session::stop)) {
            Sweep sweep = session.run();
            List<TrialRow> rows = prepared.table().rows();
            String report = SweepReport.write(sweep, rows);
            (options.json ? err : out).print(report);
            if (options.json) {
                out.writeBytes(SweepJson.write(sweep, rows).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            AtomicFile.write(prepared.folder().resolve("report.txt"), report);
            (options.json ? err : out).println("Results: " + prepared.folder());
            return code(sweep, rows);
        } catch (IOException e) {
            err.println("The results couldn't be written to " + prepared.folder() + ": " + e);
            return ExitCode.INTERNAL_ERROR;
        } catch (UsageException e) {
            // What was right for the first trial isn't for a later one: a file is gone, for one.
            err.println(e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static int code(Sweep sweep, List<TrialRow> rows) {
        if (!sweep.finished()) {
            return ExitCode.INTERRUPTED;
        }
        if (rows.stream().noneMatch(TrialRow::isOk)) {
            return ExitCode.NOTHING_COMPLETED;
        }
        if (hasAny(rows, "verdict", "INVALID")) {
            return ExitCode.INVALID;
        }
        return hasAny(rows, "thresholds", "failed") ? ExitCode.THRESHOLD_FAILED : ExitCode.PASSED;
    }

    private static boolean hasAny(List<TrialRow> rows, String column, String value) {
        return rows.stream().filter(TrialRow::isOk).anyMatch(row -> row.text(column).equals(value));
    }

    /** A line a trial, and on a terminal how the one that is going does. */
    private record Progress(PrintStream to, boolean quiet, int trials)
            implements SweepSession.Listener {

        @Override
        public RunListener begin(Trial trial, Plan plan) {
            return quiet || !Terminal.isLive() ? RunListener.NONE : new ProgressPrinter(to, true);
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
