package io.phaseload.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.Coordinator;
import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.agent.AgentSettings.OnCoordinatorLoss;
import io.phaseload.cluster.agent.AgentWork;
import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Network;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Agents;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.timing.MessageTimings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pairs that are dealt to agents, all in this JVM. */
@Tag("slow")
@Timeout(60)
class MessagesOnAgentsTest {

    private static final ClusterAccess ACCESS = new ClusterAccess("a secret of the tests", Optional.empty());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void bothEndsOfAPairAreOnOneAgentAndAnAgentMayHaveNone() throws Exception {
        MessageCounts[] counts = new MessageCounts[1];
        Result result = onAgents(
                Map.of("one", Duration.ZERO, "two", Duration.ZERO),
                server -> plan(server, "", together(), Duration.ofSeconds(5)),
                server -> counts[0] = server.messages());

        // One pair warms up, and three are at the peak.
        assertThat(result.totals().requests()).isEqualTo(10 + 30);
        assertThat(result.totals().succeeded()).isEqualTo(10 + 30);
        Figures messages = result.totals();
        assertThat(messages.time(MessageTimings.DELIVERY).samples()).isEqualTo(10 + 30);
        assertThat(messages.time(MessageTimings.CLOCK_BOUND).samples()).isZero();
        assertThat(counts[0].received()).isEqualTo(10 + 30);
        assertThat(counts[0].opened()).isEqualTo(2 * (1 + 3));
        assertThat(result.agents().orElseThrow().members())
                .extracting(Agents.Agent::name)
                .containsExactlyInAnyOrder("one", "two");
        assertThat(result.agents().orElseThrow().members())
                .extracting(agent -> agent.measured().orElseThrow().requests())
                .containsExactlyInAnyOrder(10L, 20L);
    }

    /** Their clocks differ by more than any limit of the run. */
    @Test
    void deliveriesFromAgentToAgentAreExactWithinTheBoundOfTheirClocks() throws Exception {
        Result result = onAgents(
                Map.of("one", Duration.ofHours(3), "two", Duration.ofHours(-2)),
                server -> plan(server, "?delay=100", apart(1), Duration.ofSeconds(5)));

        Figures messages = result.totals();
        Latency clocks = messages.time(MessageTimings.CLOCK_BOUND);
        Duration bound = clocks.max().value().orElseThrow();
        assertThat(result.totals().failures()).isEmpty();
        assertThat(result.totals().succeeded()).isEqualTo(10 + 30);
        assertThat(messages.time(MessageTimings.DELIVERY).samples()).isEqualTo(10 + 30);
        assertThat(clocks.samples()).isEqualTo(10 + 30);
        // None is quicker than the server, nor slower than the limit.
        assertThat(messages.time(MessageTimings.DELIVERY)
                        .min()
                        .value()
                        .orElseThrow()
                        .plus(bound))
                .isGreaterThanOrEqualTo(Duration.ofMillis(99));
        assertThat(messages.time(MessageTimings.DELIVERY)
                        .max()
                        .value()
                        .orElseThrow()
                        .minus(bound))
                .isLessThan(Duration.ofSeconds(6));
        assertThat(messages.time(MessageTimings.BELOW_BOUND).samples()).isLessThanOrEqualTo(10 + 30);
        // Connections of both ends, in the agents' own results.
        assertThat(messages.time(MessageTimings.HANDSHAKE).samples()).isEqualTo(2 * (1 + 3));
        assertThat(result.agents().orElseThrow().members())
                .extracting(agent -> agent.measured().orElseThrow().requests())
                .containsExactlyInAnyOrder(10L, 20L);
    }

