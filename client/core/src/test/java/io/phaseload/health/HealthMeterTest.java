package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The loops end when the meter has seen it: there is no telling how fast the clocks tick. */
@Timeout(30)
class HealthMeterTest {

    private final HealthMeter meter = new HealthMeter();

    @BeforeEach
    void start() {
        meter.start();
    }

    @AfterEach
    void close() {
        meter.close();
    }

    private ClientHealth soFar() {
        return meter.soFar(LoopLag.NONE);
    }

    @Test
    void aBusyLoopUsesCpu() {
        while (soFar().load().cpu().isZero()) {
            Thread.onSpinWait();
        }

        ClientLoad load = soFar().load();
        assertThat(load.wall()).isPositive();
        assertThat(load.cpuShare()).isPositive();
        assertThat(load.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void aFullCollectionIsDetected() {
        while (soFar().load().gc().isZero()) {
            System.gc();
        }

        assertThat(soFar().load().gcShare()).isPositive();
    }

    /** Nothing from before it began, and no more than there was. */
    @Test
    void countsFromItsStart() {
        ProcessUse process = ProcessUse.own();
        long startNanos = System.nanoTime();
        long startCpu = process.cpuNanos();
        long startGc = process.gcMillis();
        try (HealthMeter later = new HealthMeter()) {
            ClientLoad load = later.soFar(LoopLag.NONE).load();

            assertThat(load.wall())
                    .isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - startNanos));
            assertThat(load.cpu())
                    .isLessThanOrEqualTo(Duration.ofNanos(process.cpuNanos() - startCpu));
            assertThat(load.gc())
                    .isLessThanOrEqualTo(Duration.ofMillis(process.gcMillis() - startGc));
        }
    }

    @Test
    void itsThreadEndsWithIt() throws Exception {
        Set<Thread> before = sleepers();
        HealthMeter another = new HealthMeter();
        another.start();
        Set<Thread> started = sleepers();
        started.removeAll(before);

        another.close();

        assertThat(started).hasSize(1).allMatch(Thread::isDaemon);
        for (Thread sleeper : started) {
            sleeper.join();
        }
    }

    private static Set<Thread> sleepers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("health-hiccup-meter"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    @Test
    void aRequestThatEndsBeforeAStallIsUnaffected() {
        long now = System.nanoTime();

        assertThat(meter.stalledDuring(now - Duration.ofDays(1).toNanos(), now)).isFalse();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "it has no /proc")
    void linuxReportsStealAndIdleTime() {
        // Within a tick of the system's clock nothing is known.
        while (soFar().system().stolen().isEmpty()) {
            Thread.onSpinWait();
        }

        SystemUse system = soFar().system();
        assertThat(system.idle()).isPresent();
        assertThat(system.suspended()).contains(Duration.ZERO);
    }
}
