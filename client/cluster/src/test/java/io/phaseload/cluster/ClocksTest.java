package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.PhaseLength;
import io.phaseload.result.Agents;
import io.phaseload.result.Agents.Clock;
import io.phaseload.result.Agents.TimeOfDay;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clocks of a coordinator and its agents, all in this JVM: those that they have, and others. */
@Timeout(120)
@Tag("slow")
class ClocksTest extends RealCluster {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** All in this JVM have the same clocks. */
    @Test
    void clocksAreReadWithoutLoad() throws Exception {
        agent("one", 1, ACCESS);
        agent("two", 1, ACCESS);
        coordinator.await(2, PATIENCE, told::add);
        List<List<ClockReading>> received = new ArrayList<>();
        try (ClockWatch watch =
                new ClockWatch(coordinator, Duration.ofMillis(600), Duration.ofMillis(250), received::add, told::add)) {
            watch.run();
        }

        assertThat(received).hasSize(3);
        for (ClockReading reading : received.stream().flatMap(List::stream).toList()) {
            assertThat(reading.offset().consistent()).isTrue();
            assertThat(reading.offset().lower()).isLessThanOrEqualTo(0);
            assertThat(reading.offset().upper()).isGreaterThanOrEqualTo(0);
            assertThat(Math.abs(reading.wallAhead())).isLessThanOrEqualTo(reading.wallError());
        }
        // On a busy machine not all of them have answered each time.
        assertThat(received.stream().flatMap(List::stream))
                .extracting(reading -> Set.of(reading.of(), reading.against()))
                .containsOnly(
                        Set.of("one", AgentSettings.COORDINATOR),
                        Set.of("two", AgentSettings.COORDINATOR),
                        Set.of("one", "two"));
        assertThat(counted).hasValue(0);
    }

    /** Before the first phase, before each, and after the last; each bound has the truth in it. */
    @Test
    void aRunHasTheClocksOfAllPairsInItsResult() throws Exception {
        Map<String, Long> ahead = Map.of("one", 3 * HOUR, "two", -5 * HOUR, "three", 0L);
        ahead.forEach(this::agentWithClock);

        Result run = run(plan(6, new PhaseLength.Iterations(5)), 3, RunListener.NONE);

        Agents agents = run.agents().orElseThrow();
        for (Agents.Agent agent : agents.members()) {
            assertThat(agent.clocks()).hasSize(4);
            agent.clocks().forEach(clock -> isWithinBounds(clock, ahead.get(agent.name())));
        }
        assertThat(agents.peerClocks())
                .extracting(pair -> Set.of(pair.agent(), pair.against()))
                .containsExactlyInAnyOrder(Set.of("one", "two"), Set.of("one", "three"), Set.of("two", "three"));
        for (Agents.PeerClocks pair : agents.peerClocks()) {
            // On a busy machine not all of them have answered each time.
            assertThat(pair.clocks()).hasSizeBetween(2, 4);
            assertThat(pair.clocks()).isSortedAccordingTo(Comparator.comparing(Clock::seconds));
            assertThat(pair.drift()).isPresent();
            long truth = ahead.get(pair.agent()) - ahead.get(pair.against());
            pair.clocks().forEach(clock -> isWithinBounds(clock, truth));
        }
    }

    private static void isWithinBounds(Clock clock, long ahead) {
        assertThat(clock.consistent()).isTrue();
        assertThat(clock.exchanges()).isPositive();
        assertThat(clock.seconds()).isBetween(0.0, 100.0);
        assertThat(Math.abs(clock.offsetMs() - ahead / 1e6)).isLessThanOrEqualTo(clock.boundMs() + 1e-3);
        // They have one time of day.
        TimeOfDay timeOfDay = clock.timeOfDay().orElseThrow();
        assertThat(Math.abs(timeOfDay.aheadMs())).isLessThanOrEqualTo(timeOfDay.boundMs() + 1e-3);
    }

    /** Each would need an answer of all others. */
    @Test
    void theClocksOfManyAgentsAreComparedWithTheCoordinatorsAlone() throws Exception {
        int count = ClockWatch.MOST_COMPARED + 1;
        IntStream.range(0, count).forEach(i -> agent("a" + i, 1, ACCESS));

        Result run = run(plan(count, new PhaseLength.Iterations(1)), count, RunListener.NONE);

        Agents agents = run.agents().orElseThrow();
        assertThat(agents.members()).allSatisfy(this::isComplete);
        assertThat(agents.peerClocks()).isEmpty();
        assertThat(told)
                .filteredOn(line -> line.startsWith("the clocks of 11 agents"))
                .containsExactly("the clocks of 11 agents are compared with the coordinator's alone: with each"
                        + " other's only up to 10");
    }

    /** One that never answers another agent costs a moment, and no clocks of others. */
    @Test
    void anAgentThatDoesNotAnswerOthersIsLeftOut() throws Exception {
        agent("one", 1, ACCESS);
        agent("two", 1, ACCESS);
        AtomicReference<Link> deaf = new AtomicReference<>();
        deaf.set(join("deaf", new DeafToAgents(deaf)));
        hello(deaf.get(), "deaf");

        Result run = run(plan(3, new PhaseLength.Iterations(1)), 3, RunListener.NONE);
        deaf.get().close();

        Agents agents = run.agents().orElseThrow();
        assertThat(agents.peerClocks())
                .extracting(pair -> Set.of(pair.agent(), pair.against()))
                .containsExactly(Set.of("one", "two"));
        assertThat(agents.peerClocks().get(0).clocks()).hasSizeGreaterThanOrEqualTo(2);
    }

    /** Answers the coordinator, and leaves when it is to start. */
    private final class DeafToAgents implements Link.MessageHandler {

        private final AtomicReference<Link> own;

        DeafToAgents(AtomicReference<Link> own) {
            this.own = own;
        }

        @Override
        public void received(Address from, Message message, long at) {
            Link link = own.get();
            if (!link.coordinator().equals(from)) {
                return;
            }
            if (message instanceof Message.ClockPing ping) {
                link.send(from, new Message.ClockPong(ping.sent(), at, at, 0, 0, Optional.empty()));
            } else if (message instanceof Message.RunOrder order) {
                link.send(from, new Message.Ready(order.run(), "warmup"));
            } else if (message instanceof Message.StartPhase) {
                threads.execute(link::close);
            }
        }

        @Override
        public void gone(Address member, boolean ended) {}
    }
}
