package io.phaseload.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.Access;
import io.phaseload.cluster.Agent;
import io.phaseload.cluster.AgentSettings;
import io.phaseload.cluster.AgentSettings.OnCoordinatorLoss;
import io.phaseload.cluster.AgentWork;
import io.phaseload.cluster.ClusterRun;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.Coordinator;
import io.phaseload.cluster.Network;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Agents;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pairs that are dealt to agents, all in this JVM. */
@Timeout(60)
class MessagesOnAgentsTest {

    private static final Access ACCESS = new Access("a secret of the tests", Optional.empty());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir private Path folder;

    @Test
    void bothEndsOfAPairAreOnOneAgentAndAnAgentMayHaveNone() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (TargetServer server = TargetServer.start(ServerSettings.builder().port(0).build());
                Coordinator coordinator = Coordinator.open(free, Network.MESH, ACCESS)) {
            List<Future<?>> agents = new ArrayList<>();
            for (String name : List.of("one", "two")) {
                Agent agent = new Agent(settings(name, coordinator), new Work());
                agents.add(
                        threads.submit(
                                () -> {
                                    agent.run();
                                    return null;
                                }));
            }
            coordinator.await(2, PATIENCE, joined -> {});
            Result result;
            try (ClusterRun run =
                    new ClusterRun(
                            coordinator,
                            plan(server.url()),
                            OnAgentLoss.ABORT,
                            PATIENCE,
                            new RunListener() {},
                            told -> {})) {
                result = run.run();
            }

            // One pair warms up, and three are at the peak.
            assertThat(result.totals().requests()).isEqualTo(10 + 30);
            assertThat(result.totals().succeeded()).isEqualTo(10 + 30);
            assertThat(result.totals().messages().orElseThrow().delivery().samples())
                    .isEqualTo(10 + 30);
            assertThat(server.messages().received()).isEqualTo(10 + 30);
            assertThat(server.messages().opened()).isEqualTo(2 * (1 + 3));
            assertThat(result.agents().orElseThrow().members())
                    .extracting(Agents.Agent::name)
                    .containsExactlyInAnyOrder("one", "two");
            assertThat(result.agents().orElseThrow().members())
                    .extracting(agent -> agent.measured().orElseThrow().requests())
                    .containsExactlyInAnyOrder(10L, 20L);
            for (Future<?> agent : agents) {
                agent.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static AgentSettings settings(String name, Coordinator coordinator) {
        return new AgentSettings(
                name,
                coordinator.address(),
                Optional.empty(),
                1,
                true,
                OnCoordinatorLoss.STOP,
                Network.MESH,
                ACCESS);
    }

    private static Plan plan(URI server) {
        String url = server.toString().replace("http:", "ws:") + "rooms/%7Bpair%7D";
        return Plan.builder(URI.create(url))
                .threads(3)
                .engine(
                        EngineSettings.builder("websocket")
                                .protocol(
                                        new Protocol.WebSocket(
                                                1, 200, List.of(), false, Optional.empty()))
                                .build())
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
