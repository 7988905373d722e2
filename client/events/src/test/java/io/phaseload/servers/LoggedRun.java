package io.phaseload.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** A run against a real server, and what that has in its log of it. */
final class LoggedRun implements AutoCloseable {

    /** The cause of a request that the server may have read or not. */
    static final String RESET = "reset before response";

    /** The cause of a request that crossed with the end of its connection. */
    static final String UNKNOWN = "connection ended, unknown if read";

    /** That of one which the server says it hasn't read, on one connection after another. */
    static final String GOAWAY = "goaway NO_ERROR";

    private static final AtomicInteger IDS = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Servers write other lines, too. */
    private static final Pattern WHOLE = Pattern.compile(" \\d{3}$");

    private static final long LOG_PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long POLL_NANOS = 5_000_000;

    private final RealServer server;
    private final Route route;
    private final String mark = "?run=" + IDS.incrementAndGet();
    private final ThreadsLoadClient client;
    private final CompletableFuture<Figures> figures;
    private final Map<Integer, Long> logged = new TreeMap<>();
    private long logRead;

    /**
     * Starts a run.
     *
     * @param operations their paths have no query: it tells runs apart in the log
     */
    LoggedRun(RealServer server, Route route, int users, Phase phase, Operation... operations) {
        this(server, route, users, phase, false, operations);
    }

    /**
     * Starts a run.
     *
     * @param resendIdle whether idempotent requests on idle connections are sent again
     * @param operations see above
     */
    LoggedRun(RealServer server, Route route, int users, Phase phase, boolean resendIdle, Operation... operations) {
        this.server = server;
        this.route = route;
        logRead = server.log().toFile().length();
        client = ThreadsLoadClient.of(Plan.builder(route.uri(server))
                .insecure(true)
                .resendIdle(resendIdle)
                .engine(route.engine())
                .threads(users)
                .phases(phase)
                .operations(Arrays.stream(operations).map(this::marked).toArray(Operation[]::new))
                .connectTimeout(PATIENCE)
                .responseTimeout(PATIENCE)
                .build());
        figures = CompletableFuture.supplyAsync(() -> client.run().totals(), task -> new Thread(task, "run").start());
    }

    private Operation marked(Operation of) {
        return new Operation(of.name(), of.method(), of.path() + mark, of.headers(), of.body(), of.checks());
    }

    /** A phase whose users send all the time. */
    static Phase busy(long iterations) {
        return new Phase("peak", 1, new PhaseLength.Iterations(iterations));
    }

    /** A phase whose users pause for a random time between iterations. */
    static Phase pausing(long iterations, int minMillis, int maxMillis) {
        Pause think = new Pause(Duration.ofMillis(minMillis), Duration.ofMillis(maxMillis));
        return new Phase(
                "peak", 1, new PhaseLength.Iterations(iterations), new Load.Closed(think, Pause.NONE, Duration.ZERO));
    }

    /** Waits for the run's end; returns what it measured. */
    Figures end() {
        return figures.join();
    }

    /** Has the run end, with no request left unanswered. */
    @Override
    public void close() {
        client.close();
        figures.join();
    }

    /** Waits until the server has logged so many more requests, while the run goes on. */
    void awaitMoreLogged(long requests) throws IOException {
        awaitLogged(total(logged()) + requests);
    }

    private void awaitLogged(long requests) throws IOException {
        long limit = System.nanoTime() + LOG_PATIENCE_NANOS;
        while (total(logged()) < requests && System.nanoTime() < limit) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The requests that the server has logged so far, by status. A line is read once: logs have 100,000 of them. */
    Map<Integer, Long> logged() throws IOException {
        try (SeekableByteChannel log = Files.newByteChannel(server.log())) {
            ByteBuffer more = ByteBuffer.allocate((int) (log.size() - logRead));
            log.position(logRead);
            while (more.hasRemaining() && log.read(more) >= 0) {
                // Reads on.
            }
            String text = new String(more.array(), 0, more.position(), StandardCharsets.ISO_8859_1);
            // The last line may be half written.
            int end = text.lastIndexOf('\n') + 1;
            logRead += end;
            text.substring(0, end)
                    .lines()
                    .filter(line ->
                            line.contains(mark + " ") && WHOLE.matcher(line).find())
                    .forEach(line ->
                            logged.merge(Integer.valueOf(line.substring(line.lastIndexOf(' ') + 1)), 1L, Long::sum));
        }
        return new TreeMap<>(logged);
    }

    private static long total(Map<Integer, Long> byStatus) {
        return byStatus.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Requires sent ≤ logged ≤ sent + resent, so that both are equal if nothing was sent again, and as many lines of a
     * status as responses with it, or more.
     *
     * @param unread the causes of failures after which nobody knows if the server had read the request
     */
    void assertAgrees(String... unread) throws IOException {
        Figures run = end();
        long unknown = Arrays.stream(unread)
                .mapToLong(cause -> run.failures().getOrDefault(cause, 0L))
                .sum();
        long least = run.requests() - unknown;
        awaitLogged(least);
        Map<Integer, Long> logged = logged();
        assertThat(total(logged)).as("%s logged of %s", logged, this).isBetween(least, run.requests() + run.resent());
        run.statuses().forEach((status, count) -> assertThat(logged.get(status))
                .as("%d in %s of %s", status, logged, this)
                .isNotNull()
                .isGreaterThanOrEqualTo(count));
    }

    @Override
    public String toString() {
        Figures run = end();
        return "%s: %d sent, %d again, %d reconnects, %s, %s"
                .formatted(route, run.requests(), run.resent(), run.reconnects(), run.statuses(), run.failures());
    }
}
