package io.phaseload.cli.prove;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandOptions;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.Help;
import io.phaseload.options.UsageException;
import io.phaseload.prove.AccessLog;
import io.phaseload.prove.Reconciliation;
import io.phaseload.prove.SelfProofFile;
import io.phaseload.report.text.ProofLines;
import io.phaseload.result.Proof;
import io.phaseload.result.Result;
import io.phaseload.result.SelfProof;
import io.phaseload.result.json.FileProblem;
import io.phaseload.result.json.ResultJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload prove}: checks the client on this machine, or a stored run against its server's log. */
public final class ProveCommand {

    private static final int RATE = 100;
    private static final Duration LENGTH = Duration.ofSeconds(6);

    private static final class ProveOptions {

        @Argument(metaVar = "DIR LOG", usage = "a results folder, and the server's access log or a copy of it")
        private List<String> words = new ArrayList<>();

        @Option(
                name = "--self",
                usage = "checks counts, percentiles and a freeze on this machine in 20 s, and keeps the outcome for"
                        + " the results of later runs")
        private boolean self;

        @Option(name = "--json", usage = "as JSON")
        private boolean json;
    }

    private final ProveOptions options = new ProveOptions();
    private final CommandOptions all = new CommandOptions(options);
    private final PrintStream out;
    private final PrintStream err;

    public ProveCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** The help of {@code prove}. */
    public static Help help() {
        return CommandOptions.help("prove", new ProveOptions());
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) {
        if (all.areAnswered(arguments, out, ProveCommand::help)) {
            return ExitCode.PASSED;
        }
        if (options.self != options.words.isEmpty() || !options.self && options.words.size() != 2) {
            throw new UsageException("prove: expected --self, or a results folder and an access log");
        }
        return options.self ? self() : log(options.words.get(0), options.words.get(1));
    }

    private int self() {
        try {
            SelfProof proof = SelfCheck.run(RATE, LENGTH);
            SelfProofFile.keep(proof);
            Texts.print(options.json ? ResultJson.text(proof) : ProofLines.text(proof, Terminal.columns()), out);
            return proof.passed() ? ExitCode.PASSED : ExitCode.INVALID;
        } catch (IOException e) {
            err.println("prove --self: expected a folder that can be written to: %s: %s"
                    .formatted(SelfProof.file().getParent(), FileProblem.of(e)));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private int log(String folder, String name) {
        Result result = Folders.read("prove", folder).result();
        Path file = Checked.value("prove", name, Path::of, "an access log");
        Instant end = result.startedAt()
                .plus(result.totals().wall())
                .plus(result.plan().target().responseTimeout());
        Reconciliation reconciliation = new Reconciliation(
                name, result.plan(), result, Optional.empty(), AccessLog.during(result.startedAt(), end));
        try {
            AccessLog.whole(file).read(reconciliation::add);
        } catch (IOException e) {
            throw new UsageException(
                    "prove %s: expected the server's access log: %s".formatted(name, FileProblem.of(e)));
        }
        Proof proof = reconciliation.proof();
        Texts.print(options.json ? ResultJson.text(proof) : ProofLines.text(proof, Terminal.columns()), out);
        return proof.unexplained() == 0 ? ExitCode.PASSED : ExitCode.INVALID;
    }
}
