package io.phaseload.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.host.Daemons;
import io.phaseload.host.HostFigure;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.report.tables.FigureTitle;
import io.phaseload.report.tables.Percentiles;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page of a run while it goes on. Its path begins with a token, without which it answers nothing. When the run is
 * over, the page becomes the report.
 */
public final class LivePage implements RunListener, AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final Duration LAST_READ = Duration.ofSeconds(3);
    private static final int TOKEN_BYTES = 16;

    private final Plan plan;
    private final SecondJson seconds;
    private final OperationSums sums;
    private final Viewers viewers = new Viewers();
    private final LiveFiles files = new LiveFiles();
    private final Judge judge;
    private final String token;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("phaseload-live"));
    private final AtomicInteger unread = new AtomicInteger();
    private volatile Runnable stop = () -> {};
    private volatile String target = "";
    private volatile Optional<String> report = Optional.empty();
    // Used by the run's thread alone.
    private Duration since = EVERY;
    private int users;

    /**
     * Opens the page.
     *
     * @param address the place to listen at; port 0 is any free one
     * @throws IOException if the port is taken
     */
    public LivePage(Plan plan, InetSocketAddress address) throws IOException {
        this.plan = plan;
        this.seconds = new SecondJson(plan);
        this.sums = new OperationSums(Operation.namesInResult(plan.scenario().operations()));
        this.judge = new Judge(json -> viewers.keep("judgement", json));
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        token = HexFormat.of().formatHex(random);
        server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, 404, "text/plain", "Not found\n"));
        server.createContext(path(), this::answer);
        server.start();
    }

    /** {@return the page's path, which begins and ends with a slash} */
    public String path() {
        return "/" + token + "/";
    }

    /** {@return the port that it listens at} */
    public int port() {
        return server.getAddress().getPort();
    }

    /**
     * The run begins to be measured.
     *
     * @param address the target's, which may have been started just now
     * @param folder its results folder, which is read for verdict and diagnoses
     * @param stopping ends the run in order, when a reader asks for it
     */
    public void begin(String address, Path folder, Runnable stopping) {
        target = address;
        stop = stopping;
        judge.begin(folder);
    }

    @Override
    public void runStarted(Instant at) {
        ObjectNode json = SecondJson.run(plan, at);
        json.put("target", target);
        ObjectNode titles = json.putObject("titles");
        HostFigure.names().forEach(name -> titles.put(name, FigureTitle.of(name)));
        plan.measuredPhases().forEach(json.withArray("measured")::add);
        viewers.keep("run", json.toString());
    }

    @Override
    public void phaseStarted(Phase phase, int count) {
        users = count;
    }

    @Override
    public void interval(Interval interval) {
        Histogram times = SecondJson.times(interval);
        ObjectNode json = seconds.of(interval, users, times);
        ArrayNode heat = json.putArray("heat");
        Percentiles.cells(times).forEach((cell, count) -> heat.add(cell).add(count));
        viewers.keep("second", json.toString());
        sums.add(interval);
        since = since.plus(interval.length());
        if (since.compareTo(EVERY) >= 0 && viewers.connected() > 0) {
            since = Duration.ZERO;
            viewers.send("operations", sums.json());
        }
        if (viewers.connected() > 0) {
            judge.perhaps();
        }
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        judge.now();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring(path().length());
        boolean posted = exchange.getRequestMethod().equals("POST");
        if (posted && name.equals("stop")) {
            stop.run();
            answer(exchange, 204, "text/plain", "");
        } else if (posted || !exchange.getRequestMethod().equals("GET")) {
            answer(exchange, 405, "text/plain", "Method not allowed\n");
        } else if (name.equals("events")) {
            events(exchange);
        } else if (name.isEmpty() && report.isPresent()) {
            answer(exchange, 200, "text/html; charset=utf-8", report.get());
            read();
        } else {
            Optional<LiveFiles.File> file = files.named(name);
            if (file.isPresent() && name.isEmpty()) {
                exchange.getResponseHeaders().set("Content-Security-Policy", LiveFiles.POLICY);
            }
            answer(
                    exchange,
                    file.isPresent() ? 200 : 404,
                    file.map(LiveFiles.File::type).orElse("text/plain"),
                    file.map(LiveFiles.File::text).orElse("Not found\n"));
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
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
        server.stop(0);
        threads.shutdownNow();
    }
}
