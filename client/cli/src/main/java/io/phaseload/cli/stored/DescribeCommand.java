package io.phaseload.cli.stored;

import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.DescriptionReport;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.TrialDescription;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload describe}: the trials of sweeps, in eight numbers per figure. */
public final class DescribeCommand {

    static final String HELP =
            """
            Summarizes the trials of sweeps: count, mean, standard deviation, minimum, quartiles and maximum
            of each figure, over the trials that were measured. Each trial counts as one value.

            Usage: phaseload describe DIR [DIR...] [options]

              --by COLUMNS      a group for each value of these columns of trials.csv, such as step or
                                cluster_type,node_count (all trials together)
              --figures COLUMNS only these columns (throughput, failures, times and metrics)
              --derive NAME=EXPRESSION
                                a figure that is computed from columns of the same row, with + - * / and
                                parentheses: events_per_second=events/elapsed_s; may be repeated
              --csv             as CSV, instead of a table
              --help
            """;

    private static final class Options {

        @Argument(metaVar = "DIR", usage = "a sweep's folder")
        private List<String> folders = new ArrayList<>();

        @Option(name = "--by", usage = "columns of trials.csv, separated by commas")
        private String by;

        @Option(name = "--figures", usage = "columns of trials.csv, separated by commas")
        private String figures;

        @Option(name = "--derive", usage = "name=expression")
        private List<String> derived = new ArrayList<>();

        @Option(name = "--csv")
        private boolean csv;
    }

    private final Options options = new Options();
    private final PrintStream out;

    public DescribeCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) {
        if (StoredOptions.areForHelp(arguments, HELP, out, options)) {
            return ExitCode.PASSED;
        }
        if (options.folders.isEmpty()) {
            throw new UsageException("describe: expected one or more sweeps' folders");
        }
        SweepResult sweep = Sweeps.read("describe", options.folders, options.derived);
        TrialDescription description = TrialDescription.of(
                sweep.rows(),
                options.by == null ? List.of() : columns("--by", options.by, sweep),
                options.figures == null
                        ? TrialDescription.usualFigures(sweep.trials())
                        : columns("--figures", options.figures, sweep));
        String text = options.csv
                ? DescriptionReport.csv(description)
                : DescriptionReport.table(description, Terminal.columns());
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        return ExitCode.PASSED;
    }

    private static List<String> columns(String option, String list, SweepResult sweep) {
        List<String> columns = List.of(list.split(","));
        for (String column : columns) {
            if (!sweep.trials().columns().contains(column)) {
                throw new UsageException("%s %s: expected some of %s"
                        .formatted(option, list, String.join(",", sweep.trials().columns())));
            }
        }
        return columns;
    }
}
