package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.agent.AgentSettings.OnCoordinatorLoss;
import io.phaseload.cluster.agent.AgentWork;
import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.cluster.network.Greeting;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.Header;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Agents;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator and its agents, all in this JVM, over real connections, and a server. */
public abstract class RealCluster {

    // Random ones: a secret that a person made up takes two seconds of CPU, once a JVM.
    static final ClusterAccess ACCESS = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());
    static final ClusterAccess STRANGER = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());
    static final InetAddress HERE = InetAddress.getLoopbackAddress();
    static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    final ExecutorService threads = Executors.newCachedThreadPool();
    final AtomicLong counted = new AtomicLong();
    final Set<String> secrets = ConcurrentHashMap.newKeySet();
    final Queue<String> paths = new ConcurrentLinkedQueue<>();
    final List<String> told = Collections.synchronizedList(new ArrayList<>());
    final BlockingQueue<String> notJoined = new LinkedBlockingQueue<>();
    final List<ClusterAgent> agents = new ArrayList<>();
    HttpServer server;
    Network network = Network.MESH;
    Coordinator coordinator;

    @BeforeEach
    protected void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            counted.incrementAndGet();
            paths.add(exchange.getRequestURI().toString());
            secrets.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        coordinator = open(ACCESS);
    }

    @AfterEach
    protected void stop() throws InterruptedException {
        agents.forEach(ClusterAgent::close);
        coordinator.close();
        server.stop(0);
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    void isComplete(Agents.Agent agent) {
        assertThat(agent.lost()).isEmpty();
        assertThat(agent.clock().orElseThrow().consistent()).isTrue();
        // Both have the same clock.
        assertThat(Math.abs(agent.clock().orElseThrow().offsetMs()))
                .isLessThanOrEqualTo(agent.clock().orElseThrow().boundMs());
        assertThat(Path.of(agent.folder().orElseThrow(), "result.json")).exists();
    }

    /** Two that come at once may miss the coordinator, as agents may; they try again, too. */
    protected Link join(String name, Link.MessageHandler inbox) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                Greeting greeting = Greeting.with(ACCESS, coordinator.address()).orElseThrow();
                return Link.join(name, network.join(HERE, greeting, ACCESS), inbox);
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }

    /** The coordinator's, and an agent's. */
    ClusterAccess[] keys() throws Exception {
        ClusterKeys.make(folder.resolve("keys"));
        String secret = Files.readString(folder.resolve("keys/secret")).strip();
        return Stream.of("coordinator.p12", "agent.p12")
                .map(name -> new ClusterAccess(
                        secret, Optional.of(folder.resolve("keys").resolve(name))))
                .toArray(ClusterAccess[]::new);
    }

    Coordinator open(ClusterAccess access) throws IOException {
        return Coordinator.open(new InetSocketAddress(HERE, 0), network, access);
    }

    Result run(Plan plan, int count, RunListener listener) throws Exception {
        return run(plan, count, PATIENCE, listener);
    }

    Result run(Plan plan, int count, Duration patience, RunListener listener) throws Exception {
        assertThat(coordinator.await(count, PATIENCE, told::add)).hasSize(count);
        try (ClusterRun run = new ClusterRun(coordinator, plan, OnAgentLoss.CONTINUE, patience, listener, told::add)) {
            return run.run();
        }
    }

    Plan plan(int users, PhaseLength length) {
        return plan(users, length instanceof PhaseLength.Lasting ? new PhaseLength.Iterations(1) : length, length);
    }

    Plan plan(int users, PhaseLength warmup, PhaseLength peak) {
        return Plan.builder(uri())
                .threads(users)
                .header(new Header("Cookie", "session=secret"))
                .phases(new Phase("warmup", 0.1, warmup), new Phase("peak", 1, peak))
                .build();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    Future<?> agent(String name, int weight, ClusterAccess access) {
        return start(newAgent(name, weight, access));
    }

    /** An agent whose clock is so many nanoseconds ahead of this machine's. */
    void agentWithClock(String name, long ahead) {
        start(newAgent(coordinator.address(), name, 1, ACCESS, true, ahead));
    }

    private Future<?> start(ClusterAgent agent) {
        return threads.submit(() -> {
            agent.run();
            return null;
        });
    }

    /** A member offers itself as an agent. */
    static void hello(Link member, String name) {
        member.send(member.coordinator(), new Message.Hello(Environment.currentVersion(), name, 1, "here"));
    }

    ClusterAgent newAgent(String name, int weight, ClusterAccess access) {
        return newAgent(name, weight, access, true);
    }

    ClusterAgent newAgent(String name, int weight, ClusterAccess access, boolean once) {
        return newAgent(coordinator.address(), name, weight, access, once, 0);
    }

    /** An agent that joins at another address. */
    ClusterAgent newAgentOf(InetSocketAddress other) {
        return newAgent(other, "one", 1, ACCESS, true, 0);
    }

    private ClusterAgent newAgent(
            InetSocketAddress at, String name, int weight, ClusterAccess access, boolean once, long ahead) {
        ClusterAgent agent = new ClusterAgent(
                new AgentSettings(name, at, Optional.empty(), weight, once, OnCoordinatorLoss.STOP, network, access),
                new Work(),
                ahead);
        agents.add(agent);
        return agent;
    }

    /** Keeps what an agent measures. */
    final class Work implements AgentWork {

        @Override
        public void joined(String address) {
            told.add("joined");
        }

        @Override
        public void notJoined(String address, IOException why) {
            notJoined.add(address + ": " + why.getMessage());
        }

        @Override
        public void coordinatorLost() {
            told.add("coordinator lost");
        }

        @Override
        public ResultFolder folder(Plan plan) throws IOException {
            return ResultFolder.create(folder, Instant.now(), "agent");
        }

        @Override
        public void ended(Result result, ResultFolder own) {
            try {
                own.write(result);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
