package io.phaseload.cli.run;

import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.cluster.LoadClients;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.doctor.Examination;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.terminal.Display;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cli.terminal.Keys;
import io.phaseload.cli.terminal.LatencyBars;
import io.phaseload.cli.terminal.ProgressPrinter;
import io.phaseload.cli.terminal.RunScreen;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.cli.terminal.TerminalWindow;
import io.phaseload.cli.watch.Outputs;
import io.phaseload.cli.watch.WatchOptions;
import io.phaseload.engine.Listeners;
import io.phaseload.files.FileProblem;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.junit.JUnitXml;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.result.Result;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import io.phaseload.scrape.ServerProbe;
import io.phaseload.server.TargetServer;
import io.phaseload.settings.Setting;
import io.phaseload.sweep.TrialClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@code phaseload run}: from options to an exit code. */
public final class RunCommand implements CommandBean {

    /** Stands for the address of a target that is started after everything else has been checked. */
    public static final URI NOT_STARTED_YET = URI.create("http://127.0.0.1/");

    private final RunOptions options = new RunOptions();

    /** True for a line without a command, which may be another tool's. */
    private final boolean bare;

    /** Its standard output is for people, unless {@code --json} asks for data. */
    private Console console;

    private boolean phasesAdded;
    private boolean intended;
    private List<String> differences = List.of();
    private OutputFile junit;
    private Outputs outputs;
    private Optional<ServerLog> log = Optional.empty();
    private Optional<ClusterPlan> cluster = Optional.empty();
    private Optional<Path> folder = Optional.empty();

    /** A run with the options of a line that names it. */
    public RunCommand() {
        this(false);
    }

    private RunCommand(boolean bare) {
        this.bare = bare;
    }

    /** A run with the options of a line without a command, which may be another tool's. */
    public static RunCommand ofBareLine() {
        return new RunCommand(true);
    }

    @Override
    public List<?> more() {
        return List.of(options);
    }

    @Override
    public void parse(OptionParser parser, String... arguments) {
        List<String> differ = ForeignOptions.parse(parser, bare, arguments);
        if (bare) {
            differences = differ;
            phasesAdded =
                    Stream.of(arguments).noneMatch(word -> word.startsWith("--phases") || word.startsWith("--plan"));
        }
    }

    /** {@return the folder of the run, once its results are written} */
    public Optional<Path> folder() {
        return folder;
    }

    @Override
    public int execute(Console streams) {
        console = options.watch.stream() ? streams.withoutOut() : streams;
        if (options.watch.stream()) {
            UsageException.throwIf(options.common.json, WatchOptions.STREAM + " cannot be combined with --json");
        }
        UsageException.throwIf(
                options.watch.tui() && options.common.quiet, WatchOptions.TUI + " cannot be combined with --quiet");
        if (options.doctor()) {
            options.cluster.refuse("--doctor checks this machine, which sends nothing then: expected phaseload"
                    + " doctor on the agents' machines");
        }
        cluster = options.cluster.plan();
        if (cluster.isPresent()) {
            options.watch.checkAgents();
        }
        RunPlan wanted = new RunPlan(options.plan.settings());
        Optional<URI> url = wanted.url();
        LocalTarget local = wanted.local();
        PlanPart part =
                PlanPart.of(wanted.against(url.orElse(NOT_STARTED_YET)), options.part.once, options.part.scenario);
        Plan plan = wanted.sign(part.plan());
        wanted.checkDataOf(plan);
        ClusterPlan.check(plan, cluster, url.isEmpty());
        if (cluster.isEmpty() && Heap.isTooSmall(List.of(plan), console.err())) {
            return ExitCode.INTERNAL_ERROR;
        }
        if (url.isPresent()) {
            checkServer(plan);
        }
        UsageException.throwIf(
                options.prove() != null && url.isEmpty(),
                ServerLog.PROVE + " needs --url: the built-in targets have no log");
        log = ServerLog.of(options.prove(), options.proveWait(), plan);
        junit = OutputFile.of("--junit", options.common.junit);
        intended = phasesAdded || !wanted.settings().has(Setting.PHASES);
        if (options.doctor() && !isFit(new Planned(plan, url.isEmpty()))) {
            return ExitCode.USAGE;
        }
        part.skipped().forEach(threshold -> console.err()
                .println("threshold '%s': skipped in this part of the plan".formatted(threshold)));
        try (Outputs opened = Outputs.open(options.watch, plan, streams.out(), console.err())) {
            outputs = opened;
            ResultFolder folder = Folders.make(options.common.out, plan.name());
            try (IntervalFiles intervals = begin(folder, plan)) {
                return url.isPresent()
                        ? execute(plan, folder, intervals, UnaryOperator.identity())
                        : againstOwn(local, wanted, folder, intervals);
            }
        }
    }

