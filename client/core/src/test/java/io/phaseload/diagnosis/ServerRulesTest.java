package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.FAST;
import static io.phaseload.diagnosis.Found.connect;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded from what servers tell of themselves. */
class ServerRulesTest {

    @ParameterizedTest
    @CsvSource({
        // Its own process uses the CPU, or that isn't known.
        "97, 80, true",
        "97, -1, true",
        "97, 20, false",
        "85, 80, false"
    })
    void aMachineWithoutCpuTimeLeft(double machine, double own, boolean found) {
        Map<String, Double> told = own < 0
                ? Map.of("a.machineCpuPercent", machine)
                : Map.of("a.machineCpuPercent", machine, "a.cpuPercent", own);

        assertThat(ids(closed().seconds(8, told, r -> r.answered(100, 5))).contains("server-cpu"))
                .isEqualTo(found);
    }

    @Test
    void aLimitOfTheServersControlGroupIsOneOfItsCpu() {
        Diagnosis found = only(closed().seconds(8, Map.of("throttledMsPerSecond", 400.0), r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("server-cpu");
        assertThat(found.text())
                .startsWith("the server had no CPU time left in 6 of 6 seconds")
                .contains("its control group's CPU limit kept it waiting for 400 ms a second");
    }

    /** Something else may use the machine. */
    @Test
    void aBusyMachineWhoseServersOwnPartIsntKnownIsOnlyLikely() {
        assertThat(only(closed().seconds(8, Map.of("machineCpuPercent", 98.0), r -> r.answered(100, 5)))
                        .confidence())
                .isEqualTo(Confidence.LIKELY);
    }

    private static Map<String, Double> threads(double busyPercent, double cpuPercent) {
        return Map.of("maxThreads", 4.0, "busyThreadsPercent", busyPercent, "machineCpuPercent", cpuPercent);
    }

    /** Ten users, each of whom waits all the time: ten requests are under way. */
    @Test
    void threadsThatAreAllBusyWhileRequestsWait() {
        Diagnosis found = only(closed().seconds(8, threads(100, 10), r -> r.answered(100, 100)));

        assertThat(found.id()).isEqualTo("server-threads");
        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.impact()).isCloseTo(0.6, within(0.05));
    }

    @Test
    void threadsThatAreBusyAndEnough() {
        assertThat(ids(closed().seconds(8, threads(100, 10), r -> r.answered(100, 40))))
                .isEmpty();
        assertThat(ids(closed().seconds(8, threads(75, 10), r -> r.answered(100, 100))))
                .isEmpty();
        assertThat(ids(closed().seconds(8, threads(100, 95), r -> r.answered(100, 100))))
                .containsExactly("server-cpu");
    }

    /** Ten requests under way: a hundred a second that take 100 ms; with 3 ms it is 0.3. */
    @ParameterizedTest
    @CsvSource({"100, 8, 4, CERTAIN", "100, 6, 4, LIKELY", "3, 8, 1, ", "100, 8, 0.5, "})
    void requestsThatWaitInAServersQueue(int millis, int seconds, double queued, Confidence confidence) {
        MadeUpPhase phase = closed().seconds(seconds, Map.of("queuedRequests", queued), r -> r.answered(100, millis));

        if (confidence == null) {
            assertThat(ids(phase)).isEmpty();
        } else {
            assertThat(only(phase).id()).isEqualTo("proxy-queue");
            assertThat(only(phase).confidence()).isEqualTo(confidence);
        }
    }

    private static MadeUpPhase heap(double keptPerSecond) {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 30; i++) {
            // A saw: what is kept, and garbage up to 50 MiB that goes every fifth second.
            double heap = 20 + keptPerSecond * i + 10 * (i % 5);
            phase.seconds(1, Map.of("heapMiB", heap), r -> r.answered(100, 5));
        }
        return phase;
    }

    @Test
    void aHeapOfWhichCollectionsFreeLessAndLess() {
        Diagnosis found = only(heap(2));

        assertThat(found.id()).isEqualTo("heap-growth");
        assertThat(found.evidence().get("lastMiB").doubleValue()).isEqualTo(60);
    }

