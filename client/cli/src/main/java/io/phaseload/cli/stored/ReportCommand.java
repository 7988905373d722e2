package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ReadFolders;
import io.phaseload.cli.folders.ReportFiles;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.folders.TrialPages;
import io.phaseload.cli.terminal.Display;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.files.FileProblem;
import io.phaseload.live.RequestsReport;
import io.phaseload.measure.Interval;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Phase;
import io.phaseload.report.RunPage;
import io.phaseload.report.SweepPage;
import io.phaseload.report.cells.Table;
import io.phaseload.report.junit.TestSuite;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.RunTables;
import io.phaseload.report.tables.runs.SweepTables;
import io.phaseload.report.text.TextReport;
import io.phaseload.report.text.runs.SweepReport;
import io.phaseload.result.Result;
import io.phaseload.result.json.ResultJson;
import io.phaseload.result.store.StoredRun;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload report}: reports on a run or on sweeps, from their folders alone. */
public final class ReportCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "a results folder, a file of --requests-out, or sweeps' folders")
    private List<String> folders = new ArrayList<>();

    @Option(name = "--only")
    private String only;

    @Option(name = "--from", handler = DurationHandler.OrZero.class)
    private Duration from = Duration.ZERO;

    @Option(name = "--to", handler = DurationHandler.class)
    private Duration to;

    @Option(name = "--derive")
    private List<String> derived = new ArrayList<>();

    @Option(name = "--card")
    private String card;

    @Option(name = "--json")
    private boolean json;

    private final ReportFiles.ReportFileOptions asked = new ReportFiles.ReportFileOptions();

    @Override
    public List<?> more() {
        return List.of(asked);
    }

    @Override
    public int execute(Console console) {
        if (folders.size() == 1 && folders.get(0).matches(".*\\.csv(\\.gz|\\.zst)?")) {
            return ofRequests(console, folders.get(0));
        }
        if (Sweeps.areAll("report", folders)) {
            return ofSweeps(console);
        }
        UsageException.throwIf(folders.size() != 1, "report: expected one results folder, or sweeps' folders");
        UsageException.throwIf(!derived.isEmpty(), "--derive needs a sweep's folder");
        return ofRun(console, folders.get(0));
    }

    private int ofRun(Console console, String folder) {
        StoredRun stored = Folders.read("report", folder);
        if (only != null) {
            Checked.some(
                    "--only",
                    only,
                    stored.plan().phases().stream().map(Phase::name).toList());
        }
        List<Interval> intervals =
                stored.intervals().stream().filter(this::isWanted).toList();
        checkLeft(folder, stored, intervals);
        ReportFiles files = files();
        OutputFile card = ReadFolders.of("report", folders).protect(OutputFile.of("--card", this.card));
        Result result = stored.result(this::isWanted);
        console.print(
                json,
                json
                        ? ResultJson.write(result)
                        : Display.of(console.color()).paint(TextReport.write(result, Terminal.columns())));
        int code = files.write(
                () -> RunPage.write(result, intervals),
                RunPage.about(result),
                () -> RunTables.of(result, intervals),
                () -> List.of(TestSuites.of(result)),
                ExitCode.ofStored(result),
                console.err());
        // Otherwise a desktop would show an icon for the program.
        System.setProperty("java.awt.headless", "true");
        return card.writeBytes(() -> RunPage.card(result).png(RunTables.of(result, intervals)), code, console.err());
    }

    private int ofRequests(Console console, String file) {
        RequestsReport report;
        try {
            report = RequestsReport.read(Path.of(file));
        } catch (IOException e) {
            throw new UsageException("report %s: %s", file, FileProblem.of(e));
        }
        console.print(
                json,
                json
                        ? Table.json(report.tables()) + "\n"
                        : report.tables().stream()
                                .filter(table -> !table.isEmpty())
                                .map(table -> TextTable.write(table, Terminal.columns()))
                                .collect(Collectors.joining("\n")));
        report.cut().ifPresent(why -> console.err().println("report %s: incomplete: %s".formatted(file, why)));
        return ExitCode.PASSED;
    }

    private int ofSweeps(Console console) {
        UsageException.throwIf(
                only != null || !from.isZero() || to != null || card != null,
                "report %s: --only, --from, --to and --card are for runs, not for sweeps",
                folders.get(0));
        SweepResult sweep = Sweeps.read("report", folders, derived);
        ReportFiles files = files();
        console.print(json, json ? SweepJson.write(sweep) : SweepReport.write(sweep, Terminal.columns()));
        return files.write(
                () -> SweepPage.write(sweep, pages(files.html().path())),
                SweepPage.about(sweep),
                () -> SweepTables.of(sweep),
                this::suites,
                sweep.missing().isPresent() ? ExitCode.INVALID : ExitCode.PASSED,
                console.err());
    }

    /** One for each sweep, since each has its own trials' folders. */
    private List<TestSuite> suites() throws IOException {
        List<TestSuite> suites = new ArrayList<>();
        for (String folder : folders) {
            Path path = Path.of(folder);
            suites.addAll(TestSuites.of(SweepJson.read(path), path));
        }
        return suites;
    }

    private Function<TrialRow, Optional<String>> pages(Path page) throws IOException {
        return TrialPages.of(folders.stream().map(Path::of).toList()).linksOf(page);
    }

    private ReportFiles files() {
        return ReportFiles.of(ReadFolders.of("report", folders), asked);
    }

    /** An empty part would look like a run that did nothing. */
    private void checkLeft(String folder, StoredRun stored, List<Interval> left) {
        boolean part = only != null || !from.isZero() || to != null;
        if (!part || !left.isEmpty()) {
            return;
        }
        Duration end = stored.intervals().stream()
                .map(interval -> interval.start().plus(interval.length()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        if (from.compareTo(end) >= 0) {
            String late = "--from %.3fs: expected a time before the end of what was measured, %.3fs";
            throw new UsageException(String.format(Locale.ROOT, late, from.toNanos() / 1e9, end.toNanos() / 1e9));
        }
        throw new UsageException(
                "report %s: nothing was measured in the part that --only, --from and --to select", folder);
    }

    private boolean isWanted(Interval interval) {
        boolean phase = only == null || List.of(only.split(",")).contains(interval.phase());
        boolean begun = interval.start().compareTo(from) >= 0;
        boolean ended = to == null || interval.start().plus(interval.length()).compareTo(to) <= 0;
        return phase && begun && ended;
    }
}
