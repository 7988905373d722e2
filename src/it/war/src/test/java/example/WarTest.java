package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.plan.metrics.ServerMetrics.Choice;
import io.phaseload.plan.check.Check;
import io.phaseload.result.Result;
import io.phaseload.result.host.ServerUse;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Tomcat is started by its shell script")
class WarTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static StandaloneTomcat tomcat;
    private static URI url;

    @BeforeAll
    static void start(@TempDir Path base) throws Exception {
        tomcat = StandaloneTomcat.start(base);
        url = tomcat.url();
    }

    @AfterAll
    static void kill() {
        tomcat.close();
    }

    @AfterEach
    void nothingWasWorthAWarning() throws Exception {
        assertThat(tomcat.complaints()).isEmpty();
    }

    @Test
    void theServerCountsWhatTheClientCounts() throws Exception {
        tomcat.redeploy();
        Result small = load(getAndPost().threads(20).iterations(100).build());
        assertThat(small.totals().succeeded()).isEqualTo(7400);
        JsonNode counted = awaitCount(7400);
        assertThat(counted.at("/requests/byMethod/GET").asLong()).isEqualTo(3700);
        assertThat(counted.at("/requests/byMethod/POST").asLong()).isEqualTo(3700);

        Result big =
                load(
                        Plan.builder(url)
                                .threads(80)
                                .iterations(20)
                                .operations(
                                        Operation.get("/"),
                                        Operation.post("/", Body.ofText("héllo"))
                                                .withChecks(new Check.BodyCheck("5", false)),
                                        Operation.get("/status/503"))
                                .build());
        assertThat(big.totals().requests()).isEqualTo(8880);
        assertThat(big.totals().succeeded()).isEqualTo(5920);
        assertThat(big.totals().failures()).isEqualTo(Map.of("http 503", 2960L));
        counted = awaitCount(7400 + 8880);
        assertThat(counted.at("/requests/byStatus/200").asLong()).isEqualTo(7400 + 5920);
        assertThat(counted.at("/requests/byStatus/503").asLong()).isEqualTo(2960);
        assertThat(counted.at("/requests/aborted").asLong()).isZero();
        assertThat(counted.at("/requests/peakInFlight").asLong()).isBetween(2L, 160L);
    }

    @Test
    void answersUnderItsContextPath() throws Exception {
        assertThat(get("").body()).isEqualTo("alive");
        HttpResponse<String> missing = get("nope");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body())
                .isEqualTo("{\"error\":\"not found\",\"path\":\"/phaseload-server/nope\"}");
    }

    @Test
    void reportsTheTomcatThatRunsIt() throws Exception {
        long before = metrics().at("/requests/total").asLong();
        get("");
        JsonNode metrics = awaitCount(before + 1);
        assertThat(metrics.at("/busyThreads").asInt()).isBetween(1, 200);
        assertThat(metrics.at("/maxThreads").asInt()).isEqualTo(200);
        assertThat(metrics.at("/acceptQueueLimit").asInt()).isPositive();
        assertThat(metrics.at("/queuedRequests").isNull()).isTrue();
        assertThat(metrics.at("/host").isObject()).isTrue();
        assertThat(metrics.at("/processCpuNs").asLong()).isPositive();
        assertThat(get("metrics").body())
                .contains(
                        "\n"
                            + "tomcat_threads_config_max_threads{name=\"http-nio-127.0.0.1-auto-1\"}"
                            + " 200.0\n")
                .containsPattern("\nphaseload_threads_busy [1-9]")
                .containsPattern("\njvm_memory_used_bytes\\{area=\"heap\"")
                .containsPattern("\nprocess_cpu_usage \\d");
        awaitCount(before + 1);
    }

    @Test
    void reportsItsFiguresUnderLoad() throws Exception {
        Map<String, Choice> choices =
                Map.of(
                        "cpu", Choice.parse("process_cpu_usage"),
                        "busy",
                                Choice.parse(
                                        "tomcat_threads_busy_threads{name=\"http-nio-127.0.0.1-auto-1\"}"));
        for (ServerMetrics metrics :
                List.of(
                        new ServerMetrics(URI.create("/metrics.json"), Map.of()),
                        new ServerMetrics(URI.create("/metrics"), choices))) {
            Phase peak = new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMillis(2200)));
            long before = metrics().at("/requests/total").asLong();
            Result result =
                    load(Plan.builder(url).threads(20).phases(peak).serverMetrics(metrics).build());
            ServerUse server = result.phases().get(0).server().orElseThrow();
            // Where the machine is busy with other things, an answer may come too late.
            assertThat(server.samples()).isBetween(1, 4);
            assertThat(server.figures().keySet())
                    .containsAll(metrics.names().subList(0, metrics.choices().isEmpty() ? 4 : 2))
                    .isSubsetOf(metrics.names());
            String busy = metrics.choices().isEmpty() ? "busyThreads" : "busy";
            assertThat(server.figures().get(busy).max()).isBetween(1.0, 200.0);
            awaitCount(before + result.totals().requests());
        }
    }

    @Test
    void anEchoComesBackAndNoWebSocketSurvivesARedeploy() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        WebSocket socket =
                HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .buildAsync(
                                URI.create("ws" + url.toString().substring(4) + "rooms/1?mode=echo"),
                                new Hearing(heard))
                        .join();
        socket.sendText("hello", true).join();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("hello");
        assertThat(metrics().at("/rooms/delivered").asLong()).isPositive();

        tomcat.redeploy();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("closed 1001");
        assertThat(metrics().at("/rooms/opened").asLong()).isZero();
        tomcat.awaitNoLeaks();
    }

    @Test
    void aRedeployCountsFromZeroAndLeavesNothingBehind() throws Exception {
        load(getAndPost().threads(20).iterations(20).build());

        tomcat.redeploy();
        assertThat(metrics().at("/requests/total").asLong()).isZero();

        Result again = load(getAndPost().threads(20).iterations(20).build());
        assertThat(again.totals().succeeded()).isEqualTo(1480);
        awaitCount(1480);
        assertThat(get("metrics").body())
                .contains("\nphaseload_responses_total{status=\"200\"} 1480");
        tomcat.awaitNoLeaks();
    }

    @Test
    void stopsWhileAConnectionIsOpen(@TempDir Path base) throws Exception {
        try (StandaloneTomcat own = StandaloneTomcat.start(base)) {
            URI at = own.url();
            load(getAndPost(at).threads(20).iterations(20).build());
            try (Socket idle = new Socket(at.getHost(), at.getPort())) {
                assertThat(own.stop()).isZero();
                assertThat(idle.getInputStream().read()).isEqualTo(-1);
            }
            assertThatThrownBy(() -> new Socket(at.getHost(), at.getPort()))
                    .isInstanceOf(ConnectException.class);
            assertThat(own.complaints()).isEmpty();
        }
    }

    private static PlanBuilder getAndPost() {
        return getAndPost(url);
    }

    private static PlanBuilder getAndPost(URI url) {
        return Plan.builder(url).scenario(Scenario.getThenPost());
    }

    private static Result load(Plan plan) {
        return ThreadsLoadClient.of(plan).run();
    }

    /** The last answer may be here before the server has noted that it is out. */
    private JsonNode awaitCount(long requests) throws Exception {
        JsonNode metrics = metrics();
        while (metrics.at("/requests/inFlight").asInt() > 0) {
            TimeUnit.MILLISECONDS.sleep(5);
            metrics = metrics();
        }
        assertThat(metrics.at("/requests/total").asLong()).isEqualTo(requests);
        return metrics;
    }

    private JsonNode metrics() throws Exception {
        HttpResponse<String> response = get("metrics.json");
        assertThat(response.statusCode()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(url.resolve(path)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private record Hearing(BlockingQueue<String> heard) implements WebSocket.Listener {

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            heard.add(data.toString());
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            heard.add("closed " + code);
            return null;
        }
    }
}
