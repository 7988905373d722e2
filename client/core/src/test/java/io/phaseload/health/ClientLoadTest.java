package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientLoadTest {

    @Test
    void sharesAreOfTheTimeAndOfAllCores() {
        ClientLoad load =
                new ClientLoad(
                        Duration.ofSeconds(10), Duration.ofSeconds(20), 4, Duration.ofSeconds(1));

        assertThat(load.cpuShare()).isCloseTo(0.5, within(1e-9));
        assertThat(load.gcShare()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void inNoTimeNothingIsUsed() {
        assertThat(ClientLoad.NONE.cpuShare()).isZero();
        assertThat(ClientLoad.NONE.gcShare()).isZero();
        assertThat(ClientLoad.NONE.cores()).isPositive();
    }
}
