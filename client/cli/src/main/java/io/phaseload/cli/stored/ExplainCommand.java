package io.phaseload.cli.stored;

import io.phaseload.cli.command.CommandOptions;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.options.EditDistance;
import io.phaseload.options.Help;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.Explanations;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload explain}: how a finding is concluded. */
public final class ExplainCommand {

    private static final class ExplainOptions {

        @Argument(metaVar = "ID", usage = "a finding's id, which the report has in parentheses (lists all ids)")
        private List<String> ids = new ArrayList<>();

        @Option(name = "--json", usage = "as JSON; without an id, the explanations of all")
        private boolean json;
    }

    private final ExplainOptions options = new ExplainOptions();
    private final CommandOptions all = new CommandOptions(options);
    private final PrintStream out;

    public ExplainCommand(PrintStream out) {
        this.out = out;
    }

    /** The help of {@code explain}. */
    public static Help help() {
        return CommandOptions.help("explain", new ExplainOptions());
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) throws UsageException {
        if (all.areAnswered(arguments, out, ExplainCommand::help)) {
            return ExitCode.PASSED;
        }
        for (String id : options.ids) {
            if (!Explanations.ids().contains(id)) {
                throw unknown(id);
            }
        }
        Texts.print(text(), out);
        return ExitCode.PASSED;
    }

    private String text() {
        if (options.json) {
            return Explanations.json(options.ids.isEmpty() ? Explanations.ids() : options.ids);
        }
        StringBuilder text = new StringBuilder();
        if (options.ids.isEmpty()) {
            Explanations.ids().forEach(id -> text.append(id).append('\n'));
        }
        for (String id : options.ids) {
            text.append(String.join("\n\n", Explanations.of(id).orElseThrow())).append('\n');
        }
        return text.toString();
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
