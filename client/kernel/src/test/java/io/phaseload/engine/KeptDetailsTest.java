package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.TraceContext;
import io.phaseload.measure.recording.RequestSink;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.KeptDetails;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces that requests are sent in, and headers of responses, of the requests that results keep. */
@Tag("contract")
@Timeout(60)
class KeptDetailsTest {

    private static final KeptDetails ALL =
            new KeptDetails(100, Optional.empty(), List.of("X-Request-Id", "Set-Cookie", "X-Missing"));

    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final Queue<Optional<TraceContext>> logged = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        server.stop(0);
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String parent = exchange.getRequestHeaders().getFirst("traceparent");
            received.add(parent == null ? "" : parent);
            exchange.getResponseHeaders().add("X-Request-Id", "r-" + parent);
            exchange.getResponseHeaders().add("Set-Cookie", "sid=secret");
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/gone") ? 404 : 200, -1);
        }
    }

    private PlanBuilder plan(KeptDetails details) {
        return Plan.builder(URI.create("http://localhost:" + server.getAddress().getPort() + "/"))
                .operations(Operation.get("/a"), Operation.get("/gone"))
                .details(details)
                .threads(2)
                .phases(phase("warmup"), phase("peak"));
    }

    private static Phase phase(String name) {
        return new Phase(name, 1, new PhaseLength.Iterations(5));
    }

    private List<KeptRequest> kept(Plan plan) {
        received.clear();
        logged.clear();
        RunListener listener = new RunListener() {
            @Override
            public Optional<RequestSink> requests(Phase phase) {
                return Optional.of((started, request, trace) -> logged.add(Optional.ofNullable(trace)));
            }
        };
        return TestEngine.of(plan, listener).run().phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .flatMap(tally -> Stream.concat(tally.slowest().stream(), tally.firstFailed().stream()))
                .toList();
    }

    private Set<String> sent() {
        return new TreeSet<>(received);
    }

    @Test
    void withoutDetailsNothingIsAdded() {
        assertThat(kept(plan(KeptDetails.NONE).build())).allSatisfy(request -> {
            assertThat(request.trace()).isEmpty();
            assertThat(request.headers()).isEmpty();
        });
        assertThat(sent()).containsExactly("");
        assertThat(logged).hasSize(40).containsOnly(Optional.empty());
    }

    @Test
    void eachRequestHasATraceOfItsOwnThatResultsShow() {
        List<KeptRequest> kept = kept(plan(ALL).build());

        Set<String> sent = sent();
        assertThat(sent).hasSize(40).allMatch(value -> value.matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
        assertThat(sent.stream().map(value -> value.substring(3, 35))).doesNotHaveDuplicates();
        assertThat(kept.stream().map(request -> request.trace().orElseThrow().header()))
                .hasSizeGreaterThan(20)
                .isSubsetOf(sent);
        assertThat(logged.stream().map(trace -> trace.orElseThrow().header()).collect(Collectors.toSet()))
                .isEqualTo(sent);
    }

    @Test
    void idsFollowFromTheSeed() {
        kept(plan(ALL).build());
        Set<String> first = sent();
        kept(plan(ALL).build());
        assertThat(sent()).isEqualTo(first);
        kept(plan(ALL).seed(2).build());
        assertThat(sent()).hasSize(40).doesNotContainAnyElementsOf(first);
    }

    @Test
    void theArrivalsOfAnOpenPhaseHaveTheSameIdsWhoeverSendsThem() {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(500)), Load.Overload.QUEUE);
        Plan plan = plan(ALL)
                .phases(new Phase("peak", 1, new PhaseLength.Total(30), open))
                .build();
        kept(plan);
        Set<String> first = sent();
        assertThat(first).hasSize(30);
        kept(plan.withThreads(5));
        assertThat(sent()).isEqualTo(first);
    }

    @Test
    void theRequestsOfAJourneyShareATrace() {
        Journey journey = Journey.named("shop")
                .step(Step.of(Operation.get("/a")))
                .step(Step.of(Operation.get("/b")))
                .step(Step.of(Operation.get("/c")));
        kept(plan(ALL).scenario(Scenario.of(Journeys.of(journey))).build());

        Map<String, List<String>> traces =
                received.stream().collect(Collectors.groupingBy(value -> value.substring(3, 35)));
        assertThat(traces)
                .hasSize(20)
                .allSatisfy((trace, requests) -> assertThat(requests).hasSize(3).doesNotHaveDuplicates());
    }

    @Test
    void aHeaderOfThePlanWins() {
        String own = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00";
        List<KeptRequest> kept =
                kept(plan(ALL).header(new Header("TraceParent", own)).build());

        assertThat(sent()).containsExactly(own);
        assertThat(kept).allSatisfy(request -> assertThat(request.trace())
                .hasValue(new TraceContext("0123456789abcdef0123456789abcdef", "0123456789abcdef")));
    }

    @Test
    void headersOfResponsesAreKeptWithoutSecrets() {
        List<KeptRequest> kept = kept(plan(ALL).build());

        assertThat(kept).allSatisfy(request -> assertThat(request.headers())
                .isEqualTo(Map.of(
                        "X-Request-Id", "r-" + request.trace().orElseThrow().header(), "Set-Cookie", "[redacted]")));
    }

    @Test
    void headersNeedNoTrace() {
        KeptDetails headers = new KeptDetails(0, Optional.empty(), List.of("x-request-id"));

        assertThat(kept(plan(headers).build()))
                .allSatisfy(request -> assertThat(request.headers()).isEqualTo(Map.of("x-request-id", "r-null")));
    }

    @Test
    void aShareOfTracesIsSent() {
        kept(plan(new KeptDetails(25, Optional.empty(), List.of()))
                .operations(Operation.get("/a"))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(100)))
                .build());

        // The seed decides.
        assertThat(received.stream().filter(value -> !value.isEmpty())).hasSizeBetween(35, 65);
        assertThat(received).hasSize(200);
    }
}
