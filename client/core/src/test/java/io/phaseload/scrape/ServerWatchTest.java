package io.phaseload.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.ClientThreads;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ServerWatchTest {

    private static final Phase PEAK = new Phase("peak", 1, new PhaseLength.Iterations(1));
    private static final Interval SECOND = interval(1_000);
    private static final Interval REST = interval(200);

    @RegisterExtension
    final PageServer server = PageServer.start();

    private final List<Interval> told = new ArrayList<>();
    private final RunListener listener = new RunListener() {
        @Override
        public void interval(Interval interval) {
            told.add(interval);
        }
    };

    @Test
    void anIntervalHasTheFiguresAtItsEnd() throws Exception {
        server.target(0, 3, 1_000);
        try (ServerWatch watch = new ServerWatch(List.of(server.probe()), listener)) {
            watch.runStarted(Instant.now());
            watch.phaseStarted(PEAK, 1);
            awaitAsked(1);
            server.target(2_000_000_000, 5, 2_000);
            awaitAnswer(watch);
            HostFigures figures = new HostFigures(Map.of(
                    "cpuPercent", 50.0,
                    "inFlight", 5.0,
                    "heapMiB", 3.0,
                    "machineCpuPercent", 12.5,
                    "requestsPerSecond", 7.0));
            assertThat(told).endsWith(REST, REST.withServer(figures));
        }
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    @Test
    void aSecondWithoutAnAnswerIsAGapButAPartialSecondIsNot() {
        server.stop();
        try (ServerWatch watch = new ServerWatch(List.of(server.probe()), listener)) {
            watch.runStarted(Instant.now());
            watch.phaseStarted(PEAK, 1);
            watch.interval(SECOND);
            watch.interval(REST);
            assertThat(told).containsExactly(SECOND.withServer(HostFigures.GAP), REST);
        }
    }

    @Test
    void anAnswerOfThePreviousPhaseIsDiscarded() throws Exception {
        server.target(0, 3, 1_000);
        try (ServerWatch watch = new ServerWatch(List.of(server.probe()), listener)) {
            watch.runStarted(Instant.now());
            watch.phaseStarted(PEAK, 1);
            // The second answer is there when the third is asked for.
            awaitAsked(3);
            watch.phaseStarted(PEAK, 1);
            watch.interval(SECOND);
            assertThat(told).containsExactly(SECOND.withServer(HostFigures.GAP));
        }
    }

    @Test
    void nothingIsPolledBeforeAPhaseBegins() throws Exception {
        try (ServerWatch watch = new ServerWatch(List.of(server.probe()), listener)) {
            watch.runStarted(Instant.now());
        }
        assertThat(ClientThreads.awaitNone()).isEmpty();
        assertThat(server.asked()).isZero();
    }

    private void awaitAnswer(ServerWatch watch) throws InterruptedException {
        while (told.stream().allMatch(interval -> interval.server().isEmpty())) {
            // The thread that asks has nothing to wait for.
            Thread.sleep(5);
            watch.interval(REST);
        }
    }

    private void awaitAsked(int times) throws InterruptedException {
        while (server.asked() < times) {
            // The server counts, and tells nobody.
            Thread.sleep(5);
        }
    }

    private static Interval interval(long millis) {
        return new Interval("peak", Duration.ofSeconds(1), Duration.ofMillis(millis), List.of());
    }
}
