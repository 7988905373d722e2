package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Body;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Condition;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What journeys send and what is counted of them, compared with what a shop got. {@code client/events} has it over
 * HTTP/2, too.
 */
@Tag("contract")
@Timeout(60)
public class JourneyTest {

    private static final int ROWS = 40;

    private static final int LARGE = 8 << 20;

    private static final int KEPT_FAILURES = 3;

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private HttpServer shop;

    /** Logs in, gives an item to who has a token, and takes orders but those of every fifth user. */
    @BeforeEach
    void open() throws IOException {
        shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.setExecutor(threads);
        shop.createContext("/", this::answer);
        shop.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        shop.stop(0);
        threads.shutdownNow();
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            seen.add(request + (token == null ? "" : " " + token) + (body.isEmpty() ? "" : " " + body));
            String answer = "{}";
            int status = 200;
            if (request.equals("POST /login")) {
                String user = body.replaceAll(".*\"user\":\"([^\"]*)\".*", "$1");
                answer = "{\"token\": \"t-" + user + "\"}";
                exchange.getResponseHeaders().add("Set-Cookie", "sid=s-" + user + "; Path=/");
            } else if (request.startsWith("GET /items/")) {
                answer = "<a href='/next'>" + token + "</a>";
            } else if (request.startsWith("POST /orders")) {
                status = token.matches("Bearer t-user\\d*[05]") ? 503 : 201;
                exchange.getResponseHeaders().add("Retry-After", "3");
            }
            if (request.equals("GET /large")) {
                answer = "{\"early\": 1, \"fill\": \"" + "x".repeat(LARGE) + "\", \"late\": 2}";
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + shop.getAddress().getPort() + "/");
    }

    /** Runs a plan whose target is the shop. */
    protected Measurement measure(Plan plan) {
        return TestEngine.of(plan, new RunListener() {}).run();
    }

    private Feeder accounts(Feeder.Exhausted end) throws IOException {
        String rows = IntStream.range(0, ROWS)
                .mapToObj(i -> "user" + i + ",\"p" + i + "\"\"&\"")
                .collect(Collectors.joining("\n"));
        Path file = Files.writeString(folder.resolve("accounts.csv"), "name,password\n" + rows);
        return new Feeder("accounts", Feeder.Format.CSV, file, Feeder.RowOrder.SEQUENTIAL, Feeder.Each.ITERATION, end);
    }

    private static Journey buy() {
        return Journey.named("buy")
                .weight(4)
                .step(Step.post(
                                "/login",
                                Body.ofText("{\"user\":\"{accounts.name}\",\"pw\":\"{json:{accounts.password}}\"}"))
                        .extract("token", "json:/token"))
                .step(new Step.Group(
                        "order",
                        List.of(
                                Step.get("/items/{accounts.name}?n={iteration}")
                                        .header("Authorization", "Bearer {token}")
                                        .expect("status=200 body~'Bearer t-'")
                                        .extract("next", "regex:href='([^']+)'"),
                                Step.post("/orders", Body.ofText("{next}")).header("Authorization", "Bearer {token}"))))
                .step(Step.get("/bye"));
    }

    private static Journey browse() {
        return Journey.named("browse")
                .step(new Step.Repeat(2, List.of(Step.get("/list"))))
                .step(new Step.When(Condition.parse("{user} == 4"), List.of(Step.get("/four"))))
                .step(new Step.When(Condition.parse("{user} != 4"), List.of(Step.get("/others"), Step.get("/more"))));
    }

    private PhaseMeasurement run(Journeys journeys, int users, PhaseLength length, Load load) {
        Plan plan = Plan.builder(uri())
                .threads(users)
                .scenario(Scenario.of(journeys))
                .phases(new Phase("peak", 1, length, load))
                .build();
        Measurement measured = measure(plan);
        assertThat(measured.fault()).isEmpty();
        return measured.phases().get(0);
    }

    private long seen(String start) {
        return seen.stream().filter(request -> request.startsWith(start)).count();
    }

