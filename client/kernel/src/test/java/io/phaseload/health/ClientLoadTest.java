package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientLoadTest {

    @Test
    void sharesAreRelativeToAllCores() {
        ClientLoad load = new ClientLoad(Duration.ofSeconds(10), Duration.ofSeconds(20), 4, Duration.ofSeconds(1));

        assertThat(load.cpuShare()).isCloseTo(0.5, within(1e-9));
        assertThat(load.gcShare()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void sharesOfNoTimeAreZero() {
        assertThat(ClientLoad.NONE.cpuShare()).isZero();
        assertThat(ClientLoad.NONE.gcShare()).isZero();
        assertThat(ClientLoad.NONE.cores()).isPositive();
    }

    /** One on 2 of 2 cores for 10 s, another on 1 of 4 for 5 s: 25 s of 40 s of CPU. */
    @Test
    void combinedSharesAreWeightedByCores() {
        Duration second = Duration.ofSeconds(1);
        ClientLoad both = new ClientLoad(second.multipliedBy(10), second.multipliedBy(20), 2, second)
                .plus(new ClientLoad(second.multipliedBy(5), second.multipliedBy(5), 4, second.dividedBy(2)));

        assertThat(both)
                .isEqualTo(
                        new ClientLoad(second.multipliedBy(10), second.multipliedBy(25), 4, Duration.ofMillis(1_500)));
        assertThat(both.cpuShare()).isCloseTo(25 / 40.0, within(1e-9));
    }
}
