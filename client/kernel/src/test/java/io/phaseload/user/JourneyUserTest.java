package io.phaseload.user;

import static io.phaseload.user.FakePhase.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.journey.JourneyData;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Condition;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.user.Arrivals.Arrival;
import io.phaseload.user.VirtualUser.Action;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users of journeys do next, on fake time. */
class JourneyUserTest {

    private static final long START = 1_000;
    private static final Exchange FAILED = Exchanges.of(0, 5_000, new Outcome.HttpFailure(500), 100, 0, false);

    private final List<String> timed = new ArrayList<>();
    private JourneyPhase journeys;
    private PhaseSettings settings;

    private VirtualUser user(PhaseLength length, Load load, int index, Journey... all) {
        Phase phase = new Phase("phase", 1, length, load);
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .threads(4)
                .scenario(Scenario.of(Journeys.of(all)))
                .phases(phase)
                .build();
        settings = new PhaseSettings(plan, phase);
        journeys = new JourneyPhase(plan, phase.name(), JourneyData.open(plan, Map.of()));
        return VirtualUser.of(
                settings,
                index,
                new Throttle(settings),
                START,
                START,
                new Reachability(true),
                Optional.of(journeys),
                (of, due, exchange) -> timed.add(of
                        + ": "
                        + due
                        + ".."
                        + exchange.endNanos()
                        + " "
                        + exchange.outcome().cause()));
    }

    private static Step nanos(long min) {
        return new Step.Think(Pause.of(Duration.ofNanos(min)));
    }

    private static Journey named(String name, Step... steps) {
        return new Journey(name, 1, List.of(steps));
    }