    @Test
    void garbageIsNoGrowth() {
        assertThat(ids(heap(0))).isEmpty();
        MadeUpPhase uncollected = closed();
        for (int i = 0; i < 30; i++) {
            uncollected.seconds(1, Map.of("heapMiB", 20.0 + i * 10), r -> r.answered(100, 5));
        }
        assertThat(ids(uncollected)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"60, true", "9, false"})
    void oneOfThreeServersThatTakesLonger(double slowMillis, boolean found) {
        Map<String, Double> told = Map.of(
                "a.serviceMs", 5.0,
                "b.serviceMs", slowMillis,
                "c.serviceMs", 6.0,
                "a.requestsPerSecond", 40.0,
                "b.requestsPerSecond", 20.0,
                "c.requestsPerSecond", 40.0);
        MadeUpPhase phase = closed().seconds(10, told, r -> r.answered(100, 5));

        if (found) {
            assertThat(only(phase).id()).isEqualTo("slow-instance");
            assertThat(only(phase).text()).startsWith("server b took 60.0 ms for a request, the others 5.0 ms");
            assertThat(only(phase).impact()).isCloseTo(0.2, within(1e-9));
        } else {
            assertThat(ids(phase)).isEmpty();
        }
    }

    /** Three under way at 30 a second: each takes 100 ms. */
    @Test
    void aServersTimeFollowsFromWhatItHasUnderWay() {
        Map<String, Double> told = Map.of(
                "a.inFlight", 0.3,
                "b.inFlight", 3.0,
                "a.requestsPerSecond", 30.0,
                "b.requestsPerSecond", 30.0);

        assertThat(only(closed().seconds(10, told, r -> r.answered(60, 5))).text())
                .startsWith("server b took 100.0 ms for a request, the others 10.0 ms");
    }

    @ParameterizedTest
    @CsvSource({"20, true", "70, false"})
    void moreUsersWhoGetNoMoreDoneOfAnIdleServer(double cpuPercent, boolean found) {
        MadeUpPhase few = new MadeUpPhase("loading", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 40, Load.Closed.AT_ONCE);
        Map<String, Double> told = Map.of("machineCpuPercent", cpuPercent, "busyThreadsPercent", 20.0);
        few.seconds(4, told, r -> r.answered(1_000, 10));
        many.seconds(4, told, r -> r.answered(1_020, 40));

        if (found) {
            assertThat(only(few, many).id()).isEqualTo("serial-work");
            assertThat(only(few, many).follows())
                    .singleElement()
                    .asString()
                    .startsWith("saturation: with 10 users 1000 requests a second ended, with 40 users");
        } else {
            assertThat(ids(few, many)).containsExactly("saturation");
        }
    }

    @Test
    void aServersOwnAcceptQueueMakesItCertain() {
        Diagnosis found = only(closed().second(r -> r.connected(10, 5, FAST))
                .seconds(1, Map.of("tcpListenOverflowsPerSecond", 7.0), r -> r.connected(4, 5, connect(0, 1_020, -1)))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.text()).contains("an accept queue of the server overflowed 7 times");
    }

    @Test
    void connectionsThatTimeOutWhileAnAcceptQueueOverflows() {
        Map<String, Double> told = Map.of("tcpListenOverflowsPerSecond", 7.0);
        MadeUpPhase phase = closed().second(r -> r.connected(10, 5, FAST))
                .seconds(5, told, r -> r.answered(100, 5).failed(2, 5_000, Outcome.NoResponse.CONNECT_TIMEOUT));

        assertThat(ids(phase)).startsWith("accept-queue");
    }

    @Test
    void anAcceptQueueThatOverflowsIsNoFaultOfALimitedClient() {
        for (double overflows : List.of(1.0, 0.0)) {
            MadeUpPhase phase = closed().second(r -> r.connected(10, 5, FAST))
                    .seconds(5, Map.of("tcpListenOverflowsPerSecond", overflows), r -> r.answered(100, 5)
                            .failed(2, 5_000, Outcome.NoResponse.CONNECT_TIMEOUT));

            List<String> found = Diagnoses.of(new RunSeries(List.of(phase.series()), true, false)).stream()
                    .map(Diagnosis::id)
                    .toList();
            assertThat(found.contains("accept-queue")).as("%s", found).isEqualTo(overflows == 1);
        }
    }
}
