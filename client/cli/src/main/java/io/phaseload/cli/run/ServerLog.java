package io.phaseload.cli.run;

import io.phaseload.cli.command.Checked;
import io.phaseload.files.FileProblem;
import io.phaseload.plan.Plan;
import io.phaseload.prove.AccessLog;
import io.phaseload.prove.Reconciliation;
import io.phaseload.prove.SentIds;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The access log that {@code --prove} names, from the run's start on. */
final class ServerLog {

    static final String PROVE = "--prove";

    static final String WAIT = "--prove-wait";

    private final String name;
    private final AccessLog log;
    private final Optional<SentIds> ids;
    private final Duration wait;

    private ServerLog(String name, AccessLog log, Optional<SentIds> ids, Duration wait) {
        this.name = name;
        this.log = log;
        this.ids = ids;
        this.wait = wait;
    }

    /** Checks now that it can be read, and remembers its end. */
    static Optional<ServerLog> of(String name, Duration wait, Plan plan) {
        if (name == null) {
            return Optional.empty();
        }
        Path file = Checked.value(PROVE, name, Path::of, "a file's name");
        boolean named = plan.target().details().tracedPercent() == 100;
        AccessLog log = Checked.file(PROVE + " " + name, "the server's access log", () -> {
            if (Files.isDirectory(file)) {
                throw new IOException("it is a folder");
            }
            return AccessLog.fromNow(file);
        });
        return Optional.of(new ServerLog(name, log, named ? Optional.of(new SentIds()) : Optional.empty(), wait));
    }

    RunListener listener() {
        return ids.<RunListener>map(of -> of).orElse(RunListener.NONE);
    }

    /** The result with the comparison; without it, and a line that says why, if the log can't be read. */
    Result prove(Plan plan, Result result, PrintStream err) {
        Reconciliation reconciliation = new Reconciliation(name, plan, result, ids, line -> true);
        try {
            log.await(reconciliation::add, reconciliation::lacking, wait);
        } catch (IOException e) {
            err.println("%s %s: couldn't be compared: %s".formatted(PROVE, name, FileProblem.of(e)));
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (log.unreadable() > 0) {
            err.println("%s %s: %d lines aren't in the common, combined or JSON format, such as: %.100s"
                    .formatted(PROVE, name, log.unreadable(), log.firstUnreadable()));
        }
        return result.withProof(reconciliation.proof());
    }
}