    /** Sends at a time, and is answered 100 ns later. */
    private static long send(VirtualUser user, long now, int operation) {
        assertThat(user.next(now, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isEqualTo(operation);
        return user.answered(now, answered(now, now + 100));
    }

    private static void waitsUntil(VirtualUser user, long now, long until) {
        assertThat(user.next(now, false)).isEqualTo(Action.WAIT);
        assertThat(user.wakeNanos()).isEqualTo(until);
    }

    @Test
    void pausesAreBeforeTheNextRequestWhichIsDueAtTheirEnd() {
        VirtualUser user = user(
                FakePhase.iterations(2),
                Load.Closed.AT_ONCE,
                0,
                named("j", nanos(10), Step.get("/a"), nanos(20), nanos(30), Step.get("/b"), nanos(7)));
        waitsUntil(user, START, START + 10);
        // 3 ns late.
        assertThat(send(user, START + 13, 0)).isEqualTo(START + 10);
        waitsUntil(user, START + 113, START + 163);
        assertThat(send(user, START + 163, 1)).isEqualTo(START + 163);
        assertThat(timed).containsExactly("0: 1010..1263 success");
        // The pause at the end comes before the next iteration.
        waitsUntil(user, START + 263, START + 270);
        waitsUntil(user, START + 270, START + 280);
        send(user, START + 280, 0);
        send(user, START + 430, 1);
        assertThat(user.next(START + 530, false)).isEqualTo(Action.END);
    }

    @Test
    void anIterationGoesOnToItsEndBeyondThePhases() {
        VirtualUser user = user(
                FakePhase.lasting(150), Load.Closed.AT_ONCE, 0, named("j", Step.get("/a"), nanos(500), Step.get("/b")));
        send(user, START, 0);
        waitsUntil(user, START + 100, START + 600);
        send(user, START + 600, 1);
        assertThat(user.next(START + 700, false)).isEqualTo(Action.END);
        assertThat(timed).hasSize(1);
    }

    @Test
    void stepsAreRepeatedAndGroupsAreTimedEachTime() {
        Step group = new Step.Group("g", List.of(Step.get("/a"), Step.get("/b")));
        VirtualUser user = user(
                FakePhase.iterations(1),
                Load.Closed.AT_ONCE,
                0,
                named("j", new Step.Repeat(2, List.of(group)), Step.get("/c")));
        assertThat(settings.asked()).isEqualTo(4 * 5);
        long now = START;
        for (int operation : new int[] {0, 1, 0, 1, 2}) {
            send(user, now, operation);
            now += 100;
        }
        assertThat(user.next(now, false)).isEqualTo(Action.END);
        assertThat(timed).containsExactly("1: 1000..1200 success", "1: 1200..1400 success", "0: 1000..1500 success");
    }

    @Test
    void conditionsPassOverSteps() {
        Step never = new Step.When(Condition.parse("1 == 2"), List.of(Step.get("/no")));
        Step always = new Step.When(Condition.parse("1 == 1"), List.of(Step.get("/yes")));
        VirtualUser user = user(
                FakePhase.iterations(1),
                Load.Closed.AT_ONCE,
                0,
                named("j", new Step.Repeat(3, List.of(never)), always, Step.get("/b")));
        send(user, START, 1);
        send(user, START + 100, 2);
        assertThat(journeys.unasked()).isEqualTo(3);
        assertThat(journeys.notSent()).isEmpty();
    }

    @Test
    void aFailureEndsTheJourneyAndWhatItWouldHaveSentIsCounted() {
        Step group = new Step.Group("g", List.of(Step.get("/a"), Step.get("/b")));
        VirtualUser user = user(FakePhase.iterations(2), Load.Closed.AT_ONCE, 0, named("j", group, Step.get("/c")));
        assertThat(user.next(START, false)).isEqualTo(Action.SEND);
        user.answered(START, FAILED);
        assertThat(timed).containsExactly("1: 1000..5000 GET /a: http 500", "0: 1000..5000 GET /a: http 500");
        assertThat(journeys.notSent()).isEqualTo(Map.of("an earlier step failed", 2L));
        send(user, 5_000, 0);
    }

    @Test
    void aJourneyGoesOnAfterAFailureThatItExpects() {
        VirtualUser user = user(
                FakePhase.iterations(1),
                Load.Closed.AT_ONCE,
                0,
                named("j", Step.get("/a").continueOnFailure(), Step.get("/b")));
        assertThat(user.next(START, false)).isEqualTo(Action.SEND);
        user.answered(START, FAILED);
        send(user, 5_000, 1);
        assertThat(timed).containsExactly("0: 1000..5100 GET /a: http 500");
        assertThat(journeys.notSent()).isEmpty();
    }

    /** Retries are requests beside the plan's, each after a pause; one that succeeds is enough. */
    @Test
    void aRequestThatFailsIsSentAgain() {
        Pause after = Pause.of(Duration.ofNanos(50));
        Step.Request step = Step.get("/a").onFailure(new Step.OnFailure(2, after, true));
        VirtualUser user = user(FakePhase.iterations(2), Load.Closed.AT_ONCE, 0, named("j", step, Step.get("/b")));
        assertThat(user.next(START, false)).isEqualTo(Action.SEND);
        assertThat(user.operation()).isZero();
        user.answered(START, FAILED);
        waitsUntil(user, 5_000, 5_050);
        send(user, 5_050, 2);
        send(user, 5_150, 1);
        assertThat(timed).containsExactly("0: 1000..5250 success");
        assertThat(journeys.unasked()).isEqualTo(-1);

        for (int operation : new int[] {0, 2, 2}) {
            long now = 6_000;
            assertThat(user.next(now, false)).isEqualTo(Action.SEND);
            assertThat(user.operation()).isEqualTo(operation);
            user.answered(now, FAILED);
        }
        assertThat(user.next(6_000, false)).isEqualTo(Action.END);
        assertThat(timed.get(1)).endsWith(" GET /a: http 500");
        assertThat(journeys.unasked()).isEqualTo(-3);
        assertThat(journeys.notSent()).isEqualTo(Map.of("an earlier step failed", 1L));
    }

    @Test
    void aRequestThatCantBeWrittenIsntSentAndTheUserPauses() {
        VirtualUser user =
                user(FakePhase.iterations(2), Load.Closed.AT_ONCE, 0, named("j", Step.get("/a"), Step.get("/b")));
        assertThat(user.next(START, false)).isEqualTo(Action.SEND);
        user.refused(START);
        waitsUntil(user, START, START + 10_000_000);
        assertThat(timed).isEmpty();
        assertThat(journeys.notSent())
                .isEqualTo(Map.of("a value can't be in a path, a header or bytes", 1L, "an earlier step failed", 1L));
        send(user, START + 10_000_000, 0);
    }

    @Test
    void usersTakeTurnsByWeight() {
        Journey a = named("a", Step.get("/a")).weight(3);
        Journey b = named("b", Step.get("/b"), Step.get("/c"));
        assertThat(operations(a, b)).containsExactly(0, 0, 1, 0);
        assertThat(settings.asked()).isEqualTo(5);
        Map<String, Integer> inPhase = Map.of("phase", 1);
        assertThat(operations(a.weights(inPhase), b.weights(inPhase))).containsExactly(0, 1, 0, 1);
        assertThat(settings.asked()).isEqualTo(6);
        assertThat(operations(a.weights(Map.of("phase", 0)), b)).containsExactly(1, 1, 1, 1);
    }

    /** The first one of each of four users. */
    private List<Integer> operations(Journey... all) {
        List<Integer> operations = new ArrayList<>();
        for (int index = 0; index < 4; index++) {
            VirtualUser user = user(FakePhase.iterations(1), Load.Closed.AT_ONCE, index, all);
            user.next(START, false);
            operations.add(user.operation());
        }
        return operations;
    }

    @Test
    void anArrivalIsAWholeJourney() {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Load.Overload.DROP);
        OpenUser user = (OpenUser) user(
                FakePhase.lasting(1_000_000_000),
                open,
                0,
                named("a", Step.get("/a"), Step.get("/b"), nanos(40), Step.get("/c")),
                named("b", Step.get("/d")));
        assertThat(user.next(START, false)).isEqualTo(Action.CLAIM);
        user.take(new Arrival(2, 500));
        waitsUntil(user, START, START + 500);
        assertThat(send(user, START + 510, 0)).isEqualTo(START + 500);
        assertThat(send(user, START + 610, 1)).isEqualTo(START + 610);
        waitsUntil(user, START + 710, START + 750);
        assertThat(send(user, START + 760, 2)).isEqualTo(START + 750);
        assertThat(timed).containsExactly("0: 1500..1860 success");
        assertThat(user.next(START + 860, false)).isEqualTo(Action.CLAIM);
        user.take(new Arrival(1, 700));
        send(user, START + 860, 3);
    }

    /** Of ten arrivals, two weren't made in time: one journey of three requests, and one of one. */
    @Test
    void arrivalsAreCountedInRequests() {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Load.Overload.DROP);
        user(
                FakePhase.lasting(1_000_000_000),
                open,
                0,
                named("a", Step.get("/a"), Step.get("/b"), Step.get("/c")),
                named("b", Step.get("/d")));
        Arrivals arrivals = settings.newArrivals(new Throttle(settings)).orElseThrow();
        assertThat(arrivals.claim(() -> 150_000_000).index()).isEqualTo(2);
        assertThat(arrivals.dropped()).isEqualTo(4);
        assertThat(arrivals.notSent("why", 3)).isEqualTo(Map.of("dropped", 4L, "why", 13L));
    }
}
