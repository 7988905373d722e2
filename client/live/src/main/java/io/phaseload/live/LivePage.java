package io.phaseload.live;

import com.sun.net.httpserver.HttpExchange;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.run.Steering;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A page of a run while it goes on, which also changes its load. When the run is over, it becomes the report. */
public final class LivePage implements LiveServer.Part, AutoCloseable {

    private static final Duration LAST_READ = Duration.ofSeconds(3);

    private final Viewers viewers = new Viewers();
    private final LiveFiles files = new LiveFiles();
    private final Control control = Control.ofPage();
    private final Judge judge = new Judge(json -> viewers.keep("judgement", json));
    private final AtomicInteger unread = new AtomicInteger();
    private volatile String target = "";
    private volatile Optional<String> report = Optional.empty();

    /** The page of a run that hasn't begun. */
    public LivePage() {}

    /**
     * Shows a run.
     *
     * @param plan the plan that will be run
     * @param step of a sweep that it belongs to, for people; empty if it is none
     * @return is to receive the run's progress
     */
    public RunListener run(Plan plan, String step) {
        return new PageRun(this, viewers, plan, step);
    }

    /**
     * A trial of a sweep is over.
     *
     * @param step for people
     * @param trial its number
     * @param result the measurement
     */
    public void trial(String step, int trial, Result result) {
        Figures measured = result.measured();
        ObjectNode json = SecondJson.object()
                .put("step", step)
                .put("trial", trial)
                .put("requestsPerSecond", measured.requestsPerSecond())
                .put("failedPercent", measured.failedPercent())
                .put("verdict", result.verdict().status().name());
        json.putObject("response")
                .put("p50Ms", millis(measured.response().p50()))
                .put("p99Ms", millis(measured.response().p99()));
        viewers.keep(Viewers.TRIAL, json.toString());
    }

    private static @Nullable Double millis(LatencyValue of) {
        return of.value().map(time -> time.toNanos() / 1e6).orElse(null);
    }

    /**
     * The trial of a sweep that begins.
     *
     * @param folder its results folder, which is read for verdict and diagnoses
     */
    public void judged(Path folder) {
        judge.begin(folder);
    }

    String target() {
        return target;
    }

    Control control() {
        return control;
    }

    Judge judge() {
        return judge;
    }

    /**
     * The run begins to be measured.
     *
     * @param address the target's, which may have been started just now
     * @param folder its results folder, which is read for verdict and diagnoses
     * @param steering changes its load, when a reader asks for it
     */
    public void begin(String address, Path folder, Steering steering) {
        target = address;
        control.begin(steering);
        judge.begin(folder);
    }

    @Override
    public boolean answer(HttpExchange exchange, String name) throws IOException {
        if (control.answer(exchange, name)) {
            return true;
        }
        Optional<LiveFiles.File> file = name.isEmpty() && report.isPresent()
                ? report.map(text -> new LiveFiles.File("text/html; charset=utf-8", text))
                : files.named(name);
        boolean events = name.equals("events");
        if (file.isEmpty() && !events) {
            return false;
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            LiveServer.answer(exchange, 405, "text/plain", "Method not allowed\n");
        } else if (events) {
            events(exchange);
        } else if (name.isEmpty() && report.isPresent()) {
            LiveServer.answer(exchange, 200, file.get().type(), file.get().text());
            read();
        } else {
            if (name.isEmpty()) {
                exchange.getResponseHeaders().set("Content-Security-Policy", LiveFiles.POLICY);
            }
            LiveServer.answer(exchange, 200, file.get().type(), file.get().text());
        }
        return true;
    }

    private void events(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        try (exchange) {
            viewers.serve(exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The run is over: browsers load its report from the same address. */
    public void finished(String page) {
        report = Optional.of(page);
        unread.set(viewers.connected());
        viewers.keep("end", "{}");
    }

    private void read() {
        synchronized (unread) {
            unread.decrementAndGet();
            unread.notifyAll();
        }
    }

    /** Waits for up to three seconds until the browsers that are connected have loaded the report. */
    @Override
    public void close() {
        judge.close();
        long end = System.nanoTime() + LAST_READ.toNanos();
        try {
            synchronized (unread) {
                while (unread.get() > 0 && System.nanoTime() < end) {
                    unread.wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        viewers.end();
    }
}
