package io.phaseload.cli.decide;

import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.cluster.LoadClients;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.LocalTarget;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cli.terminal.ProgressPrinter;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.engine.Listeners;
import io.phaseload.live.LivePage;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import io.phaseload.run.RunListener;
import io.phaseload.run.Steering;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.RunSeries;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Runs plans one after another, each with a folder of its own below the command's folder, until a signal ends it. While
 * it runs, a terminal shows a live line.
 */
final class PlannedRuns implements AutoCloseable {

    private final Path folder;
    private final LoadClients clients;
    private final RunSeries series;
    private final Interruption interruption;
    private final Optional<PrintStream> live;
    private final Optional<LivePage> page;
    private final PrintStream err;

    /**
     * Begins to catch signals, and to listen for agents if there are to be any.
     *
     * @param folder the command's
     * @param timeout of requests, for which a signal waits
     * @param page shows the run that goes on
     * @throws IOException with a message for people
     */
    PlannedRuns(
            Path folder,
            CommonOptions common,
            Optional<ClusterPlan> cluster,
            Duration timeout,
            Optional<LivePage> page,
            Console console)
            throws IOException {
        this.err = console.err();
        this.folder = folder;
        this.clients = LoadClients.open(cluster, folder, err);
        this.series = new RunSeries(clients);
        this.live = common.live(console);
        this.interruption = new Interruption(series::close, timeout, err, () -> clear(live));
        this.page = page;
    }

    /**
     * Runs a plan, against a target that is started for this run alone unless the plan has an address.
     *
     * @param name of the run's folder
     * @param title of the run, for people
     * @return the run as it was written; interrupted if {@link #isStopped}
     * @throws IOException if nothing could be measured, or written
     */
    StoredRun run(String name, String title, RunPlan wanted) throws IOException {
        if (wanted.url().isPresent()) {
            return run(name, title, wanted.signed(null), UnaryOperator.identity());
        }
        LocalTarget local = wanted.local();
        try (TargetServer target = local.start()) {
            return run(name, title, wanted.signed(target.url()), result -> local.counted(result, target, 0));
        }
    }

    private StoredRun run(String name, String title, Plan plan, UnaryOperator<Result> completed) throws IOException {
        List<RunListener> listeners = new ArrayList<>();
        live.ifPresent(to -> {
            int columns = Terminal.width();
            PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
            listeners.add(ProgressPrinter.live(nowhere, to, plan.phases(), () -> columns));
        });
        page.ifPresent(of -> {
            of.judged(folder.resolve(name));
            listeners.add(of.run(plan, title));
        });
        ResultFolder own = ResultFolder.at(folder.resolve(name));
        Result result = series.run(own, plan, new Listeners(listeners), completed);
        clear(live);
        page.ifPresent(of -> of.trial(title, 1, result));
        ResultOutput.writeFiles(result, own.path(), err);
        return StoredRun.read(own.path());
    }

    /** Has the next runs use so many of the agents, if there are any. */
    void use(int agents) {
        clients.use(agents);
    }

    private static void clear(Optional<PrintStream> live) {
        live.ifPresent(to -> {
            to.print(ProgressPrinter.ERASE);
            to.flush();
        });
    }

    /** Whether a signal ended it. */
    boolean isStopped() {
        return series.isStopped();
    }

    /** Waits; returns false if a signal ended it meanwhile. */
    boolean pause(Duration length) {
        return series.pause(length);
    }

    /** Ends the run that goes on, for a page in the browser. */
    Steering steering() {
        return Steering.refusing("the load of these runs cannot be changed", series::close);
    }

    @Override
    public void close() {
        interruption.close();
        clients.close();
    }
}
