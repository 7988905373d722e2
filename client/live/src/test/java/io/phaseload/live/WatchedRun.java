package io.phaseload.live;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.Listeners;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.report.RunPage;
import io.phaseload.result.Result;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.result.store.StoredRun;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A run with a live page, which goes on until it is stopped, or to its plan's end. */
final class WatchedRun implements AutoCloseable {

    static final String TOKEN = "0123456789-a_token";

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final ThreadsLoadClient client;
    final LivePage page;
    final LiveServer live;
    private final Control control = Control.ofScripts();
    final CompletableFuture<Result> result;

    WatchedRun(Path results, UnaryOperator<PlanBuilder> changes) throws Exception {
        server = HttpServer.create(ANY, 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/") ? 200 : 503, -1);
            }
        });
        server.start();
        Plan plan = changes.apply(Plan.builder(URI.create(
                                "http://127.0.0.1:" + server.getAddress().getPort() + "/"))
                        .name("shop")
                        .threads(2)
                        .operations(Operation.get("/"), Operation.get("/broken")))
                .build();
        ResultFolder folder = ResultFolder.at(results);
        page = new LivePage();
        live = new LiveServer(ANY, Optional.of(TOKEN));
        live.serve(page, control);
        IntervalFiles files = folder.open(plan);
        folder.writePlan(plan);
        RunListener watched = page.run(plan, "");
        RunListener agent = new RunListener() {
            @Override
            public void interval(Interval interval) {
                watched.agentInterval("one", interval);
            }
        };
        client = ThreadsLoadClient.of(plan, new Listeners(List.of(files, agent, watched)));
        page.begin(plan.target().address(), folder.path(), client.steering());
        control.begin(client.steering());
        result = CompletableFuture.supplyAsync(
                () -> {
                    try (files) {
                        Result done = client.run();
                        folder.write(done);
                        page.finished(RunPage.write(done, StoredRun.intervals(folder.path(), done)));
                        return done;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                threads);
    }

    /** The address of a file of the page. */
    URI url(String name) {
        return URI.create("http://127.0.0.1:" + live.port() + live.path() + name);
    }

    @Override
    public void close() {
        client.close();
        result.join();
        page.close();
        live.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
