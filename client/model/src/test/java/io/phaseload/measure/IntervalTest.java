package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IntervalTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final HostFigures BUSY = new HostFigures(Map.of("cpuPercent", 90.0));

    private final Tally tally = new Tally();
    private final Interval interval = new Interval("main", SECOND.multipliedBy(5), SECOND, List.of(tally));

    @Test
    void hasTheFiguresOfClientAndServerOnceTheyAreKnown() {
        assertThat(interval.client()).isEqualTo(HostFigures.GAP);
        assertThat(interval.server()).isEmpty();

        Interval known = interval.withServer(BUSY).withClient(HostFigures.GAP.and(BUSY));

        assertThat(known)
                .isEqualTo(new Interval(
                        "main", SECOND.multipliedBy(5), SECOND, List.of(tally), List.of(), BUSY, Optional.of(BUSY)));
    }

    @Test
    void inARunThatBeganEarlierItIsLater() {
        assertThat(interval.later(SECOND.multipliedBy(2)))
                .isEqualTo(new Interval("main", SECOND.multipliedBy(7), SECOND, List.of(tally)));
    }

    @Test
    void ofAClientItsKeptRequestsHaveTheClientsName() {
        tally.keep(List.of(Requests.success(2_000_000, 10_000)));

        Interval named = interval.from("agent-1", SECOND);

        assertThat(named.start()).isEqualTo(interval.start());
        assertThat(named.operations()).hasSize(1);
        KeptRequest kept = named.operations().get(0).slowest().get(0);
        assertThat(kept.client()).contains("agent-1");
        assertThat(kept.at()).isEqualTo(tally.slowest().get(0).at().minus(SECOND));
    }
}
