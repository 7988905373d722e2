package io.phaseload.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.capacity.CapacityStep.Purpose;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SearchTest {

    private static final Search RATE = new Search(20, 1e7, false, 0.05, 0, 20, 40);

    private static CapacityStep step(int number, NextStep next, Outcome outcome) {
        double holds = outcome == Outcome.HELD ? 0.99 : 0.01;
        return new CapacityStep(
                number,
                next.purpose(),
                next.load(),
                next.agents(),
                new CapacityStep.StepTime(Instant.EPOCH, next.seconds()),
                outcome,
                holds,
                next.load(),
                List.of(new ObjectiveResult("p99 < 250ms", "ms", 250, 100, holds)),
                new ClientRoom(10, 5, Optional.empty(), Optional.empty(), "CPU", Optional.empty()),
                Optional.empty(),
                "");
    }

    private static List<CapacityStep> run(Search search, double budget, Function<NextStep, Outcome> service) {
        List<CapacityStep> steps = new ArrayList<>();
        double left = budget;
        for (Optional<NextStep> next = search.next(steps, left); next.isPresent(); next = search.next(steps, left)) {
            steps.add(step(steps.size() + 1, next.get(), service.apply(next.get())));
            left -= next.get().seconds();
        }
        return steps;
    }

    private static Function<NextStep, Outcome> upTo(double capacity) {
        return next -> next.load() <= capacity ? Outcome.HELD : Outcome.BROKE;
    }

    @Test
    void aSearchDoublesThenHalvesThenConfirms() {
        List<CapacityStep> steps = run(RATE, 900, upTo(137));

        assertThat(steps.subList(0, 5)).extracting(CapacityStep::load).containsExactly(20.0, 40.0, 80.0, 160.0, 160.0);
        Answer answer = RATE.answer(steps).orElseThrow();
        CapacityStep last = steps.get(steps.size() - 1);
        assertThat(last.purpose()).isEqualTo(Purpose.CONFIRM);
        assertThat(answer.confirmed()).contains(last.load());
        assertThat(answer.atLeast()).isFalse();
        assertThat(answer.low()).isBetween(110.0, 137.0);
        assertThat(answer.high().orElseThrow()).isBetween(137.0, 160.0);
        assertThat(steps.get(answer.beyond().orElseThrow() - 1).outcome()).isEqualTo(Outcome.BROKE);
    }

    @Test
    void aFirstLoadThatBreaksIsHalved() {
        List<CapacityStep> steps = run(RATE, 900, upTo(3));

        assertThat(RATE.answer(steps).orElseThrow().load()).isBetween(2.6, 3.3);
    }

    @Test
    void nothingHolds() {
        List<CapacityStep> steps = run(RATE, 1e6, next -> Outcome.BROKE);

        assertThat(RATE.answer(steps)).isEmpty();
        assertThat(steps.get(steps.size() - 1).load()).isLessThan(0.02);
    }

    @Test
    void whereTheClientIsTheLimitTheServiceMayTakeMore() {
        List<CapacityStep> steps = run(RATE, 900, next -> next.load() <= 90 ? Outcome.HELD : Outcome.CLIENT);
        Answer answer = RATE.answer(steps).orElseThrow();

        assertThat(answer.atLeast()).isTrue();
        assertThat(answer.high()).isEmpty();
        assertThat(answer.confirmed().orElseThrow()).isBetween(75.0, 90.0);
        assertThat(steps.get(answer.beyond().orElseThrow() - 1).outcome()).isEqualTo(Outcome.CLIENT);
    }

    @Test
    void aClientThatIsTheLimitFarBeyondTheCapacityIsNotTheAnswer() {
        List<CapacityStep> steps = run(
                RATE,
                900,
                next -> next.load() <= 85 ? Outcome.HELD : next.load() < 150 ? Outcome.BROKE : Outcome.CLIENT);

        assertThat(RATE.answer(steps).orElseThrow().atLeast()).isFalse();
    }

    @Test
    void moreAgentsTakePartWhenOneIsTheLimit() {
        Search search = new Search(20, 1e7, false, 0.05, 3, 20, 40);
        List<CapacityStep> steps = run(
                search,
                900,
                next -> next.load() > 50 * next.agents()
                        ? Outcome.CLIENT
                        : next.load() <= 137 ? Outcome.HELD : Outcome.BROKE);

        assertThat(steps)
                .extracting(CapacityStep::agents)
                .startsWith(1, 1, 1, 2, 2, 3)
                .doesNotContain(0);
        assertThat(steps.get(3).purpose()).isEqualTo(Purpose.AGAIN);
        assertThat(search.answer(steps).orElseThrow().atLeast()).isTrue();
        assertThat(search.answer(steps).orElseThrow().low()).isGreaterThan(110);
    }

    @Test
    void usersAreWhole() {
        Search search = new Search(1, 1e6, true, 0.05, 0, 20, 40);
        List<CapacityStep> steps = run(search, 900, upTo(6));

        assertThat(steps).allSatisfy(of -> assertThat(of.load()).isEqualTo(Math.rint(of.load())));
        Answer answer = search.answer(steps).orElseThrow();
        assertThat(answer.load()).isEqualTo(6);
        assertThat(answer.low()).isIn(5.0, 6.0);
        assertThat(answer.high().orElseThrow()).isBetween(6.0, 8.0);
    }

    @Test
    void aStepThatIsNotSteadyIsRepeatedUpToFourTimes() {
        List<CapacityStep> steps = run(RATE, 200, next -> next.load() < 80 ? Outcome.HELD : Outcome.UNSTEADY);

        assertThat(steps).filteredOn(of -> of.load() == 80).hasSize(4);
        assertThat(RATE.answer(steps).orElseThrow().low()).isLessThan(80);
    }

    @Test
    void theLastThingInABudgetIsTheConfirmation() {
        List<CapacityStep> steps = run(RATE, 200, upTo(137));

        assertThat(steps.stream().mapToDouble(step -> step.time().seconds()).sum())
                .isBetween(150.0, 200.0);
        assertThat(RATE.answer(steps).orElseThrow().confirmed()).isPresent();
    }

    @Test
    void noLoadIsAboveTheLimit() {
        Search search = new Search(20, 100, false, 0.05, 0, 20, 40);
        List<CapacityStep> steps = run(search, 900, next -> Outcome.HELD);
        Answer answer = search.answer(steps).orElseThrow();

        assertThat(steps).allSatisfy(of -> assertThat(of.load()).isLessThanOrEqualTo(100));
        assertThat(answer.atLeast()).isTrue();
        assertThat(answer.confirmed()).contains(100.0);
    }
}
