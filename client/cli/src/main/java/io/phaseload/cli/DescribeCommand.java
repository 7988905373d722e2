package io.phaseload.cli;

import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.sweep.TrialDescription;
import io.phaseload.sweep.TrialTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload describe}: a sweep's trials in eight numbers a figure. */
final class DescribeCommand {

    static final String HELP =
            """
            Sums up the trials of a sweep: count, mean, standard deviation, least, quartiles and greatest
            of each figure, over the trials that were measured. Each trial counts as one value.

            Usage: phaseload describe DIR [options]

              --by COLUMNS      a group for each value of these columns of trials.csv, such as
                                cluster_type,node_count (step)
              --figures COLUMNS these columns alone (throughput, failures, times and metrics)
              --csv             as CSV, in place of a table
              --help
            """;

    private static final class Options {

        @Argument(metaVar = "DIR", usage = "a sweep's folder")
        private List<String> folders = new ArrayList<>();

        @Option(name = "--by", usage = "columns of trials.csv, separated by commas")
        private String by = "step";

        @Option(name = "--figures", usage = "columns of trials.csv, separated by commas")
        private String figures;

        @Option(name = "--csv")
        private boolean csv;

        @Option(name = "--help", aliases = "-h", help = true)
        private boolean help;
    }

    private final Options options = new Options();
    private final PrintStream out;

    DescribeCommand(PrintStream out) {
        this.out = out;
    }

    /** The exit code of what a command line asks for. */
    int run(String... arguments) throws UsageException {
        new OptionParser(options).parse(arguments);
        if (options.help) {
            out.print(Help.full(HELP));
            return ExitCode.PASSED;
        }
        if (options.folders.size() != 1) {
            throw new UsageException("describe: expected one sweep's folder");
        }
        TrialTable table = read(options.folders.get(0));
        TrialDescription description =
                TrialDescription.of(
                        table,
                        columns("--by", options.by, table),
                        options.figures == null
                                ? TrialDescription.usualFigures(table)
                                : columns("--figures", options.figures, table));
        String text = options.csv ? description.csv() : description.table();
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        return ExitCode.PASSED;
    }

    private static TrialTable read(String folder) throws UsageException {
        try {
            return TrialTable.read(Checked.value("describe", folder, Path::of, "a folder"));
        } catch (IOException e) {
            throw new UsageException(
                    "describe %s: expected a sweep's folder: %s".formatted(folder, e.getMessage()));
        }
    }

    private static List<String> columns(String option, String list, TrialTable table)
            throws UsageException {
        List<String> columns = List.of(list.split(","));
        for (String column : columns) {
            if (!table.columns().contains(column)) {
                throw new UsageException(
                        "%s %s: expected some of %s"
                                .formatted(option, list, String.join(",", table.columns())));
            }
        }
        return columns;
    }
}