    @Test
    void whatTheServerLosesAndRepeatsIsCountedFromAgentToAgent() throws Exception {
        MessageCounts[] counts = new MessageCounts[1];
        Result result = onAgents(
                Map.of("one", Duration.ofHours(3), "two", Duration.ZERO),
                server -> plan(server, "?lose=5&repeat=4&swap=7", apart(2), Duration.ofMillis(700)),
                server -> counts[0] = server.messages());

        Figures totals = result.totals();
        Figures messages = totals;
        // Of ten each: two to either receiver.
        assertThat(totals.requests()).isEqualTo(10 + 30);
        assertThat(totals.failures()).isEqualTo(Map.of("lost: not received in time", 2 + 6L));
        assertThat(totals.succeeded()).isEqualTo(8 + 24);
        assertThat(messages.time(MessageTimings.DELIVERY).samples()).isEqualTo(2 * (8 + 24));
        assertThat(counts[0].lost()).isEqualTo(2 * (2 + 6));
        assertThat(messages.time(MessageTimings.DUPLICATED).samples())
                .isEqualTo(counts[0].repeated())
                .isPositive();
        assertThat(messages.time(MessageTimings.DELIVERY).samples()
                        + messages.time(MessageTimings.DUPLICATED).samples())
                .isEqualTo(counts[0].delivered());
        assertThat(messages.time(MessageTimings.REORDERED).samples()).isPositive();
        assertThat(messages.time(MessageTimings.LATE).samples()).isZero();
    }

    private Result onAgents(Map<String, Duration> clocks, Function<URI, Plan> plan) throws Exception {
        return onAgents(clocks, plan, server -> {});
    }

    private Result onAgents(Map<String, Duration> clocks, Function<URI, Plan> plan, Consumer<TargetServer> afterwards)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (TargetServer server =
                        TargetServer.start(ServerSettings.builder().port(0).build());
                Coordinator coordinator = Coordinator.open(free, Network.MESH, ACCESS)) {
            List<Future<?>> agents = new ArrayList<>();
            clocks.forEach((name, ahead) -> {
                ClusterAgent agent = new ClusterAgent(settings(name, coordinator), new Work(), ahead.toNanos());
                agents.add(threads.submit(() -> {
                    agent.run();
                    return null;
                }));
            });
            coordinator.await(clocks.size(), PATIENCE, joined -> {});
            try (ClusterRun run = new ClusterRun(
                    coordinator,
                    plan.apply(server.url()),
                    OnAgentLoss.ABORT,
                    PATIENCE,
                    new RunListener() {},
                    told -> {})) {
                Result result = run.run();
                for (Future<?> agent : agents) {
                    agent.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
                afterwards.accept(server);
                return result;
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static AgentSettings settings(String name, Coordinator coordinator) {
        return new AgentSettings(
                name, coordinator.address(), Optional.empty(), 1, true, OnCoordinatorLoss.STOP, Network.MESH, ACCESS);
    }

    private static Protocol.WebSocket together() {
        return new Protocol.WebSocket(1, 200, List.of(), false, Optional.empty());
    }

    private static Protocol.WebSocket apart(int subscribers) {
        return new Protocol.WebSocket(
                subscribers, 200, List.of(), false, Optional.of(Duration.ofMillis(100)), true, Optional.empty());
    }

    private static Plan plan(URI server, String query, Protocol.WebSocket protocol, Duration timeout) {
        String url = server.toString().replace("http:", "ws:") + "rooms/%7Bpair%7D" + query;
        return Plan.builder(URI.create(url))
                .threads(3)
                .responseTimeout(timeout)
                .engine(EngineSettings.builder("websocket").protocol(protocol).build())
                .phases(phase("warmup", 0.4), phase("peak", 1))
                .build();
    }

    private static Phase phase(String name, double share) {
        return new Phase(
                name,
                share,
                new PhaseLength.Iterations(10),
                new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE));
    }

    /** Keeps what an agent measures. */
    private final class Work implements AgentWork {

        @Override
        public void joined(String address) {}

        @Override
        public ResultFolder folder(Plan plan) throws IOException {
            return ResultFolder.create(folder, Instant.now(), "agent");
        }

        @Override
        public void ended(Result result, ResultFolder own) {}
    }
}
