package io.phaseload.cli.cluster;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Help;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cluster.ClockWatch;
import io.phaseload.files.AtomicFile;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.report.ClockPage;
import io.phaseload.report.cells.Table;
import io.phaseload.report.text.TextTable;
import io.phaseload.result.json.FileProblem;
import io.phaseload.result.store.ResultFolder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Option;

/** {@code phaseload clock}: compares the clocks of agents and this machine. */
public final class ClockCommand {

    static final String HELP =
            """
            Compares the clocks of agents (phaseload agent) with this machine's and with each other's, over time and
            without load: by how much each is ahead, with a bound that assumes nothing of the routes, and how fast
            it drifts.

            Usage: phaseload clock --agents N [options]

              --agents N|named:NAMES|local:N
                                     how many agents to wait for, or which; local:3 starts three on this
                                     machine
              --duration T           how long (10m)
              --every T              how often (1s)
              --listen HOST:PORT     where agents find this command (127.0.0.1:7800)
              --cluster-tunnel       agents connect to this command alone; they have this option, too
              --agents-timeout T     how long to wait for agents (60s)
              --cluster-secret-file FILE
                                     the secret that agents have, too; or set PHASELOAD_CLUSTER_SECRET
              --cluster-keys FILE    coordinator.p12 made by phaseload agent, for TLS with keys that don't
                                     follow from the secret
              -o, --out DIR          folder of clock.csv, clock.html and clock.json (a new one in results)
              --help

            Exit codes: 0, 1 agents are missing, or an internal error, 2 usage, 130 interrupted while it waited.
            Ctrl-C ends it, and writes what was read.
            """;

    private static final Duration DURATION = Duration.ofMinutes(10);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofMillis(10);

    private static final class Options implements MoreOptions {

        private final ClusterOptions cluster = new ClusterOptions();

        @Option(name = "--duration", usage = "a time such as 10m")
        private String duration;

        @Option(name = "--every", usage = "a time such as 1s")
        private String every;

        @Option(name = "--out", aliases = "-o", usage = "a folder")
        private String out;

        @Option(name = "--help", aliases = "-h", help = true)
        private boolean help;

        @Override
        public List<?> more() {
            return List.of(cluster);
        }
    }

    private final Options options = new Options();
    private final PrintStream out;
    private final PrintStream err;

    public ClockCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns its exit code. */
    public int run(String... arguments) throws UsageException {
        new OptionParser(options).parse(arguments);
        if (options.help) {
            out.print(Help.full(HELP));
            return ExitCode.PASSED;
        }
        Duration duration = time("--duration", options.duration, DURATION);
        Duration every = time("--every", options.every, EVERY);
        ClusterPlan cluster = options.cluster
                .withoutLoad("clock sends no load")
                .orElseThrow(() -> new UsageException("clock: expected --agents N"));
        ResultFolder folder = Folders.make(options.out, "clock");
        ClockTables tables = new ClockTables();
        int code = watch(cluster, folder.path(), duration, every, tables);
        try {
            if (tables.isEmpty()) {
                folder.abandon();
                return code;
            }
            return write(folder.path(), tables);
        } catch (IOException e) {
            err.println(folder.path() + " couldn't be written to: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static Duration time(String option, String text, Duration otherwise) throws UsageException {
        return text == null
                ? otherwise
                : Checked.value(
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

    private int watch(ClusterPlan cluster, Path folder, Duration duration, Duration every, ClockTables tables) {
        try (AgentPool agents = AgentPool.open(cluster, folder, err)) {
            Stop stop = new Stop(agents);
            try (Interruption interruption = new Interruption(stop::stop, Duration.ZERO, err, false)) {
                ClockWatch watch = new ClockWatch(agents.await(), duration, every, tables::add, err::println);
                stop.begin(watch);
                watch.run();
                return ExitCode.PASSED;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (IOException e) {
            err.println("phaseload: " + e.getMessage());
            return e instanceof InterruptedIOException ? ExitCode.INTERRUPTED : ExitCode.INTERNAL_ERROR;
        }
    }

    private int write(Path folder, ClockTables tables) throws IOException {
        Table summary = tables.summary();
        Table points = tables.points();
        out.print(TextTable.write(summary, TextTable.WIDE));
        AtomicFile.write(folder.resolve("clock.csv"), tables.csv());
        AtomicFile.write(folder.resolve("clock.json"), Table.json(List.of(points)) + "\n");
        AtomicFile.write(folder.resolve("clock.html"), ClockPage.write(summary, points));
        out.println("Clocks: " + folder);
        return ExitCode.PASSED;
    }

    /** Ends whatever goes on. Thread-safe. */
    private static final class Stop {

        private final AgentPool agents;
        private Optional<ClockWatch> watch = Optional.empty();
        private boolean stopped;

        Stop(AgentPool agents) {
            this.agents = agents;
        }

        synchronized void begin(ClockWatch begun) {
            watch = Optional.of(begun);
            if (stopped) {
                begun.close();
            }
        }

        synchronized void stop() {
            stopped = true;
            watch.ifPresent(ClockWatch::close);
            agents.stop();
        }
    }
}
