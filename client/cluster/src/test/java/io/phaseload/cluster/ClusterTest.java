package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Network;
import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.Feeder.Each;
import io.phaseload.plan.journey.Feeder.Exhausted;
import io.phaseload.plan.journey.Feeder.Format;
import io.phaseload.plan.journey.Feeder.RowOrder;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.result.Agents;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.timing.StreamTimings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A coordinator and its agents, all in this JVM, over real connections. */
@Timeout(120)
class ClusterTest extends RealCluster {

    @Test
    void agentsTogetherSendWhatOneClientWould() throws Exception {
        Future<?> one = agent("one", 1, ACCESS);
        Future<?> two = agent("two", 2, ACCESS);
        List<Integer> users = new ArrayList<>();
        List<Long> seconds = new ArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void phaseStarted(Phase phase, int count) {
                users.add(count);
            }

            @Override
            public void interval(Interval interval) {
                seconds.add(interval.operations().get(0).requests());
            }
        };

        Result run = run(plan(10, new PhaseLength.Iterations(20)), 2, listener);

        // One user warms up, and ten are at the peak.
        assertThat(counted).hasValue(11 * 20);
        assertThat(run.totals().requests()).isEqualTo(11 * 20);
        assertThat(run.totals().succeeded()).isEqualTo(11 * 20);
        assertThat(users).containsExactly(1, 10);
        assertThat(seconds.stream().mapToLong(Long::longValue).sum()).isEqualTo(11 * 20);
        assertThat(run.phases().get(1).threads()).isEqualTo(10);
        assertThat(run.plan().part().isWhole()).isTrue();
        assertThat(run.mergedFrom()).hasSize(2);
        assertThat(run.agents().orElseThrow().members())
                .extracting(Agents.Agent::name)
                .containsExactlyInAnyOrder("one", "two");
        assertThat(run.agents().orElseThrow().members()).allSatisfy(this::isComplete);
        assertThat(run.agents().orElseThrow().starts())
                .extracting(Agents.Start::phase)
                .containsExactly("warmup", "peak");
        assertThat(secrets).containsExactly("session=secret");
        one.get(30, TimeUnit.SECONDS);
        two.get(30, TimeUnit.SECONDS);
        assertThat(told).doesNotContain("coordinator lost");
    }

    @Test
    void journeysAndTheirDataAreDealtToo() throws Exception {
        Plan plan = journeys();
        ThreadsLoadClient.of(plan).run();
        List<String> one = new ArrayList<>(paths);
        paths.clear();
        List<Interval> seconds = new ArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void interval(Interval interval) {
                seconds.add(interval);
            }
        };
        agent("one", 1, ACCESS);
        agent("two", 3, ACCESS);
        agent("three", 2, ACCESS);

        Result run = run(plan, 3, listener);

        assertThat(told).filteredOn(line -> !line.equals("joined")).hasSize(3);
        assertThat(paths).containsExactlyInAnyOrderElementsOf(one);
        assertThat(paths)
                .filteredOn(path -> path.startsWith("/row/"))
                .doesNotHaveDuplicates()
                .hasSize(60);
        assertThat(run.totals().succeeded()).isEqualTo(one.size());
        assertThat(run.phases().get(0).journeys().get(0).figures().requests()).isEqualTo(60);
        assertThat(seconds.stream()
                        .mapToLong(second -> second.journeys().get(0).requests())
                        .sum())
                .isEqualTo(60);
        for (Agents.Agent agent : run.agents().orElseThrow().members()) {
            isComplete(agent);
            assertThat(Path.of(agent.folder().orElseThrow(), "result.json"))
                    .content()
                    .contains("${env:PATH}", folder.resolve("rows.csv").toString())
                    .doesNotContain(System.getenv("PATH"));
        }
        for (PhaseResult.OperationResult step : run.phases().get(0).operations()) {
            assertThat(step.slowestRequests())
                    .hasSize(10)
                    .allMatch(of -> of.client().orElseThrow().matches("agent (one|two|three)"))
                    .allMatch(of -> !of.at().isBefore(run.startedAt()));
        }
        // What the environment has in a path is written nowhere.
        assertThat(run.phases().get(0).operations().get(3).slowestRequests())
                .extracting(KeptRequest::request)
                .containsOnly("GET /path/{path}");
        assertThat(run.phases().get(0).operations().get(0).slowestRequests())
                .extracting(of -> of.request().substring("GET ".length()))
                .isSubsetOf(paths);
    }

    @Test
    void timesOfEventsInStreamsAreAddedUp() throws Exception {
        byte[] events = "data: 1\n\ndata: 2\n\ndata: 3\n\n".getBytes(StandardCharsets.UTF_8);
        server.createContext("/events", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, events.length);
            exchange.getResponseBody().write(events);
            exchange.close();
        });
        Plan plan = Plan.builder(uri())
                .threads(4)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(5)))
                .operations(Operation.get("/events").withEvents(EventStream.parse("events count=3")))
                .build();
        agent("one", 1, ACCESS);
        agent("two", 3, ACCESS);

        Result run = run(plan, 2, RunListener.NONE);

        assertThat(run.totals().succeeded()).isEqualTo(20);
        Figures all = run.totals();
        assertThat(all.total(StreamTimings.SECTION)).isEqualTo(60);
        assertThat(all.time(StreamTimings.FIRST_EVENT).samples()).isEqualTo(20);
        assertThat(all.time(StreamTimings.EVENT_GAP).samples()).isEqualTo(40);
        assertThat(run.agents().orElseThrow().members()).hasSize(2).allSatisfy(this::isComplete);
    }

    /** Six users take each row of a file once, which is of several pieces, and any of another. */
    private Plan journeys() throws IOException {
        Path rows = folder.resolve("rows.csv");
        Files.write(
                rows,
                Stream.concat(Stream.of("a,rest"), IntStream.range(0, 60).mapToObj(i -> i + "," + "x".repeat(40_000)))
                        .toList());
        Path others = Files.writeString(folder.resolve("others.json"), "{\"b\":1}{\"b\":2}");
        Journey journey = Journey.named("all")
                .step(Step.get("/row/{once.a}"))
                .step(Step.get("/user/{user}/{iteration}/{random:1..1000000}/{any.b}"))
                .step(Step.get("/count/{counter}"))
                .step(Step.get("/path/{path}"));
        return Plan.builder(uri())
                .threads(6)
                .header(new Header("Cookie", "session=secret"))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(10)))
                .scenario(Scenario.of(new Journeys(
                        List.of(journey),
                        Map.of("path", "${env:PATH}"),
                        List.of(
                                new Feeder("once", Format.CSV, rows, RowOrder.SHUFFLED, Each.ITERATION, Exhausted.STOP),
                                new Feeder(
                                        "any",
                                        Format.JSON,
                                        others,
                                        RowOrder.RANDOM,
                                        Each.ITERATION,
                                        Exhausted.REPEAT)))))
                .build();
    }

    @Test
    void aStopEndsTheRunOnAllAgents() throws Exception {
        agent("one", 1, ACCESS);
        agent("two", 1, ACCESS);
        Plan plan = plan(4, new PhaseLength.Lasting(Duration.ofMinutes(10)));
        coordinator.await(2, PATIENCE, told::add);
        CountDownLatch going = new CountDownLatch(1);
        RunListener listener = new RunListener() {
            @Override
            public void progress(Progress progress) {
                going.countDown();
            }
        };
        try (ClusterRun run = new ClusterRun(coordinator, plan, OnAgentLoss.CONTINUE, PATIENCE, listener, told::add)) {
            CompletableFuture.runAsync(
                    () -> {
                        try {
                            going.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        run.close();
                    },
                    threads);

            Result result = run.run();

            assertThat(result.interrupted()).isTrue();
            assertThat(result.totals().requests()).isEqualTo(counted.get()).isPositive();
        }
    }

    /** Nobody listens but the coordinator; what members tell each other goes through it, in TLS. */
    @Test
    @Tag("slow")
    void agentsThatNobodyCanConnectToReachTheCoordinator() throws Exception {
        ClusterAccess[] access = keys();
        network = Network.TUNNEL;
        coordinator.close();
        coordinator = open(access[0]);
        agent("one", 1, access[1]);
        agent("two", 2, access[1]);

        Result run = run(plan(10, new PhaseLength.Iterations(20)), 2, RunListener.NONE);

        assertThat(counted).hasValue(11 * 20);
        assertThat(run.totals().succeeded()).isEqualTo(11 * 20);
        assertThat(run.agents().orElseThrow().members()).allSatisfy(this::isComplete);
    }

    @Test
    void whoeverIsMissingIsKnownByTheOthers() throws Exception {
        agent("one", 1, ACCESS);

        coordinator.await(1, PATIENCE, told::add);

        assertThat(coordinator.await(2, Duration.ofMillis(100), told::add)).containsExactly("one");
    }

    @Test
    void onlyAgentsThatAreNamedAreTakenAndOthersStayIdle() throws Exception {
        Future<?> rome = agent("rome", 1, ACCESS);
        agent("berlin", 1, ACCESS);
        Set<String> named = Set.of("berlin", "paris");
        BlockingQueue<String> free = new LinkedBlockingQueue<>();
        CompletableFuture<List<String>> some = CompletableFuture.supplyAsync(() -> awaitNamed(named, free), threads);
        assertThat(free.poll(30, TimeUnit.SECONDS)).startsWith("rome (");
        assertThat(some).isNotDone();
        agent("paris", 1, ACCESS);

        assertThat(some.get(30, TimeUnit.SECONDS)).containsExactlyInAnyOrder("berlin", "paris");
        Plan plan = plan(2, new PhaseLength.Iterations(1));
        try (ClusterRun run =
                new ClusterRun(coordinator, plan, OnAgentLoss.ABORT, PATIENCE, RunListener.NONE, told::add)) {
            assertThat(run.run().agents().orElseThrow().members())
                    .extracting(Agents.Agent::name)
                    .containsExactlyInAnyOrder("berlin", "paris");
        }
        assertThat(free).isEmpty();
        assertThat(rome).isNotDone();
    }

    private List<String> awaitNamed(Set<String> named, BlockingQueue<String> free) {
        try {
            return coordinator.await(named, PATIENCE, told::add, free::add);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void twoCoordinatorsCannotListenAtOnePort() {
        for (Network how : Network.values()) {
            assertThatThrownBy(() -> Coordinator.open(coordinator.address(), how, ACCESS))
                    .isInstanceOf(IOException.class)
                    .hasMessage("another process listens there");
        }
    }

    @Test
    void agentsStayForAnotherRun() throws Exception {
        ClusterAgent stays = newAgent("one", 1, ACCESS, false);
        threads.submit(() -> {
            stays.run();
            return null;
        });
        Plan plan = plan(2, new PhaseLength.Iterations(3));

        run(plan, 1, RunListener.NONE);
        Result again = run(plan, 1, RunListener.NONE);

        assertThat(again.totals().succeeded()).isEqualTo(9);
        assertThat(counted).hasValue(18);
    }

    @Test
    void membersWithKeysOfOneAuthorityTrustEachOther() throws Exception {
        ClusterAccess[] access = keys();
        coordinator.close();
        coordinator = open(access[0]);
        agent("one", 1, access[1]);

        Result run = run(plan(2, new PhaseLength.Iterations(3)), 1, RunListener.NONE);

        assertThat(run.totals().succeeded()).isEqualTo(9);
    }
}
