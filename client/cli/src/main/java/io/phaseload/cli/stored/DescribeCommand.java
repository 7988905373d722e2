package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.runs.DescriptionReport;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.TrialDescription;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload describe}: the trials of sweeps, in eight numbers per figure. */
public final class DescribeCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "sweeps' folders")
    private List<String> folders = new ArrayList<>();

    @Option(
            name = "--by",
            metaVar = "COLUMNS",
            usage = "a group for each value of these columns of trials.csv, such as step or"
                    + " cluster_type,node_count (all trials together)")
    private String by;

    @Option(
            name = "--figures",
            metaVar = "COLUMNS",
            usage = "only these columns (throughput, failures, times and metrics)")
    private String figures;

    @Option(
            name = "--derive",
            metaVar = "NAME=EXPRESSION",
            usage = "a figure that is computed from columns of the same row, with + - * / and parentheses:"
                    + " events_per_second=events/elapsed_s; may be repeated")
    private List<String> derived = new ArrayList<>();

    @Option(name = "--csv", usage = "as CSV, instead of a table")
    private boolean csv;

    @Option(name = "--json", usage = "as JSON, instead of a table")
    private boolean json;

    private final PrintStream out;

    public DescribeCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public int execute() {
        UsageException.throwIf(csv && json, "--csv cannot be combined with --json");
        UsageException.throwIf(folders.isEmpty(), "describe: expected one or more sweeps' folders");
        SweepResult sweep = Sweeps.read("describe", folders, derived);
        TrialDescription description = TrialDescription.of(
                sweep.rows(),
                by == null ? List.of() : Checked.some("--by", by, sweep.trials().columns()),
                figures == null
                        ? TrialDescription.usualFigures(sweep.trials())
                        : Checked.some("--figures", figures, sweep.trials().columns()));
        Texts.print(text(description), out);
        return ExitCode.PASSED;
    }

    private String text(TrialDescription description) {
        if (csv) {
            return DescriptionReport.csv(description);
        }
        return json ? DescriptionReport.json(description) : DescriptionReport.table(description, Terminal.columns());
    }
}
