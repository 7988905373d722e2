package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Body;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read back is compared with what the same user wrote. */
@Tag("contract")
@Timeout(60)
class JourneyCheckTest {

    private static final int USERS = 3;
    private static final int ITERATIONS = 5;

    private final Map<String, byte[]> items = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer store;

    /** Of a key and what was written, what is read. */
    private BinaryOperator<String> read = (key, written) -> written;

    @BeforeEach
    void open() throws IOException {
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.setExecutor(threads);
        store.createContext("/", this::answer);
        store.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        store.stop(0);
        threads.shutdownNow();
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestURI().getPath().substring(1);
            if (exchange.getRequestMethod().equals("PUT")) {
                items.put(key, exchange.getRequestBody().readAllBytes());
                exchange.sendResponseHeaders(201, -1);
                return;
            }
            byte[] body = items.get(key);
            byte[] answer =
                    body == null ? null : read.apply(key, new String(body)).getBytes();
            exchange.sendResponseHeaders(answer == null ? 404 : 200, answer == null ? -1 : answer.length);
            if (answer != null) {
                exchange.getResponseBody().write(answer);
            }
        }
    }

    private List<Tally> run(Step... steps) {
        Journey journey = Journey.named("store");
        for (Step step : steps) {
            journey = journey.step(step);
        }
        URI uri = URI.create("http://127.0.0.1:" + store.getAddress().getPort() + "/");
        Plan plan = Plan.builder(uri)
                .threads(USERS)
                .scenario(Scenario.of(new Journeys(List.of(journey), Map.of("salt", "s"), List.of())))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(ITERATIONS), Load.Closed.AT_ONCE))
                .build();
        return TestEngine.of(plan, new RunListener() {}).run().phases().get(0).operations();
    }

    private static Step write(String key, String value) {
        return Step.of(Operation.of("PUT", "/" + key).named("write").withBody(Body.ofText(value)));
    }

    private static Step read(String key, String checks) {
        return Step.get("/" + key).expect(checks).continueOnFailure();
    }

    @Test
    void whatIsReadIsWhatThisUserWroteInThisIteration() {
        String value = "{user} it's {iteration} {hmac:salt:{user}}";
        List<Tally> steps = run(
                write("{user}-{iteration:0..1}", value),
                read("{user}-{iteration:0..1}", "body='" + value.replace("'", "''") + "' as 'data was not validated'"));
        assertThat(items).containsOnlyKeys("0-0", "0-1", "1-0", "1-1", "2-0", "2-1");
        assertThat(steps.get(1).requests()).isEqualTo(USERS * ITERATIONS);
        assertThat(steps.get(1).failed()).isZero();
    }

    @Test
    void anotherValueHasTheNameOfTheCheckAsCause() {
        read = (key, written) -> key.startsWith("1-") ? "of another" : written + " and more";
        List<Tally> steps = run(
                write("{user}-{iteration}", "{user} {iteration}"),
                read("{user}-{iteration}", "body~'{user} {iteration}' as 'another value'"),
                read("{user}-{iteration}", "body='{user} {iteration}'"),
                read("{user}-{iteration}-none", "status=200 as 'never written'"));
        assertThat(steps.get(1).causes())
                .isEqualTo(Map.of("another value", new Tally.Failures(ITERATIONS, "of another")));
        // A cause doesn't change with the values.
        assertThat(steps.get(2).causes()).containsOnlyKeys("check body='{user} {iteration}'");
        assertThat(steps.get(2).failed()).isEqualTo(USERS * ITERATIONS);
        assertThat(steps.get(3).causes())
                .isEqualTo(Map.of("never written", new Tally.Failures(USERS * ITERATIONS, "status 404")));
    }

    @Test
    void twoBracesInACheckAreOne() {
        List<Tally> steps = run(write("{user}", "{{user}"), read("{user}", "body='{{user}'"));
        assertThat(steps.get(1).failed()).isZero();
        read = (key, written) -> "x";
        assertThat(run(write("{user}", "x"), read("{user}", "body='{{user}'"))
                        .get(1)
                        .causes())
                .containsOnlyKeys("check body='{user}'");
    }
}
