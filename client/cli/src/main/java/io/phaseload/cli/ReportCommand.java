package io.phaseload.cli;

import io.phaseload.measure.Interval;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Phase;
import io.phaseload.report.RunPage;
import io.phaseload.report.RunTables;
import io.phaseload.report.SweepPage;
import io.phaseload.report.SweepTables;
import io.phaseload.report.TestSuites;
import io.phaseload.result.Result;
import io.phaseload.result.ResultJson;
import io.phaseload.result.StoredRun;
import io.phaseload.result.TextReport;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepReport;
import io.phaseload.sweep.TrialRow;
import io.phaseload.sweep.TrialTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload report}: the text and the JSON of a run anew, from its folder alone. */
final class ReportCommand {

    static final String HELP =
            """
            Makes the report of a run anew from its results folder, also of a run that was killed; or that of
            a sweep, from its folder.

            Usage: phaseload report DIR [options]

              --only PHASES   of these phases alone, separated by commas
              --from T        without the intervals that begin before this time since the run's start
              --to T          without those that end after it
              --json          the result as JSON, in place of the text
              --html FILE     the page with charts, too, for any browser
              --data FILE     the tables of the page's charts as JSON, too
              --png DIR       charts as pictures, in a folder; also --svg DIR
              --junit FILE    verdict and thresholds as JUnit's XML, too, for a CI system
              --help

            Thresholds are judged anew, those of the phases that are in the report: exit code 99 if one
            fails.
            """;

    private static final class Options {

        @Argument(metaVar = "DIR", usage = "a results folder")
        private List<String> folders = new ArrayList<>();

        @Option(name = "--only", usage = "names of phases, separated by commas")
        private String only;

        @Option(name = "--from", handler = DurationHandler.OrZero.class)
        private Duration from = Duration.ZERO;

        @Option(name = "--to", handler = DurationHandler.class)
        private Duration to;

        @Option(name = "--json")
        private boolean json;

        @Option(name = "--html", usage = "a file's name")
        private String html;

        @Option(name = "--data", usage = "a file's name")
        private String data;

        @Option(name = "--png", usage = "a folder's name")
        private String png;

        @Option(name = "--svg", usage = "a folder's name")
        private String svg;

        @Option(name = "--junit", usage = "a file's name")
        private String junit;

        @Option(name = "--help", aliases = "-h", help = true)
        private boolean help;
    }

    private final Options options = new Options();
    private final PrintStream out;
    private final PrintStream err;

    ReportCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** The exit code of what a command line asks for. */
    int run(String... arguments) throws UsageException {
        new OptionParser(options).parse(arguments);
        if (options.help) {
            out.print(Help.full(HELP));
            return ExitCode.PASSED;
        }
        if (options.folders.size() != 1) {
            throw new UsageException("report: expected one results folder");
        }
        String folder = options.folders.get(0);
        return SweepFolder.isOne(folder) ? ofSweep(Path.of(folder)) : ofRun(folder);
    }

    private int ofRun(String folder) throws UsageException {
        StoredRun stored = Folders.read("report", folder);
        checkPhases(stored);
        ReportFiles files = files();
        Result result = stored.result(this::isWanted);
        List<Interval> intervals = stored.intervals().stream().filter(this::isWanted).toList();
        print(TextReport.write(result), () -> ResultJson.write(result));
        return files.write(
                () -> RunPage.write(result, intervals),
                () -> RunTables.of(result, intervals),
                () -> List.of(TestSuites.of(result)),
                ExitCode.ofThresholds(result),
                err);
    }

    private int ofSweep(Path folder) throws UsageException {
        if (options.only != null || !options.from.isZero() || options.to != null) {
            throw new UsageException(
                    "report %s: expected no --only, --from or --to for a sweep".formatted(folder));
        }
        try {
            Sweep sweep = SweepJson.read(folder);
            List<TrialRow> rows = TrialTable.read(folder).rows();
            ReportFiles files = files();
            print(SweepReport.write(sweep, rows), () -> SweepJson.write(sweep, rows));
            return files.write(
                    () -> SweepPage.write(sweep, rows),
                    () -> SweepTables.of(sweep, rows),
                    () -> TestSuites.of(sweep, folder),
                    ExitCode.PASSED,
                    err);
        } catch (IOException e) {
            throw new UsageException(
                    "report %s: expected a sweep's folder: %s".formatted(folder, e.getMessage()));
        }
    }

    private ReportFiles files() throws UsageException {
        return ReportFiles.of(options.html, options.data, options.png, options.svg, options.junit);
    }

    private void checkPhases(StoredRun stored) throws UsageException {
        List<String> known = stored.plan().phases().stream().map(Phase::name).toList();
        if (options.only != null && !known.containsAll(only())) {
            throw new UsageException(
                    "--only " + options.only + ": expected some of " + String.join(",", known));
        }
    }

    private List<String> only() {
        return List.of(options.only.split(","));
    }

    private boolean isWanted(Interval interval) {
        boolean phase = options.only == null || only().contains(interval.phase());
        boolean begun = interval.start().compareTo(options.from) >= 0;
        boolean ended =
                options.to == null
                        || interval.start().plus(interval.length()).compareTo(options.to) <= 0;
        return phase && begun && ended;
    }

    private void print(String text, Supplier<String> json) {
        if (options.json) {
            out.writeBytes(json.get().getBytes(StandardCharsets.UTF_8));
        } else {
            out.print(text);
        }
        out.flush();
    }
}
