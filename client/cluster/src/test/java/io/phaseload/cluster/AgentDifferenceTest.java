package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.wire.Message;
import io.phaseload.measure.Counters;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.share.Part;
import io.phaseload.result.Agents.Difference;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** An agent that isn't like the others, and seconds that aren't like others. */
class AgentDifferenceTest {

    private static final int SECONDS = 20;
    private static final Plan PLAN = plan(Scenario.getOnly());

    private final Random random = new Random(1);

    @Test
    void secondsThatAreSlowForAllDoNotCount() {
        List<Member> all = List.of(member("1,2/4", 20, 1), member("3/4", 10, 1));

        Difference found = AgentDifference.of(all.get(0), all, PLAN).orElseThrow();

        assertThat(found.p50Percent()).isBetween(-5.0, 5.0);
        assertThat(found.ratePercent()).isBetween(-5.0, 5.0);
        assertThat(AgentDifference.isAlarming(found)).isFalse();
    }

    @Test
    void oneThatIsSlowerIsFound() {
        List<Member> all = List.of(member("1/3", 100, 1), member("2/3", 100, 1), member("3/3", 60, 1.5));

        Difference found = AgentDifference.of(all.get(2), all, PLAN).orElseThrow();

        assertThat(found.p50Percent()).isBetween(45.0, 55.0);
        assertThat(found.ratePercent()).isBetween(-45.0, -35.0);
        assertThat(found.p50ErrorPercent()).isBetween(0.0, 5.0);
        assertThat(AgentDifference.isAlarming(found)).isTrue();
    }

    /** Of two journeys in turns, the first of four agents sends one alone, and each of three both. */
    @Test
    void agentsThatSendOtherJourneysAreNotCompared() {
        Journeys journeys = Journeys.of(
                Journey.named("a").step(Step.get("/a")), Journey.named("b").step(Step.get("/b")));
        Plan plan = plan(Scenario.of(journeys));
        List<Member> four = List.of(member("1/4", 100, 1), member("2,3,4/4", 100, 1));
        List<Member> three = List.of(member("1/3", 100, 1), member("2,3/3", 100, 1));

        assertThat(AgentDifference.of(four.get(0), four, plan)).isEmpty();
        assertThat(AgentDifference.of(three.get(0), three, plan)).isPresent();
    }

    @Test
    void anAgentAloneDiffersFromNobody() {
        List<Member> all = List.of(member("1/1", 100, 1));

        assertThat(AgentDifference.of(all.get(0), all, PLAN)).isEmpty();
    }

    private static Plan plan(Scenario scenario) {
        return Plan.builder(URI.create("http://127.0.0.1/"))
                .threads(4)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(1)))
                .scenario(scenario)
                .build();
    }

    /** Its seconds get slower all the time, by what it is times slower than others. */
    private Member member(String part, int requests, double slower) {
        Member member = new Member(UUID.randomUUID(), new Message.Hello("1", "one", 1, "load-1"));
        member.deal(Part.parse(part));
        for (int second = 0; second < SECONDS; second++) {
            Histogram times = new Histogram(1, 3_600_000_000_000L, 3);
            for (int i = 0; i < requests; i++) {
                times.recordValue((long) (1_000_000 * (1 + second) * slower * (0.99 + 0.02 * random.nextDouble())));
            }
            Tally tally = Tally.of(
                    Map.of(Timing.RESPONSE, times),
                    Map.of(),
                    new Counters(requests, 0, 0, 0, 0, Map.of(), Map.of()),
                    Map.of());
            member.add(
                    new Interval("peak", Duration.ofSeconds(second), Duration.ofSeconds(1), List.of(tally)), Map.of());
        }
        return member;
    }
}
