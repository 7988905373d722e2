package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Agents;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Agents that are lost, or aren't ready, and agents whose coordinator is lost. */
@Timeout(120)
class LostAgentTest extends RealCluster {

    @Test
    @Tag("slow")
    void anAgentThatIsLostIsNamedAndTheOthersGoOn() throws Exception {
        agent("one", 1, ACCESS);
        deserter("two");

        Result run = run(plan(4, new PhaseLength.Iterations(10)), 2, RunListener.NONE);

        assertThat(told).contains("agent two is lost: it isn't running any more");
        assertThat(run.findings()).anyMatch(finding -> finding.id().equals("agent-lost"));
        assertThat(run.agents().orElseThrow().members())
                .filteredOn(agent -> agent.lost().isPresent())
                .extracting(Agents.Agent::name)
                .containsExactly("two");
        Agents.Lost lost = run.agents().orElseThrow().members().stream()
                .flatMap(agent -> agent.lost().stream())
                .findFirst()
                .orElseThrow();
        assertThat(lost.lastSecond()).isZero();
        assertThat(lost.missingSeconds()).isPositive();
        // The other one has as many users.
        assertThat(lost.missingRequests()).isEqualTo(counted.get());
        // Its own part, and no more.
        assertThat(run.totals().requests()).isEqualTo(counted.get()).isPositive();
        assertThat(counted.get()).isLessThan(5 * 10);
    }

    @Test
    @Tag("slow")
    void anAgentThatIsLostInTheTunnelIsNamed() throws Exception {
        network = Network.TUNNEL;
        coordinator.close();
        coordinator = open(ACCESS);

        anAgentThatIsLostIsNamedAndTheOthersGoOn();
    }

    @Test
    @Tag("slow")
    void aLostAgentEndsTheRunIfThatIsWanted() throws Exception {
        agent("one", 1, ACCESS);
        deserter("two");
        coordinator.await(2, PATIENCE, told::add);
        Plan plan = plan(4, new PhaseLength.Lasting(Duration.ofMinutes(10)));
        try (ClusterRun run =
                new ClusterRun(coordinator, plan, OnAgentLoss.ABORT, PATIENCE, RunListener.NONE, told::add)) {
            Result result = run.run();

            assertThat(result.interrupted()).isTrue();
            assertThat(result.findings()).anyMatch(finding -> finding.id().equals("agent-lost"));
        }
    }

    /** An agent that leaves when it is to start. */
    private void deserter(String name) throws Exception {
        AtomicReference<Link> own = new AtomicReference<>();
        own.set(join(name, new Link.MessageHandler() {
            @Override
            public void received(Address from, Message message, long at) {
                if (message instanceof Message.ClockPing ping) {
                    own.get().send(from, new Message.ClockPong(ping.sent(), at, at, 0, 0, Optional.empty()));
                } else if (message instanceof Message.RunOrder order) {
                    own.get().send(from, new Message.Ready(order.run(), "warmup"));
                } else if (message instanceof Message.StartPhase) {
                    threads.execute(own.get()::close);
                }
            }

            @Override
            public void gone(Address member, boolean ended) {}
        }));
        hello(own.get(), name);
    }

    /** One that answers, but is late, and then never ready. */
    @Test
    @Tag("slow")
    void whoHoldsUpTheOthersIsNamedAndNotWaitedForForEver() throws Exception {
        agent("one", 1, ACCESS);
        CompletableFuture<Link> own = new CompletableFuture<>();
        Executor later = CompletableFuture.delayedExecutor(2_200, TimeUnit.MILLISECONDS, threads);
        own.complete(join("two", new Link.MessageHandler() {
            @Override
            public void received(Address from, Message message, long at) {
                if (message instanceof Message.ClockPing ping) {
                    answer(from, new Message.ClockPong(ping.sent(), at, at, 0, 0, Optional.empty()));
                } else if (message instanceof Message.Compare others) {
                    ClockExchange same = new ClockExchange(at, at, at, at);
                    others.agents().stream()
                            .map(id -> new Message.Compared(others.run(), id, List.of(same)))
                            .forEach(all -> answer(from, all));
                } else if (message instanceof Message.RunOrder order) {
                    later.execute(() -> answer(from, new Message.Ready(order.run(), "warmup")));
                } else if (message instanceof Message.StartPhase start) {
                    answer(from, new Message.Finished(start.run(), "warmup", 1));
                }
            }

            private void answer(Address from, Message message) {
                own.join().send(from, message);
            }

            @Override
            public void gone(Address member, boolean ended) {}
        }));
        hello(own.join(), "two");

        Result run = run(plan(4, new PhaseLength.Iterations(10)), 2, Duration.ofSeconds(3), RunListener.NONE);
        own.join().close();

        assertThat(told)
                .anyMatch(line -> line.matches("agent two was ready for the phase warmup [0-9.]+ s after the others"))
                .contains("agent two is lost: it wasn't ready for the phase peak for 3 s");
        Agents.Wait wait =
                run.agents().orElseThrow().starts().get(0).readyLast().orElseThrow();
        assertThat(wait.agent()).isEqualTo("two");
        assertThat(wait.seconds()).isBetween(1.0, 3.0);
        assertThat(run.agents().orElseThrow().starts().get(1).readyLast()).isEmpty();
        assertThat(run.phases().get(1).figures().requests()).isPositive();
    }

    /** The coordinator's process ends once agents have sent their results, or their standard input does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void anAgentWhoseResultIsNotConfirmedSaysThatItsCoordinatorIsLost(boolean inputEnds) throws Exception {
        ClusterAgent agent = newAgent("one", 1, ACCESS);
        Future<?> ended = threads.submit(() -> {
            agent.run();
            return null;
        });
        assertThat(coordinator.await(1, PATIENCE, told::add)).hasSize(1);
        Member member = coordinator.members().get(0);
        JsonNode plan = JsonMapper.shared().readTree(PlanFile.toSharedJson(plan(1, new PhaseLength.Iterations(2))));
        Message.Dealt dealt = new Message.Dealt("one", member.id(), "1/1");
        coordinator.send(
                member, new Message.RunOrder("r", plan, Map.of(), List.of(), PATIENCE.toNanos(), List.of(dealt)));
        while (true) {
            Message message = next();
            if (message instanceof Message.Ready ready) {
                coordinator.send(member, new Message.StartPhase("r", ready.phase(), System.nanoTime()));
            } else if (message instanceof Message.Done) {
                break;
            }
        }
        if (inputEnds) {
            agent.abandon();
        } else {
            coordinator.close();
        }

        ended.get(30, TimeUnit.SECONDS);
        assertThat(told).containsOnlyOnce("coordinator lost");
    }

    private Message next() throws InterruptedException {
        Optional<Event> event = coordinator.next(System.nanoTime() + PATIENCE.toNanos());
        return ((Event.MessageReceived) event.orElseThrow()).message();
    }

    /** The only user of the first phase is one agent's; the other one waits longer than patience. */
    @Test
    @Tag("slow")
    void anAgentThatHasNothingToDoIsNotLost() throws Exception {
        agent("one", 1, ACCESS);
        agent("two", 1, ACCESS);
        Plan plan = plan(2, new PhaseLength.Lasting(Duration.ofSeconds(4)), new PhaseLength.Iterations(1));

        Result run = run(plan, 2, Duration.ofSeconds(3), RunListener.NONE);

        assertThat(run.agents().orElseThrow().members()).allSatisfy(this::isComplete);
        assertThat(run.phases().get(1).figures().requests()).isEqualTo(2);
    }
}
