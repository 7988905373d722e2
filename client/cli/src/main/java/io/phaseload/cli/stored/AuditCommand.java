package io.phaseload.cli.stored;

import io.phaseload.audit.Audit;
import io.phaseload.audit.ForeignFile;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.AuditReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload audit}: the trust that another tool's result deserves. */
public final class AuditCommand implements CommandBean {

    @Argument(metaVar = "FILE", usage = "a result of k6, JMeter, vegeta, oha or Locust")
    private String file;

    @Option(name = "--users")
    private Integer users;

    @Option(name = "--json")
    private boolean json;

    @Override
    public int execute(Console console) {
        UsageException.throwIf(file == null, "audit: expected a file");
        UsageException.throwIf(users != null && users < 1, "--users %d: expected 1 or more", users);
        Path path = Checked.value("audit", file, Path::of, "a file's name");
        try {
            Audit audit = ForeignFile.audit(path, users == null ? OptionalDouble.empty() : OptionalDouble.of(users));
            console.print(json ? audit.json() : AuditReport.text(audit, Terminal.columns()));
            return ExitCode.PASSED;
        } catch (IOException e) {
            String why = FileProblem.of(e);
            throw new UsageException("audit " + (why.startsWith(path.toString()) ? why : path + ": " + why));
        }
    }
}
