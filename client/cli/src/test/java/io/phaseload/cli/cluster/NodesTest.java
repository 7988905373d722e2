package io.phaseload.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.cluster.network.Node;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers whose rooms are the same, each with a port of its own. */
@Tag("slow")
@Timeout(60)
class NodesTest {

    private static final InetSocketAddress FREE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final ClusterAccess ACCESS = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());

    private final List<Node> nodes = new ArrayList<>();
    private final List<TargetServer> servers = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            List<InetSocketAddress> there =
                    i == 0 ? List.of() : List.of(nodes.get(0).address());
            Node node = Node.join(FREE, there, ACCESS, count -> {
                if (count == 3) {
                    all.countDown();
                }
            });
            nodes.add(node);
            ServerSettings settings =
                    ServerSettings.builder().port(0).drainTimeout(Duration.ZERO).build();
            servers.add(TargetServer.start(settings, ServeCommand.relay(node)));
        }
        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void stop() {
        servers.forEach(TargetServer::close);
        nodes.forEach(Node::close);
    }

    @Test
    void whatIsSentOnOneNodeArrivesOnAnother() throws Exception {
        // The sender of each pair is on another node than its first receiver, and its second one.
        Result result =
                ThreadsLoadClient.of(plan(2, "", 600, 1).threads(7).build()).run();
        Figures totals = result.totals();
        // What a busy machine couldn't send in time is told of, too.
        long sent = 600
                - result.phases().stream()
                        .flatMap(phase -> phase.notSent().values().stream())
                        .mapToLong(Long::longValue)
                        .sum();
        assertThat(totals.requests()).isEqualTo(sent);
        assertThat(totals.succeeded()).as("%s", totals.failures()).isEqualTo(sent);
        Figures messages = totals;
        assertThat(messages.time(MessageTimings.DELIVERY).samples()).isEqualTo(2 * sent);
        assertThat(messages.time(MessageTimings.DUPLICATED).samples()).isZero();
        assertThat(messages.time(MessageTimings.REORDERED).samples()).isZero();
        settle();
        assertThat(sum(MessageCounts::received)).isEqualTo(sent);
        assertThat(sum(MessageCounts::passed)).isEqualTo(sent);
        assertThat(sum(MessageCounts::heard)).isEqualTo(2 * sent);
        assertThat(sum(MessageCounts::delivered)).isEqualTo(2 * sent);
        assertThat(sum(MessageCounts::unheard)).isZero();
        assertThat(servers).allMatch(server -> server.messages().opened() == 7);
    }

    @Test
    void optionsOfARoomHoldForOtherNodes() throws Exception {
        Figures totals = run(plan(1, "?lose=10&repeat=4&delay=5", 140, 1).threads(1));
        assertThat(totals.succeeded()).isEqualTo(126);
        assertThat(totals.failures()).containsOnlyKeys("lost: not received in time");
        // Of 35 repeated ones, 7 are lost.
        assertThat(totals.time(MessageTimings.DUPLICATED).samples()).isEqualTo(28);
        settle();
        assertThat(sum(MessageCounts::lost)).isEqualTo(14);
        assertThat(sum(MessageCounts::delivered)).isEqualTo(154);
        Figures echo = run(plan(0, "?mode=echo", 50, 1).threads(3));
        assertThat(echo.succeeded()).isEqualTo(50);
        assertThat(sum(MessageCounts::passed)).isEqualTo(154);
    }

    @Test
    void whatANodeThatEndsTakesWithItIsLostByCause() throws Exception {
        Thread end = new Thread(() -> {
            try {
                while (servers.get(2).messages().delivered() < 100) {
                    TimeUnit.MILLISECONDS.sleep(2);
                }
            } catch (InterruptedException e) {
                return;
            }
            nodes.get(2).close();
            servers.get(2).close();
        });
        end.start();
        Figures totals = run(plan(1, "", 600, 2).threads(6));
        end.join();
        assertThat(totals.requests()).isEqualTo(1_200);
        long lost =
                totals.failures().values().stream().mapToLong(Long::longValue).sum();
        assertThat(totals.succeeded() + lost).isEqualTo(1_200);
        // Of three pairs in a row, one has neither end there.
        assertThat(totals.succeeded()).isBetween(400L, 1_000L);
        assertThat(totals.failures().keySet())
                .allMatch(cause -> cause.startsWith("lost: ")
                        || cause.equals("connect refused")
                        || cause.equals("reset before response"));
        settle();
        assertThat(sum(MessageCounts::delivered)).isGreaterThanOrEqualTo(totals.succeeded());
        assertThat(nodes.get(0).others()).isEqualTo(1);
    }

    @Test
    void nobodyJoinsWithAnotherSecretNorANodeThatIsNotThere() {
        List<InetSocketAddress> there = List.of(nodes.get(0).address());
        ClusterAccess other = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());
        assertThatThrownBy(() -> Node.join(FREE, there, other, count -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("the nodes there have another secret or other keys");
        List<InetSocketAddress> nobody = List.of(new InetSocketAddress("127.0.0.1", 1));
        assertThatThrownBy(() -> Node.join(FREE, nobody, ACCESS, count -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("no node answers");
    }

    /** As docs/targets.md says: the keys of agents suit all nodes. */
    @Test
    void nodesWithKeysOfOneAuthorityTrustEachOtherAlone(@TempDir Path folder) throws Exception {
        ClusterKeys.make(folder.resolve("keys"));
        String secret = Files.readString(folder.resolve("keys/secret")).strip();
        ClusterAccess keys = new ClusterAccess(secret, Optional.of(folder.resolve("keys/agent.p12")));
        CountDownLatch both = new CountDownLatch(1);
        Node first = Node.join(FREE, List.of(), keys, count -> {
            if (count == 2) {
                both.countDown();
            }
        });
        nodes.add(first);
        List<InetSocketAddress> there = List.of(first.address());
        ClusterAccess without = new ClusterAccess(secret, Optional.empty());
        assertThatThrownBy(() -> Node.join(FREE, there, without, count -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("the nodes there have another secret or other keys");
        assertThat(first.others()).isZero();
        nodes.add(Node.join(FREE, there, keys, count -> {}));
        assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(first.others()).isEqualTo(1);
    }

    private PlanBuilder plan(int subscribers, String query, long perSecond, int seconds) {
        return Plan.builder(URI.create("ws://rooms.invalid/rooms/%7Bpair%7D" + query))
                .route(new Route.Nodes(servers.stream()
                        .map(TargetServer::url)
                        .map(url -> new Route.To(List.of(url.getHost()), url.getPort()))
                        .toList()))
                .responseTimeout(Duration.ofMillis(500))
                .engine(EngineSettings.builder("websocket")
                        .protocol(new Protocol.WebSocket(subscribers, 200, List.of(), false, Optional.empty()))
                        .build())
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Lasting(Duration.ofSeconds(seconds)),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(perSecond)), Load.Overload.QUEUE)));
    }

    private static Figures run(PlanBuilder plan) {
        return ThreadsLoadClient.of(plan.build()).run().totals();
    }

    private long sum(ToLongFunction<MessageCounts> count) {
        return servers.stream().map(TargetServer::messages).mapToLong(count).sum();
    }

    /** Waits until all clients have gone. */
    private void settle() throws InterruptedException {
        while (sum(MessageCounts::connections) > 0 || sum(MessageCounts::waiting) > 0) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }
}