    @Test
    void countsAreTheShopsByStepAndCause() throws IOException {
        Journeys journeys =
                new Journeys(List.of(buy(), browse()), Map.of(), List.of(accounts(Feeder.Exhausted.REPEAT)));
        PhaseMeasurement phase = run(journeys, 5, new PhaseLength.Iterations(10), Load.Closed.AT_ONCE);

        List<Tally> steps = phase.operations();
        // Of five users, four buy; each iteration takes a row, also those that don't use it.
        assertThat(steps.stream().map(Tally::requests))
                .containsExactly(
                        seen("POST /login"),
                        seen("GET /items/"),
                        seen("POST /orders"),
                        seen("GET /bye"),
                        seen("GET /list"),
                        seen("GET /four"),
                        seen("GET /others"),
                        seen("GET /more"));
        long refused = seen.stream()
                .filter(of -> of.startsWith("POST /orders") && of.matches(".*user\\d*[05] .*"))
                .count();
        assertThat(seen("POST /login")).isEqualTo(40);
        assertThat(seen("GET /bye")).isEqualTo(40 - refused);
        assertThat(refused).isPositive();
        assertThat(steps.get(2).causes()).containsEntry("http 503", new Tally.Failures(refused, "Retry-After: 3; {}"));
        assertThat(phase.notSent()).isEqualTo(Map.of("an earlier step failed", refused));
        assertThat(phase.asked()).isEqualTo(seen.size() + refused);
        assertThat(steps.get(2).firstFailed())
                .hasSize(KEPT_FAILURES)
                .allMatch(of -> of.request().equals("POST /orders") && of.status() == 503)
                .allMatch(of -> of.message().orElseThrow().equals("Retry-After: 3; {}"));
        // An address as sent, of who sent it; but each user has its own iterations.
        assertThat(steps.get(1).slowest())
                .hasSize(10)
                .allMatch(of -> seen.stream().anyMatch(sent -> sent.startsWith(of.request() + " ")))
                .allMatch(of -> of.request().endsWith("?n=" + of.iteration().orElseThrow()))
                .allMatch(of -> of.user() < 5 && of.cause().isEmpty());
        assertThat(phase.journeys()).allMatch(of -> of.slowest().isEmpty());
        assertThat(phase.sample().all())
                .filteredOn(of -> of.operation() == 1)
                .hasSize(40)
                .allMatch(of -> seen.stream().anyMatch(sent -> sent.startsWith("GET " + of.path() + " ")));

        List<String> timed = journeys.timed();
        assertThat(timed).containsExactly("buy", "browse", "buy/order");
        assertThat(phase.journeys().stream().map(Tally::requests)).containsExactly(40L, 10L, 40L);
        String cause = "buy: POST /orders: http 503";
        for (int i : new int[] {0, 2}) {
            assertThat(phase.journeys().get(i).causes().get(cause).count()).isEqualTo(refused);
        }
        assertThat(phase.journeys().get(1).failed()).isZero();
    }

