package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.plan.PhaseText.Item;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code --phases} may look like; what it mustn't is in the command line's LoadUsageTest. */
class PhaseTextTest {

    private static final PhaseLength TEN_SECONDS = new PhaseLength.Lasting(Duration.ofSeconds(10));
    private static final Rate FIVE_HUNDRED = Rate.perSecond(500);

    static Stream<Arguments> lists() {
        Item peak = new Item("peak", 1, null, null, null);
        Item low = new Item("low", 0.5, null, null, null);
        return Stream.of(
                list("peak=1", peak),
                list("peak=1.0", peak),
                list(" \t peak\t=  1 ", peak),
                list("low=.5", low),
                list("low=0.5,peak=1", low, peak),
                list(" low = 0.5 , peak = 1 ", low, peak),
                list("for=1", new Item("for", 1, null, null, null)),
                list("at=1", new Item("at", 1, null, null, null)),
                list("0-_=1", new Item("0-_", 1, null, null, null)),
                list("peak=1 for 10s", timed(TEN_SECONDS)),
                list("peak=1  for  10000ms  ", timed(TEN_SECONDS)),
                list("peak=1 for 1.5m", timed(new PhaseLength.Lasting(Duration.ofSeconds(90)))),
                list("peak=1 for 100 iterations", timed(new PhaseLength.Iterations(100))),
                list("peak=1 for 1 iteration", timed(new PhaseLength.Iterations(1))),
                list("peak=1 for 1.5k\titerations", timed(new PhaseLength.Iterations(1500))),
                list("peak=1 at 500/s", new Item("peak", 1, null, FIVE_HUNDRED, null)),
                list("peak=1 at 0.5k/s", new Item("peak", 1, null, FIVE_HUNDRED, null)),
                list(
                        "peak=1 at 30/m for 100 iterations",
                        new Item(
                                "peak",
                                1,
                                new PhaseLength.Iterations(100),
                                new Rate(30, Duration.ofMinutes(1)),
                                null)),
                list(
                        "peak=1 at 10/s..500/s for 10s",
                        new Item("peak", 1, TEN_SECONDS, Rate.perSecond(10), FIVE_HUNDRED)),
                list(
                        "peak=1 for 10s at 500/s..10/s",
                        new Item("peak", 1, TEN_SECONDS, FIVE_HUNDRED, Rate.perSecond(10))),
                list(
                        "low=0.5, peak=1 for 10s at 10/s..500/s, c=0.25 for 2 iterations",
                        low,
                        new Item("peak", 1, TEN_SECONDS, Rate.perSecond(10), FIVE_HUNDRED),
                        new Item("c", 0.25, new PhaseLength.Iterations(2), null, null)));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void isRead(String text, List<Item> items) {
        assertThat(PhaseText.parse(text)).isEqualTo(items);
    }

    private static Item timed(PhaseLength length) {
        return new Item("peak", 1, length, null, null);
    }

    private static Arguments list(String text, Item... items) {
        return arguments(text, List.of(items));
    }
}
