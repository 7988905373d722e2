package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.JvmUse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        return meter.soFar(Optional.empty());
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
        JvmUse process = new JvmUse();
        long startNanos = System.nanoTime();
        long startCpu = process.cpuNanos();
        long startGc = process.gcMillis();
        try (HealthMeter later = new HealthMeter()) {
            ClientLoad load = later.soFar(Optional.empty()).load();

            assertThat(load.wall()).isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - startNanos));
            assertThat(load.cpu()).isLessThanOrEqualTo(Duration.ofNanos(process.cpuNanos() - startCpu));
            assertThat(load.gc()).isLessThanOrEqualTo(Duration.ofMillis(process.gcMillis() - startGc));
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

    @Test
    void figuresAreThoseSinceTheLastCall() {
        Map<String, Double> first = awaitFigures(meter, Optional.empty());
        assertThat(first)
                .containsKeys("cpuPercent", "heapMiB", "longestHiccupMs")
                .doesNotContainKey("loopLagMsPerSecond");

        LoopLag late = LoopLag.NONE.plus(Duration.ofDays(1));
        Map<String, Double> second = awaitFigures(meter, Optional.of(late));

        assertThat(second).doesNotContainKey("loopLagMsPerSecond").containsKey("cpuPercent");
        assertThat(awaitFigures(meter, Optional.of(late))).containsEntry("loopLagMsPerSecond", 0.0);
    }

    /** What comes after the end belongs to nobody. */
    @Test
    void afterTheEndThereIsOnlyWhatWasBeforeIt() {
        awaitFigures(meter, Optional.empty());
        soFar();
        meter.sinceLast(Optional.empty(), List.of(), Optional.empty());

        assertThat(meter.sinceLast(Optional.empty(), List.of(), Optional.empty()))
                .isEmpty();
    }

    private static Map<String, Double> awaitFigures(HealthMeter of, Optional<LoopLag> lag) {
        Map<String, Double> figures;
        do {
            figures = of.sinceLast(lag, List.of(), Optional.empty());
        } while (figures.isEmpty());
        return figures;
    }
}
