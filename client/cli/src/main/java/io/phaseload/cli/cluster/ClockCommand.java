package io.phaseload.cli.cluster;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cluster.ClockWatch;
import io.phaseload.files.AtomicFile;
import io.phaseload.files.FileProblem;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.report.ClockPage;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextTable;
import io.phaseload.result.store.ResultFolder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.kohsuke.args4j.Option;

/** {@code phaseload clock}: compares the clocks of agents and this machine. */
public final class ClockCommand implements CommandBean {

    private static final Duration LEAST = Duration.ofMillis(10);

    @Option(name = "--duration")
    private String duration = "10m";

    @Option(name = "--every")
    private String every = "1s";

    @Option(name = "--out", aliases = "-o")
    private String folder;

    @Option(name = "--json")
    private boolean json;

    private final ClusterOptions agents = new ClusterOptions();

    @Override
    public int execute(Console console) {
        Duration duration = time("--duration", this.duration);
        Duration every = time("--every", this.every);
        ClusterPlan cluster = agents.withoutLoad("clock sends no load")
                .orElseThrow(() -> new UsageException("clock: expected --agents N"));
        ResultFolder folder = Folders.make(this.folder, "clock");
        ClockTables tables = new ClockTables();
        int code = watch(cluster, folder.path(), duration, every, tables, console.err());
        try {
            if (tables.isEmpty()) {
                folder.abandon();
                return code == ExitCode.PASSED ? nothingRead(console.err()) : code;
            }
            return write(console, folder.path(), tables);
        } catch (IOException e) {
            console.err().println(folder.path() + " couldn't be written to: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    /** Without this, {@code --json} would print nothing and succeed. */
    private int nothingRead(PrintStream err) {
        err.println("phaseload: no agent's clock could be read in --duration " + duration);
        return ExitCode.INTERNAL_ERROR;
    }

    @Override
    public List<?> more() {
        return List.of(agents);
    }

    private static Duration time(String option, String text) throws UsageException {
        return Checked.value(
                option,
                text,
                of -> {
                    Duration time = Quantities.parseDuration(of, false);
                    if (time.compareTo(LEAST) < 0) {
                        throw new IllegalArgumentException(of);
                    }
                    return time;
                },
                "a time of 10ms or more, such as 1s");
    }

    private static int watch(
            ClusterPlan cluster, Path folder, Duration duration, Duration every, ClockTables tables, PrintStream err) {
        try (AgentPool agents = AgentPool.open(cluster, folder, err);
                Interruption interruption = new Interruption(agents::stop, Duration.ZERO, err, () -> {})) {
            ClockWatch watch = new ClockWatch(agents.await(), duration, every, tables::add, err::println);
            agents.begin(watch::close);
            watch.run();
            return ExitCode.PASSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (IOException e) {
            err.println("phaseload: " + e.getMessage());
            return e instanceof InterruptedIOException ? ExitCode.INTERRUPTED : ExitCode.INTERNAL_ERROR;
        }
    }

    private int write(Console console, Path folder, ClockTables tables) throws IOException {
        Table summary = tables.summary();
        Table points = tables.points();
        PrintStream text = console.text(json);
        text.print(TextTable.write(summary, TextTable.WIDE));
        String document = Table.json(List.of(summary, points)) + "\n";
        AtomicFile.write(folder.resolve("clock.csv"), tables.csv());
        AtomicFile.write(folder.resolve("clock.json"), document);
        AtomicFile.write(folder.resolve("clock.html"), ClockPage.write(summary, points));
        text.println("Clocks: " + folder);
        if (json) {
            console.print(document);
        }
        return ExitCode.PASSED;
    }
}