    private boolean isFit(Planned planned) {
        PrintStream text = console.text(options.common.json);
        try {
            boolean fit = Examination.printed(planned, 0, text, !options.common.quiet, display())
                    .passed();
            if (!fit) {
                console.err().println("--doctor: nothing was started, since a check failed");
            }
            return fit;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int againstOwn(LocalTarget local, RunPlan wanted, ResultFolder folder, IntervalFiles intervals) {
        try (TargetServer target = local.start()) {
            Plan plan = PlanPart.of(wanted.against(target.url()), options.part.once, options.part.scenario)
                    .plan();
            try {
                checkServer(plan);
            } catch (UsageException e) {
                folder.abandon();
                console.err().println(e.getMessage());
                return ExitCode.USAGE;
            }
            return execute(plan, folder, intervals, result -> local.counted(result, target, 0));
        } catch (IOException | UsageException e) {
            console.err().println("--target " + local.name() + ": couldn't be started: " + FileProblem.of(e));
            return ExitCode.INTERNAL_ERROR;
        }
    }

    /** Checks that the servers' figures can be read: without them the run would be useless. */
    public static void checkServer(Plan plan) {
        if (plan.serverMetrics().isEmpty()) {
            return;
        }
        ServerMetrics metrics = plan.serverMetrics().get();
        // Of several servers, each metric must be at one.
        Map<String, String> missing = new TreeMap<>();
        Set<String> there = new HashSet<>();
        for (ServerProbe probe : ServerProbe.of(metrics, plan.target())) {
            try {
                Set<String> lacks = probe.check();
                lacks.forEach(series -> missing.put(series, probe.server()));
                metrics.choices().values().stream()
                        .map(choice -> choice.series().toString())
                        .filter(series -> !lacks.contains(series))
                        .forEach(there::add);
            } catch (IOException e) {
                throw serverProblem(metrics, probe.server(), FileProblem.of(e));
            }
        }
        missing.keySet().removeAll(there);
        for (Map.Entry<String, String> series : missing.entrySet()) {
            throw serverProblem(metrics, series.getValue(), "it has no metric " + series.getKey());
        }
    }

    private static UsageException serverProblem(ServerMetrics metrics, String server, String problem) {
        return new UsageException(
                "--server-metrics %s: expected %s: %s",
                (server.isEmpty() ? "" : server + "=") + metrics.pages().get(server),
                metrics.choices().isEmpty()
                        ? "/metrics.json of Phaseload's own target, a page in"
                                + " Prometheus's format with metrics that are known,"
                                + " or --server-metric"
                        : "a page in Prometheus's format with all that is chosen",
                problem);
    }

    /** Checks now whether the folder can be written to, not when the run is over. */
    private static IntervalFiles begin(ResultFolder folder, Plan plan) {
        return Folders.writable(folder.path(), () -> folder.open(plan));
    }

    /** Signals are caught until the results are written: a second one must not lose them. */
    private int execute(Plan plan, ResultFolder folder, IntervalFiles intervals, UnaryOperator<Result> completed) {
        KnownPlan known = new KnownPlan(folder, plan);
        LatencyBars bars = new LatencyBars(plan.measuredPhases());
        Optional<PrintStream> live = options.common.quiet
                ? Optional.empty()
                : display().live(console.out(), console.err(), options.common.json || options.watch.stream());
        boolean watched = live.filter(console.out()::equals).isPresent();
        try (TerminalWindow window = new TerminalWindow(live.isPresent());
                RunScreen screen = screen(plan, live, window);
                LoadClients clients = LoadClients.open(cluster, folder.path(), console.err());
                TrialClient client = clients.open(
                        plan,
                        new Listeners(List.of(
                                screen == null ? listener(plan, live, window) : screen,
                                watched ? bars : RunListener.NONE,
                                intervals,
                                known,
                                outputs.listener(),
                                log.map(ServerLog::listener).orElse(RunListener.NONE))));
                Interruption interruption = new Interruption(
                        () -> stop(client, known),
                        plan.target().responseTimeout(),
                        console.err(),
                        () -> clear(screen, live));
                Keys keys = new Keys(System.in, line -> say(screen, line), client.steering(), live.isPresent())) {
            outputs.begin(plan.target().address(), folder.path(), client.steering());
            if (!options.common.quiet && (intended || options.part.once)) {
                // Scripts read standard output.
                String also = differences.isEmpty() ? "" : "; " + String.join(", ", differences);
                console.err().println(Intention.text(plan) + also);
            }
            Result measured = completed.apply(client.run());
            Result result =
                    log.map(of -> of.prove(plan, measured, console.err())).orElse(measured);
            if (screen != null) {
                screen.close();
            }
            known.join();
            // Before the report, whose last lines are the outcome.
            if (watched) {
                console.out().print(bars.text(window.columns(), Terminal.block()));
            }
            output().print(result);
            WrongScheme.hint(plan, result).ifPresent(console.err()::println);
            int code = finish(folder, result);
            return intervals.failure().map(why -> incomplete(folder, why)).orElse(code);
        } catch (IOException e) {
            known.join();
            return notRun(folder, e);
        }
    }

    /** A second signal waits for this: without the plan, what was written can't be read. */
    private static void stop(TrialClient client, KnownPlan known) {
        client.close();
        known.join();
    }

    /** Nothing was measured, so that nothing is kept. */
    private int notRun(ResultFolder folder, IOException why) {
        console.err().println("phaseload: " + why.getMessage());
        try {
            folder.abandon();
        } catch (IOException e) {
            console.err().println(folder.path() + " couldn't be emptied: " + FileProblem.of(e));
        }
        return why instanceof InterruptedIOException ? ExitCode.INTERRUPTED : ExitCode.INTERNAL_ERROR;
    }

    private int incomplete(ResultFolder folder, IOException why) {
        console.err().println("Not all intervals could be written to " + folder.path() + ": " + FileProblem.of(why));
        return ExitCode.INTERNAL_ERROR;
    }

    private Display display() {
        return Display.of(console.color());
    }

    private ResultOutput output() {
        return new ResultOutput(console, options.common.json, options.watch.stream() ? Display.PLAIN : display());
    }

    /** {@code null} without a screen of the run's own. */
    private RunScreen screen(Plan plan, Optional<PrintStream> live, TerminalWindow window) {
        if (!options.watch.tui()) {
            return null;
        }
        if (live.isEmpty()) {
            console.err().println(WatchOptions.TUI + ": there is no terminal, so progress is printed as lines");
            return null;
        }
        return new RunScreen(live.get(), plan.phases(), window::size, Terminal.block());
    }

    /** The next text begins a line of its own. */
    private void say(RunScreen screen, String line) {
        if (screen == null) {
            console.err().println(ProgressPrinter.ERASE + line);
        } else {
            screen.note(line);
        }
    }

    private void clear(RunScreen screen, Optional<PrintStream> live) {
        if (screen != null) {
            screen.close();
        } else if (live.isPresent()) {
            console.err().print(ProgressPrinter.ERASE);
        }
    }

    private RunListener listener(Plan plan, Optional<PrintStream> live, TerminalWindow window) {
        if (options.common.quiet) {
            return RunListener.NONE;
        }
        PrintStream text = console.text(options.common.json);
        return live.<RunListener>map(stream -> ProgressPrinter.live(text, stream, plan.phases(), window::columns))
                .orElseGet(() -> ProgressPrinter.plain(text, plan.phases(), console.err()));
    }

    private int finish(ResultFolder folder, Result result) {
        ResultOutput output = output();
        result.fault().ifPresent(fault -> console.err().println("phaseload: internal error: " + fault));
        try {
            output.write(result, folder);
            this.folder = Optional.of(folder.path());
            outputs.finished(folder.path());
        } catch (IOException e) {
            return Folders.notWritten(folder.path(), e, console.err());
        }
        return junit.write(() -> JUnitXml.write(List.of(TestSuites.of(result))), ExitCode.of(result), console.err());
    }
}
