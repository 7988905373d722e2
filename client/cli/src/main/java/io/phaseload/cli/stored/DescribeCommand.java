package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandOptions;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.Help;
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
public final class DescribeCommand {

    private static final class DescribeOptions {

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
    }

    private final DescribeOptions options = new DescribeOptions();
    private final CommandOptions all = new CommandOptions(options);
    private final PrintStream out;

    public DescribeCommand(PrintStream out) {
        this.out = out;
    }

    /** The help of {@code describe}. */
    public static Help help() {
        return CommandOptions.help("describe", new DescribeOptions());
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) {
        if (all.areAnswered(arguments, out, DescribeCommand::help)) {
            return ExitCode.PASSED;
        }
        if (options.csv && options.json) {
            throw new UsageException("--csv cannot be combined with --json");
        }
        if (options.folders.isEmpty()) {
            throw new UsageException("describe: expected one or more sweeps' folders");
        }
        SweepResult sweep = Sweeps.read("describe", options.folders, options.derived);
        TrialDescription description = TrialDescription.of(
                sweep.rows(),
                options.by == null
                        ? List.of()
                        : Checked.some("--by", options.by, sweep.trials().columns()),
                options.figures == null
                        ? TrialDescription.usualFigures(sweep.trials())
                        : Checked.some(
                                "--figures", options.figures, sweep.trials().columns()));
        Texts.print(text(description), out);
        return ExitCode.PASSED;
    }

    private String text(TrialDescription description) {
        if (options.csv) {
            return DescriptionReport.csv(description);
        }
        return options.json
                ? DescriptionReport.json(description)
                : DescriptionReport.table(description, Terminal.columns());
    }
}
