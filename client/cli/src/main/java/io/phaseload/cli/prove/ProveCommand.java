package io.phaseload.cli.prove;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.files.FileProblem;
import io.phaseload.options.UsageException;
import io.phaseload.prove.AccessLog;
import io.phaseload.prove.Reconciliation;
import io.phaseload.prove.SelfProofFile;
import io.phaseload.report.text.ProofLines;
import io.phaseload.result.Proof;
import io.phaseload.result.Result;
import io.phaseload.result.SelfProof;
import io.phaseload.result.json.ResultJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload prove}: checks the client on this machine, or a stored run against its server's log. */
public final class ProveCommand implements CommandBean {

    private static final int RATE = 100;
    private static final Duration LENGTH = Duration.ofSeconds(6);

    @Argument(metaVar = "DIR LOG", usage = "a results folder, and the server's access log or a copy of it")
    private List<String> words = new ArrayList<>();

    @Option(name = "--self")
    private boolean self;

    @Option(name = "--json")
    private boolean json;

    @Override
    public int execute(Console console) {
        UsageException.throwIf(
                self != words.isEmpty() || !self && words.size() != 2,
                "prove: expected --self, or a results folder and an access log");
        return self ? self(console) : log(console, words.get(0), words.get(1));
    }

    private int self(Console console) {
        try {
            SelfProof proof = SelfCheck.run(RATE, LENGTH);
            SelfProofFile.keep(proof);
            console.print(json ? ResultJson.text(proof) : ProofLines.text(proof, Terminal.columns()));
            return proof.passed() ? ExitCode.PASSED : ExitCode.INVALID;
        } catch (IOException e) {
            console.err()
                    .println("prove --self: expected a folder that can be written to: %s: %s"
                            .formatted(SelfProof.file().getParent(), FileProblem.of(e)));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private int log(Console console, String folder, String name) {
        Result result = Folders.read("prove", folder).result();
        Path file = Checked.value("prove", name, Path::of, "an access log");
        Instant end = result.startedAt()
                .plus(result.totals().wall())
                .plus(result.plan().target().responseTimeout());
        Reconciliation reconciliation = new Reconciliation(
                name, result.plan(), result, Optional.empty(), AccessLog.during(result.startedAt(), end));
        Proof proof = Checked.file("prove " + name, "the server's access log", () -> {
            AccessLog.whole(file).read(reconciliation::add);
            return reconciliation.proof();
        });
        console.print(json ? ResultJson.text(proof) : ProofLines.text(proof, Terminal.columns()));
        return proof.unexplained() == 0 ? ExitCode.PASSED : ExitCode.INVALID;
    }
}
