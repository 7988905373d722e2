package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostlyTest {

    private long nanos;
    private int cost;
    private final Costly<Integer> costly = new Costly<>(this::take, () -> nanos);

    private Optional<Integer> take() {
        nanos += cost;
        return Optional.of(cost);
    }

    @Test
    void isReadSoSeldomThatItTakesAQuarterOfAPercentOfTheTime() {
        cost = 1_000;
        assertThat(costly.read()).as("cold").contains(1_000);
        nanos = 0;
        cost = 5;
        assertThat(costly.read()).contains(5);

        nanos = 1_999;
        assertThat(costly.read()).isEmpty();
        nanos = 2_000;
        assertThat(costly.read()).contains(5);
        nanos = 4_000;
        assertThat(costly.read()).contains(5);
    }

    @Test
    void whatCostsNothingIsReadEachTime() {
        assertThat(costly.read()).contains(0);
        assertThat(costly.read()).contains(0);
    }
}
