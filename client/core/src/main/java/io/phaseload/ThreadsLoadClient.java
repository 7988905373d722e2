package io.phaseload;

import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.engine.Engine;
import io.phaseload.engine.Engines;
import io.phaseload.engine.Listeners;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.threads.ThreadEngine;
import io.phaseload.http.client.ClientProvider;
import io.phaseload.journey.JourneyData;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.build.AbortWatch;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.build.ThresholdSeries;
import io.phaseload.result.host.HostUse;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.OwnClient;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;
import io.phaseload.scrape.ServerProbe;
import io.phaseload.scrape.ServerWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Runs a plan with one thread per virtual user, or with another engine that the plan names, and returns what it
 * measured.
 *
 * <pre>{@code
 * Result result = ThreadsLoadClient.of(Plan.builder(URI.create("http://localhost:8080/"))
 *         .threads(100).iterations(100).build()).run();
 * System.out.println(result.totals().response().p99()); // 67.078 ms
 * }</pre>
 *
 * <p>One-shot: a client runs its plan once. {@link #close()} may be called by any thread, at any time, any number of
 * times.
 */
public final class ThreadsLoadClient implements AutoCloseable {

    private final Plan plan;
    private final AbortWatch abort;
    private final HostUse use = new HostUse();
    private final ThresholdSeries thresholds;
    private final SeriesRecorder seconds = new SeriesRecorder();
    private final Optional<ServerWatch> server;
    private final Engine engine;

    private ThreadsLoadClient(Plan plan, RunListener listener, BiFunction<Plan, RunListener, Engine> engines) {
        JourneyData.check(plan, System.getenv());
        this.plan = plan;
        this.abort = new AbortWatch(plan, this::stop);
        // From a thread of its own: this one reports, and a change is reported as well.
        this.thresholds = new ThresholdSeries(plan, () -> CompletableFuture.runAsync(this::next));
        RunListener all = new Listeners(List.of(listener, abort, use, seconds, thresholds));
        this.server = plan.serverMetrics()
                .map(metrics -> ServerProbe.of(metrics, plan.target()))
                .map(probes -> new ServerWatch(probes, all));
        this.engine = engines.apply(plan, server.isPresent() ? server.get() : all);
    }

    private void stop() {
        engine.stop();
    }

    private void next() {
        engine.steering().steer(LoadChange.Kind.NEXT, "", LoadEvent.DECIDED);
    }

    /**
     * Makes a client for a plan.
     *
     * @param plan the plan to run
     * @return a client that has not begun
     * @throws IllegalArgumentException if the plan's engine isn't on the class path, or can't do what the plan asks
     *     for: virtual threads need JDK 21; naming data of its journeys that can't be read
     */
    public static ThreadsLoadClient of(Plan plan) {
        return of(plan, RunListener.NONE);
    }

    /**
     * Makes a client for a plan, with a listener.
     *
     * @param plan the plan to run
     * @param listener receives phases and, once a second, progress
     * @return a client that has not begun
     * @throws IllegalArgumentException if the plan's engine isn't on the class path, or can't do what the plan asks
     *     for: virtual threads need JDK 21
     */
    public static ThreadsLoadClient of(Plan plan, RunListener listener) {
        return new ThreadsLoadClient(plan, listener, Engines::create);
    }

    /**
     * A client for a plan whose users send with an HTTP client of the caller's. The result has a label that says so:
     * {@link Plan#CLIENT}.
     *
     * @param plan the plan to run, on the engine {@code threads}
     * @param client of {@code phaseload-httpclient}; makes the HTTP client, once
     * @return a client that has not begun
     * @throws IllegalArgumentException if the plan names another engine, or asks for what threads can't do: virtual
     *     threads need JDK 21
     */
    public static ThreadsLoadClient of(Plan plan, OwnClient client) {
        return of(plan, RunListener.NONE, client);
    }

    /**
     * A client for a plan that reports its progress, and whose users send with an HTTP client of the caller's; see
     * {@link #of(Plan, OwnClient)}.
     *
     * @param plan the plan to run, on the engine {@code threads}
     * @param listener receives phases and, once a second, progress
     * @param client of {@code phaseload-httpclient}; makes the HTTP client, once
     * @return a client that has not begun
     * @throws IllegalArgumentException if the plan names another engine, or asks for what threads can't do: virtual
     *     threads need JDK 21
     */
    public static ThreadsLoadClient of(Plan plan, RunListener listener, OwnClient client) {
        if (!plan.engine().name().equals(EngineSettings.THREADS.name())) {
            throw new IllegalArgumentException("engine %s: expected threads, which alone run a client of one's own"
                    .formatted(plan.engine().name()));
        }
        if (!(client instanceof ClientProvider provider)) {
            throw new IllegalArgumentException("client %s: expected one of a module of this library".formatted(client));
        }
        Engines.check(plan, new ThreadEngine());
        return new ThreadsLoadClient(
                plan.labelled(Plan.CLIENT, client.toString()),
                listener,
                (labelled, heard) -> ThreadEngine.of(labelled, heard, provider));
    }

    /**
     * Runs the plan and waits for its end. Failed requests are in the result; they are no exceptions. If the calling
     * thread is interrupted, or {@link #close()} is called, sending ends, requests in flight get five seconds, and the
     * result is marked as interrupted; the thread's interrupt flag stays set. A threshold that says {@code abort} ends
     * the run in the same way.
     *
     * @return the measurement
     * @throws IllegalStateException if this client has run already
     */
    public Result run() {
        return run(StartGate.OPEN);
    }

    /**
     * Runs the plan as {@link #run()} does, but starts each phase only when a gate opens: when all of its users are
     * ready, and before the first of them sends.
     *
     * @param gate such as one that several clients share, so that their phases start together
     * @return the measurement
     * @throws IllegalStateException if this client has run already
     */
    public Result run(StartGate gate) {
        Measurement measured = engine.run(gate);
        Result result = ResultBuilder.of(plan, Environment.capture(), measured, abort.breach());
        server.ifPresent(ServerWatch::close);
        return ResultBuilder.explain(thresholds.judged(result.with(use)), measured, seconds);
    }

    /** {@return a hand on the load while it runs} */
    public Steering steering() {
        return engine.steering();
    }

    /** Ends the run, if it is running: see {@link #run()}. Returns at once. */
    @Override
    public void close() {
        abort.close();
        engine.stop();
    }
}
