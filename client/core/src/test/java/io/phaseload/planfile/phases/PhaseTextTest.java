package io.phaseload.planfile.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.plan.PhaseLength;
import io.phaseload.planfile.phases.PhaseText.Item;
import io.phaseload.planfile.phases.PhaseText.PhaseRate;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code --phases} may look like; what it mustn't is in the command line's LoadUsageTest. */
class PhaseTextTest {

    private static final PhaseLength TEN_SECONDS = new PhaseLength.Lasting(Duration.ofSeconds(10));
    private static final Rate FIVE_HUNDRED = Rate.perSecond(500);

    static Stream<Arguments> lists() {
        Item peak = item("peak", 1);
        Item low = item("low", 0.5);
        return Stream.of(
                list("peak=1", peak),
                list("peak=1.0", peak),
                list(" \t peak\t=  1 ", peak),
                list("low=.5", low),
                list("low=0.5,peak=1", low, peak),
                list(" low = 0.5 , peak = 1 ", low, peak),
                list("for=1", item("for", 1)),
                list("at=1", item("at", 1)),
                list("0-_=1", item("0-_", 1)),
                list("peak=1 for 10s", timed(TEN_SECONDS)),
                list("peak=1  for  10000ms  ", timed(TEN_SECONDS)),
                list("peak=1 for 1.5m", timed(new PhaseLength.Lasting(Duration.ofSeconds(90)))),
                list("peak=1 for 100 iterations", timed(new PhaseLength.Iterations(100))),
                list("peak=1 for 5k requests", timed(new PhaseLength.Total(5_000))),
                list("peak=1 for 1 iteration", timed(new PhaseLength.Iterations(1))),
                list("peak=1 for 1.5k\titerations", timed(new PhaseLength.Iterations(1500))),
                list(
                        "peak=1 at 500/s",
                        open(Optional.empty(), new PhaseRate(FIVE_HUNDRED, Optional.empty(), Set.of()))),
                list(
                        "peak=1 at 0.5k/s",
                        open(Optional.empty(), new PhaseRate(FIVE_HUNDRED, Optional.empty(), Set.of()))),
                list(
                        "peak=1 at 30/m for 100 iterations",
                        open(
                                Optional.of(new PhaseLength.Iterations(100)),
                                new PhaseRate(new Rate(30, Duration.ofMinutes(1)), Optional.empty(), Set.of()))),
                list(
                        "peak=1 at 10/s..500/s for 10s",
                        open(
                                Optional.of(TEN_SECONDS),
                                new PhaseRate(Rate.perSecond(10), Optional.of(FIVE_HUNDRED), Set.of()))),
                list(
                        "peak=1 for 10s at 500/s..10/s",
                        open(
                                Optional.of(TEN_SECONDS),
                                new PhaseRate(FIVE_HUNDRED, Optional.of(Rate.perSecond(10)), Set.of()))),
                list(
                        "low=0.5, peak=1 for 10s at 10/s..500/s, c=0.25 for 2 iterations",
                        low,
                        open(
                                Optional.of(TEN_SECONDS),
                                new PhaseRate(Rate.perSecond(10), Optional.of(FIVE_HUNDRED), Set.of())),
                        new Item(
                                "c",
                                0.25,
                                Optional.of(new PhaseLength.Iterations(2)),
                                Optional.empty(),
                                Optional.empty())));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void isRead(String text, List<Item> items) {
        assertThat(PhaseText.parse(text)).isEqualTo(items);
    }

    private static Item item(String name, double share) {
        return new Item(name, share, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Item timed(PhaseLength length) {
        return new Item("peak", 1, Optional.of(length), Optional.empty(), Optional.empty());
    }

    private static Item open(Optional<PhaseLength> length, PhaseRate rates) {
        return new Item("peak", 1, length, Optional.of(rates), Optional.empty());
    }

    private static Arguments list(String text, Item... items) {
        return arguments(text, List.of(items));
    }
}
