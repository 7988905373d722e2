package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    /** The loop ends when the meter has seen it: there is no telling how fast the clocks tick. */
    @Test
    @Timeout(30)
    void aBusyLoopUsesCpu() {
        ClientLoad.Meter meter = new ClientLoad.Meter();

        ClientLoad load = meter.stop();
        while (load.cpu().isZero()) {
            load = meter.stop();
        }

        assertThat(load.wall()).isPositive();
        assertThat(load.cpuShare()).isPositive();
        assertThat(load.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    @Timeout(30)
    void aFullCollectionIsSeen() {
        ClientLoad.Meter meter = new ClientLoad.Meter();

        ClientLoad load = meter.stop();
        while (load.gc().isZero()) {
            System.gc();
            load = meter.stop();
        }

        assertThat(load.gcShare()).isPositive();
    }
}