    @Test
    void rowsAreUsedOnceEachUntilTheyAreUsedUp() throws IOException {
        Journeys journeys = new Journeys(List.of(buy()), Map.of(), List.of(accounts(Feeder.Exhausted.STOP)));
        PhaseMeasurement phase = run(journeys, 8, new PhaseLength.Iterations(10), Load.Closed.AT_ONCE);

        assertThat(seen.stream().filter(of -> of.startsWith("POST /login")))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS)
                        .mapToObj(i -> "POST /login {\"user\":\"user%d\",\"pw\":\"p%d\\\"&\"}".formatted(i, i))
                        .toList());
        for (String item :
                seen.stream().filter(of -> of.startsWith("GET /items/")).toList()) {
            String user = item.replaceAll("GET /items/(user\\d+)\\?.*", "$1");
            assertThat(item).matches("GET /items/" + user + "\\?n=\\d Bearer t-" + user);
        }
        assertThat(seen("POST /orders Bearer t-")).isEqualTo(ROWS);
        assertThat(seen.stream().filter(of -> of.startsWith("POST /orders"))).allMatch(of -> of.endsWith(" /next"));
        assertThat(phase.notSent()).isEqualTo(Map.of("no data left", (80L - ROWS) * 4, "an earlier step failed", 8L));
        assertThat(phase.asked()).isEqualTo(8 * 10 * 4);
    }

    @Test
    void openArrivalsStartJourneys() throws IOException {
        Journeys journeys =
                new Journeys(List.of(buy(), browse().weight(1)), Map.of(), List.of(accounts(Feeder.Exhausted.REPEAT)));
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);
        PhaseMeasurement phase = run(journeys, 10, new PhaseLength.Iterations(5), open);

        // Of each five arrivals, four buy.
        assertThat(seen("POST /login")).isEqualTo(40);
        assertThat(phase.journeys().get(0).requests()).isEqualTo(40);
        assertThat(phase.journeys().get(1).requests()).isEqualTo(10);
        long sent = phase.operations().stream().mapToLong(Tally::requests).sum();
        assertThat(sent).isEqualTo(seen.size());
        assertThat(phase.notSent().keySet()).containsOnly("an earlier step failed");
        assertThat(phase.asked()).isEqualTo(40 * 4 + sent - seen("POST") - seen("GET /items") - seen("GET /bye"));
    }

    @Test
    void aMissingValueIsACauseOfItsOwn() {
        Journey journey = Journey.named("j")
                .step(Step.get("/a").extract("id", "json:/id").continueOnFailure())
                .step(Step.get("/b").extract("id", "header:X-Id"))
                .step(Step.get("/c"));
        PhaseMeasurement phase = run(Journeys.of(journey), 2, new PhaseLength.Iterations(3), Load.Closed.AT_ONCE);
        assertThat(phase.operations().stream().map(Tally::requests)).containsExactly(6L, 6L, 0L);
        assertThat(phase.operations().get(0).causes()).containsOnlyKeys("no id in GET /a");
        assertThat(phase.operations().get(1).causes()).containsOnlyKeys("no id in GET /b");
        assertThat(phase.operations().get(0).counters().responses()).isEqualTo(6);
        assertThat(phase.journeys().get(0).causes()).containsOnlyKeys("GET /a: no id in GET /a");
        assertThat(phase.notSent()).isEqualTo(Map.of("an earlier step failed", 6L));
    }

    @Test
    void aCookieAndADefaultGoIntoTheNextRequest() {
        Journey journey = Journey.named("j")
                .step(Step.post("/login", Body.ofText("{\"user\":\"Ann\"}"))
                        .extract("sid", "cookie:sid")
                        .extract(Extraction.of("x", "json:/none").orElse("d e")))
                .step(Step.get("/{sid}/{x}"));
        run(Journeys.of(journey), 1, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE);
        assertThat(seen).contains("GET /s-Ann/d%20e");
    }

    /** A value with a line's end must not become a request of its own. */
    @Test
    void whatWouldSplitARequestIsntSent() {
        Journeys journeys = new Journeys(
                List.of(Journey.named("j")
                        .step(Step.get("/a").header("X-A", "{bad}").continueOnFailure())
                        .step(Step.get("/b"))
                        .step(Step.get("/c/{bad}"))
                        .step(Step.get("/d"))),
                Map.of("bad", "x\r\n\r\nGET /split HTTP/1.1\r\nHost: h\r\n\r\n"),
                List.of());
        PhaseMeasurement phase = run(journeys, 2, new PhaseLength.Iterations(2), Load.Closed.AT_ONCE);
        assertThat(seen).containsOnly("GET /b").hasSize(4);
        assertThat(phase.notSent())
                .isEqualTo(new TreeMap<>(
                        Map.of("a value can't be in a path, a header or bytes", 8L, "an earlier step failed", 4L)));
        assertThat(phase.journeys().get(0).causes()).containsOnlyKeys("GET /a: not sent");
        assertThat(phase.asked()).isEqualTo(16);
    }

    /** Of a large body, the beginning is kept; the rest is read and counted. */
    @Test
    void ofALargeBodyTheBeginningIsLookedAt() {
        Journey journey = Journey.named("j")
                .step(Step.get("/large")
                        .extract("early", "json:/early")
                        .extract(Extraction.of("late", "json:/late").orElse("none"))
                        .extract(Extraction.of("x", "regex:(x+)+y").orElse("none")))
                .step(Step.get("/{early}/{late}/{x}"))
                .step(Step.get("/large").extract("late", "json:/late"));
        PhaseMeasurement phase = run(Journeys.of(journey), 1, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE);
        assertThat(seen).contains("GET /1/none/none");
        assertThat(phase.operations().get(0).counters().bytesReceived()).isGreaterThan(LARGE);
        assertThat(phase.operations()
                        .get(2)
                        .causes()
                        .get("no late in GET /large")
                        .detail())
                .startsWith("only the first MiB is looked at: {\"early\": 1, ");
    }

    /** Every fifth user's order is refused each time; a user's counter tells attempts apart. */
    @Test
    void whatFailsIsSentAgainAndCounted() throws IOException {
        Journey journey = Journey.named("j")
                .step(Step.post("/orders?n={counter:user}", Body.ofText("x"))
                        .header("Authorization", "Bearer t-{accounts.name}")
                        .onFailure(Step.OnFailure.RETRY))
                .step(Step.get("/bye"));
        Journeys journeys = new Journeys(List.of(journey), Map.of(), List.of(accounts(Feeder.Exhausted.REPEAT)));
        PhaseMeasurement phase = run(journeys, 1, new PhaseLength.Iterations(10), Load.Closed.AT_ONCE);

        List<Tally> steps = phase.operations();
        assertThat(steps.stream().map(Tally::requests)).containsExactly(10L, 8L, 6L);
        assertThat(steps.get(0).failed()).isEqualTo(2);
        assertThat(steps.get(2).causes().get("http 503").count()).isEqualTo(6);
        assertThat(seen("POST /orders")).isEqualTo(16);
        assertThat(seen).anyMatch(of -> of.startsWith("POST /orders?n=16 Bearer t-user9"));
        assertThat(phase.journeys().get(0).failed()).isEqualTo(2);
        assertThat(phase.asked()).isEqualTo(seen.size() + 2);
        assertThat(phase.notSent()).isEqualTo(Map.of("an earlier step failed", 2L));
    }

    @Test
    void codeSetsValuesForLaterSteps() {
        Journey journey = Journey.named("j")
                .step(Step.post("/login", Body.ofText("{\"user\":\"Ann\"}")).extract("token", "json:/token"))
                .step(Step.code("mac", values -> values.set("mac", values.get("token") + values.user()), "mac"))
                .step(Step.get("/items/{mac}"));
        run(Journeys.of(journey), 2, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE);
        assertThat(seen).contains("GET /items/t-Ann0", "GET /items/t-Ann1");
    }

    /** It is the plan's mistake, not the server's. */
    @Test
    void codeThatThrowsEndsTheRun() {
        Journey journey = Journey.named("j")
                .step(Step.get("/a"))
                .step(Step.code("broken", values -> values.get("nothing")))
                .step(Step.get("/b"));
        Plan plan = Plan.builder(uri())
                .threads(2)
                .scenario(Scenario.of(Journeys.of(journey)))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(3)))
                .build();
        Measurement measured = measure(plan);
        assertThat(measured.fault()).isPresent();
        assertThat(measured.fault().get()).hasMessageStartingWith("nothing: expected one of ");
        assertThat(seen).isNotEmpty().containsOnly("GET /a");
    }

    @Test
    void pausesAreAPartOfAJourneysTime() {
        List<Step> steps = new ArrayList<>();
        steps.add(Step.get("/a"));
        steps.add(Step.think(Duration.ofMillis(60)));
        steps.add(Step.get("/b"));
        PhaseMeasurement phase =
                run(Journeys.of(new Journey("j", 1, steps)), 1, new PhaseLength.Iterations(3), Load.Closed.AT_ONCE);
        assertThat(phase.journeys().get(0).histogram(Timing.RESPONSE).getMinValue())
                .isGreaterThanOrEqualTo(Duration.ofMillis(59).toNanos());
        assertThat(phase.wall()).isGreaterThanOrEqualTo(Duration.ofMillis(180));
    }
}
