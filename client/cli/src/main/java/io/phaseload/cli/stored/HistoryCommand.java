package io.phaseload.cli.stored;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.FormatOptions;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ReadFolders;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.Side;
import io.phaseload.history.Histories;
import io.phaseload.history.History;
import io.phaseload.options.PercentHandler;
import io.phaseload.options.UsageException;
import io.phaseload.report.HistoryPage;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.runs.HistoryReport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload history}: runs of a plan over time, and when their figures changed. */
public final class HistoryCommand implements CommandBean {

    @Argument(metaVar = "DIR...", usage = "folders with results folders anywhere below them")
    private List<String> folders = new ArrayList<>();

    @Option(name = "--tolerance", handler = PercentHandler.class)
    private Double tolerance = 2.0;

    @Option(name = "--failures-tolerance", handler = PercentHandler.class)
    private Double failuresTolerance = 0.1;

    @Option(name = "--html")
    private String html;

    private final FormatOptions format = new FormatOptions();

    @Override
    public List<?> more() {
        return List.of(format);
    }

    @Override
    public int execute(Console console) {
        UsageException.throwIf(folders.isEmpty(), "history: expected a folder with results");
        format.check();
        OutputFile page = ReadFolders.of("history", folders).protect(OutputFile.of("--html", html));
        List<History> histories = read(console.err());
        console.print(format.of(
                () -> History.json(histories),
                () -> joined(histories, HistoryReport::markdown),
                columns -> joined(histories, history -> HistoryReport.text(history, columns))));
        return page.write(() -> HistoryPage.write(histories), ExitCode.PASSED, console.err());
    }

    /** A run that can't be read doesn't hide the others. */
    private List<History> read(PrintStream err) {
        Histories histories = new Histories(Headline::title, new Tolerance(tolerance / 100, failuresTolerance));
        for (String top : folders) {
            for (String folder : Folders.below("history", top)) {
                try {
                    histories.add(new Side.Trial(folder, Folders.read("history", folder)));
                } catch (UsageException e) {
                    err.println(e.getMessage() + "; it is left out");
                }
            }
        }
        List<History> found = histories.all();
        UsageException.throwIf(
                found.isEmpty(), "history %s: expected results folders below it", String.join(" ", folders));
        return found;
    }

    private static String joined(List<History> histories, Function<History, String> report) {
        return histories.stream().map(report).collect(Collectors.joining("\n"));
    }
}
