package io.phaseload.cli.stored;

import io.phaseload.audit.Audit;
import io.phaseload.audit.ForeignFile;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandOptions;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.Help;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.AuditReport;
import io.phaseload.result.json.FileProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload audit}: the trust that another tool's result deserves. */
public final class AuditCommand {

    private static final class AuditOptions {

        @Argument(metaVar = "FILE", usage = "a result of k6, JMeter, vegeta, oha or Locust")
        private String file;

        @Option(
                name = "--users",
                metaVar = "N",
                usage = "the users or connections that the tool had, if its file lacks them (oha, Locust's statistics)")
        private Integer users;

        @Option(name = "--json", usage = "as JSON")
        private boolean json;
    }

    private final AuditOptions options = new AuditOptions();
    private final CommandOptions all = new CommandOptions(options);
    private final PrintStream out;

    public AuditCommand(PrintStream out) {
        this.out = out;
    }

    /** The help of {@code audit}. */
    public static Help help() {
        return CommandOptions.help("audit", new AuditOptions());
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) {
        if (all.areAnswered(arguments, out, AuditCommand::help)) {
            return ExitCode.PASSED;
        }
        if (options.file == null) {
            throw new UsageException("audit: expected a file");
        }
        if (options.users != null && options.users < 1) {
            throw new UsageException("--users %d: expected 1 or more".formatted(options.users));
        }
        Path file = Checked.value("audit", options.file, Path::of, "a file's name");
        try {
            Audit audit = ForeignFile.audit(
                    file, options.users == null ? OptionalDouble.empty() : OptionalDouble.of(options.users));
            Texts.print(options.json ? audit.json() : AuditReport.text(audit, Terminal.columns()), out);
            return ExitCode.PASSED;
        } catch (IOException e) {
            String why = FileProblem.of(e);
            throw new UsageException("audit " + (why.startsWith(file.toString()) ? why : file + ": " + why));
        }
    }
}
