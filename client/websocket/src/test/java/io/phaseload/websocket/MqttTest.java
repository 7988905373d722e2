package io.phaseload.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.http.TestCertificate;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Mqtt;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.MessageTimings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pairs by MQTT, at a Mosquitto that counts what passes through it. */
@Timeout(60)
class MqttTest {

    @TempDir
    private static Path folder;

    private static String pem;
    private static Mosquitto open;

    @BeforeAll
    static void start() throws Exception {
        pem = TestCertificate.of("localhost", folder).pem();
        open = new Mosquitto(folder, pem, "allow_anonymous true");
    }

    @AfterAll
    static void stop() {
        if (open != null) {
            open.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"mqtt, 0, 2", "mqtt, 1, 2", "mqtts, 1, 1", "ws, 0, 1", "ws, 1, 2", "mqtt, 1, 0"})
    void clientAndServerCountTheSame(String scheme, int qos, int subscribers) throws Exception {
        String topic = "%s/%d/%d/{pair}".formatted(scheme, qos, subscribers);
        URI address = open.uri(scheme, scheme.equals("ws") ? "mqtt" : topic);
        long pingsBefore = open.logged("Received PINGREQ");
        Figures totals = run(plan(address, new Mqtt(topic, qos), subscribers)).totals();
        assertThat(totals.failures()).isEmpty();
        assertThat(totals.requests()).isEqualTo(100);
        assertThat(totals.time(MessageTimings.DELIVERY).samples()).isEqualTo(100L * Math.max(1, subscribers));
        String prefix = "'%s/%d/%d/".formatted(scheme, qos, subscribers);
        assertThat(open.logged(prefix))
                .as("received, sent and subscribed")
                .isEqualTo(100 + 100L * Math.max(1, subscribers));
        assertThat(open.logged("Received PINGREQ")).isGreaterThan(pingsBefore);
    }

    @Test
    void receiversOfOtherPairsGetNothing() throws Exception {
        Result shared = run(plan(open.uri("mqtt", "all"), new Mqtt("all", 0), 1));
        // Each of four receivers has the messages of three other pairs, too.
        assertThat(shared.totals().requests()).isEqualTo(100);
        assertThat(shared.totals().time(MessageTimings.DELIVERY).samples()).isEqualTo(100);
    }

    @Test
    void refusalsHaveTheirCauses() throws Exception {
        Path users = Mosquitto.users(folder, "ann", "s3cret:x");
        Path acl = Files.writeString(folder.resolve("acl"), "user ann\ntopic readwrite rooms/#\n");
        try (Mosquitto closed = new Mosquitto(folder, pem, "password_file " + users, "acl_file " + acl)) {
            URI rooms = closed.uri("mqtt", "rooms/{pair}");
            Mqtt allowed = new Mqtt("rooms/{pair}", 1);
            assertThat(run(plan(rooms, allowed, 1)).totals().failures())
                    .isEqualTo(Map.of("lost: not connected, refused: not authorized", 100L));
            assertThat(run(login(plan(rooms, allowed, 1), "ann:wrong")).totals().failures())
                    .isEqualTo(Map.of("lost: not connected, refused: not authorized", 100L));
            assertThat(run(login(plan(rooms, allowed, 1), "ann:s3cret:x"))
                            .totals()
                            .succeeded())
                    .isEqualTo(100);
            URI halls = closed.uri("ws", "mqtt");
            PlanBuilder forbidden = login(plan(halls, new Mqtt("halls/{pair}", 0), 1), "ann:s3cret:x");
            // It takes the subscription, and nothing else.
            assertThat(run(forbidden.responseTimeout(Duration.ofMillis(300)))
                            .totals()
                            .failures())
                    .isEqualTo(Map.of("lost: not received in time", 100L));
        }
    }

    @Test
    void messagesOfAServerThatIsKilledAreLostOrDelivered() throws Exception {
        try (Mosquitto mortal = new Mosquitto(folder, pem, "allow_anonymous true")) {
            URI address = mortal.uri("mqtt", "rooms/{pair}");
            CompletableFuture<Result> running = CompletableFuture.supplyAsync(
                    () -> run(plan(address, new Mqtt("rooms/{pair}", 1), 1).responseTimeout(Duration.ofSeconds(1))));
            while (mortal.loggedSoFar("Sending PUBLISH") < 20) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            mortal.close();
            Figures totals = running.get(50, TimeUnit.SECONDS).totals();
            assertThat(totals.requests()).isEqualTo(100);
            assertThat(totals.succeeded()).isBetween(1L, 99L);
            assertThat(totals.failures().keySet())
                    .isSubsetOf(
                            "connect refused",
                            "lost: sender closed 1006",
                            "lost: receiver closed 1006",
                            "lost: not received in time",
                            "lost: not connected in time");
            assertThat(totals.failures().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(100 - totals.succeeded());
        }
    }

    private static PlanBuilder login(PlanBuilder plan, String both) {
        String basic = Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
        return plan.header(new Header("Authorization", "Basic " + basic));
    }

    private static Result run(PlanBuilder plan) {
        return ThreadsLoadClient.of(plan.build()).run();
    }

    /** Four pairs with 25 messages each. */
    private static PlanBuilder plan(URI address, Mqtt mqtt, int subscribers) {
        Protocol.WebSocket protocol = new Protocol.WebSocket(
                subscribers,
                100,
                address.getScheme().equals("ws") ? List.of("mqtt") : List.of(),
                false,
                Optional.of(Duration.ofMillis(50)),
                false,
                Optional.of(mqtt));
        return Plan.builder(address)
                .insecure(true)
                .threads(4)
                .engine(EngineSettings.builder("websocket").protocol(protocol).build())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Iterations(25),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(250)), Load.Overload.QUEUE)));
    }
}
