package io.phaseload.cli.stored;

import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Help;
import io.phaseload.options.EditDistance;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.Explanations;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload explain}: how a finding is concluded. */
public final class ExplainCommand {

    static final String HELP =
            """
            Explains how a finding of a report is concluded, and what to do about it.

            Usage: phaseload explain [ID]

            The id is in the report, in parentheses. Without one, all ids are listed.

              --help
            """;

    private static final class Options {

        @Argument(metaVar = "ID", usage = "a finding's id")
        private List<String> ids = new ArrayList<>();

        @Option(name = "--help", aliases = "-h", help = true)
        private boolean help;
    }

    private final Options options = new Options();
    private final PrintStream out;

    public ExplainCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) throws UsageException {
        new OptionParser(options).parse(arguments);
        if (options.help) {
            out.print(Help.full(HELP));
            return ExitCode.PASSED;
        }
        if (options.ids.isEmpty()) {
            Explanations.ids().forEach(out::println);
            return ExitCode.PASSED;
        }
        for (String id : options.ids) {
            out.println(String.join("\n\n", explanation(id)));
        }
        return ExitCode.PASSED;
    }

    private static List<String> explanation(String id) throws UsageException {
        return Explanations.of(id).orElseThrow(() -> unknown(id));
    }

    private static UsageException unknown(String id) {
        return new UsageException("explain: no finding '%s'%s"
                .formatted(
                        id,
                        EditDistance.nearest(id, Explanations.ids())
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse("; 'phaseload explain' lists all ids")));
    }
}
