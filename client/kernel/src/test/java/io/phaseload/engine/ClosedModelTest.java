package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users that pause, seen by the server: it notes when requests come and when it answers. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class ClosedModelTest {

    /** A request as the server saw it, on one connection. */
    private record Seen(long readNanos, long answeredNanos) {}

    private final List<List<Seen>> connections = Collections.synchronizedList(new ArrayList<>());
    private volatile Duration serviceTime = Duration.ZERO;
    private volatile Runnable onAnswer = () -> {};
    private MisbehavingServer server;

    @BeforeEach
    void startServer() throws Exception {
        server = MisbehavingServer.start(this::serve);
    }

    @AfterEach
    void nothingIsLeftRunning() throws Exception {
        server.close();
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    private void serve(Peer peer) throws Exception {
        List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
        connections.add(seen);
        while (true) {
            peer.readRequest();
            long read = System.nanoTime();
            if (!serviceTime.isZero()) {
                peer.pause(serviceTime);
            }
            seen.add(new Seen(read, System.nanoTime()));
            onAnswer.run();
            peer.write(Peer.OK);
        }
    }

    @Test
    void thinkTimeSeparatesIterations() {
        PhaseMeasurement phase = run(2, iterations(5), think(40, 40));

        assertThat(sent(phase)).isEqualTo(2 * 5 * 2);
        assertThat(phase.notSent()).isEmpty();
        assertThat(connections).hasSize(2);
        for (List<Seen> user : connections) {
            assertThat(user).hasSize(10);
            for (int i = 2; i < user.size(); i += 2) {
                assertThat(gapMillis(user, i)).isGreaterThanOrEqualTo(40);
            }
        }
        // There is no pause within an iteration nor after the last one.
        assertThat(phase.wall()).isBetween(Duration.ofMillis(160), Duration.ofSeconds(10));
        assertThat(shortestGapWithin()).isLessThan(40);
    }

    @Test
    void varyingThinkTimeStaysInItsRange() {
        PhaseMeasurement phase = run(4, iterations(10), think(10, 60));

        List<Double> gaps = new ArrayList<>();
        for (List<Seen> user : connections) {
            for (int i = 2; i < user.size(); i += 2) {
                gaps.add(gapMillis(user, i));
            }
        }
        assertThat(sent(phase)).isEqualTo(4 * 10 * 2);
        assertThat(gaps).hasSize(36).allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(10));
        // 36 times uniform in 10 to 60: that all are on one side of 35 has a chance of 2^-35.
        assertThat(Collections.min(gaps)).isLessThan(35);
        assertThat(Collections.max(gaps)).isGreaterThan(35);
    }

    @Test
    void pacingSeparatesStarts() {
        Load pacing = new Load.Closed(Pause.NONE, pause(50, 50), Duration.ZERO);

        long before = System.nanoTime();
        PhaseMeasurement phase = run(1, iterations(8), pacing);

        List<Seen> user = connections.get(0);
        // From the phase's start on, not from when the machine got to it: seven times 50 ms.
        assertThat(millis(before, user.get(14).readNanos())).isGreaterThanOrEqualTo(7 * 50);
        assertThat(phase.wall()).isBetween(Duration.ofMillis(350), Duration.ofSeconds(10));
        assertThat(sent(phase)).isEqualTo(16);
    }

    /** Two requests of 40 ms each are longer than 50 ms: the next iteration begins at once. */
    @Test
    void anIterationLongerThanThePacingIsFollowedImmediately() {
        serviceTime = Duration.ofMillis(40);
        Load pacing = new Load.Closed(Pause.NONE, pause(50, 50), Duration.ZERO);

        run(1, iterations(6), pacing);

        List<Seen> user = connections.get(0);
        double shortest = Double.MAX_VALUE;
        for (int i = 2; i < user.size(); i += 2) {
            assertThat(millis(user.get(i - 2).readNanos(), user.get(i).readNanos()))
                    .isGreaterThanOrEqualTo(80);
            shortest = Math.min(shortest, gapMillis(user, i));
        }
        assertThat(shortest).isLessThan(40);
    }

    @Test
    void aRampStartsUsersOneAfterAnother() {
        int users = 8;
        AtomicReference<Long> startNanos = new AtomicReference<>();
        RunListener listener = new RunListener() {
            @Override
            public void runStarted(java.time.Instant at) {
                startNanos.set(System.nanoTime());
            }
        };
        Load ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofMillis(400));

        PhaseMeasurement phase =
                engine(users, iterations(1), ramp, listener).run().phases().get(0);

        assertThat(sent(phase)).isEqualTo(users * 2L);
        List<Double> firsts = connections.stream()
                .map(user -> millis(startNanos.get(), user.get(0).readNanos()))
                .sorted()
                .toList();
        assertThat(firsts).hasSize(users);
        for (int i = 0; i < users; i++) {
            assertThat(firsts.get(i)).isGreaterThanOrEqualTo(i * 400.0 / users);
        }
        // The first request of a user begins when its connection is there.
        assertThat(Tallies.sum(phase.operations()).histogram(Timing.SET_UP).getTotalCount())
                .isEqualTo(users);
    }

    /** The second iteration would begin after an hour. */
    @Test
    void aStopEndsALongThinkTime() {
        AtomicReference<Engine> engine = new AtomicReference<>();
        onAnswer = () -> {
            if (server.requests().size() == 2) {
                engine.get().stop();
            }
        };
        engine.set(engine(1, iterations(2), think(3_600_000, 3_600_000), RunListener.NONE));

        Measurement measured = engine.get().run();

        PhaseMeasurement phase = measured.phases().get(0);
        assertThat(measured.interrupted()).isTrue();
        assertThat(sent(phase)).isEqualTo(2);
        assertThat(phase.notSent()).containsEntry("interrupted", 2L);
    }

    /** A user that would begin only after the end doesn't hold up the phase. */
    @Test
    void aTimedPhaseEndsOnTimeDespitePauses() {
        PhaseMeasurement thinking = run(2, lasting(300), think(3_600_000, 3_600_000));

        assertThat(sent(thinking)).isEqualTo(4);
        assertThat(thinking.wall()).isBetween(Duration.ofMillis(300), Duration.ofSeconds(20));

        Load ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofHours(2));
        PhaseMeasurement ramping = run(2, lasting(100), ramp);

        assertThat(ramping.wall()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(20));
        assertThat(connections).hasSize(3);
    }

    /** What it was late after a pause is slip, and part of the response. */
    @Test
    void afterAPauseLatencyCountsFromTheIntendedTime() {
        PhaseMeasurement phase = run(1, iterations(20), think(5, 5));

        Tally first = phase.operations().get(0);
        Tally second = phase.operations().get(1);
        // No wait ends to the nanosecond; the connection of the first one isn't slip.
        assertThat(first.histogram(Timing.SLIP).getCountAtValue(0)).isLessThan(20);
        assertThat(first.histogram(Timing.SLIP).getMinValue()).isZero();
        assertThat(second.histogram(Timing.SLIP).getMaxValue()).isZero();
        assertThat(first.histogram(Timing.RESPONSE).getMean())
                .isGreaterThanOrEqualTo(first.histogram(Timing.SERVICE).getMean() * 0.998);
    }

    private double shortestGapWithin() {
        double shortest = Double.MAX_VALUE;
        for (List<Seen> user : connections) {
            for (int i = 1; i < user.size(); i += 2) {
                shortest = Math.min(shortest, gapMillis(user, i));
            }
        }
        return shortest;
    }

    /** From just before the answer to the request before it, to this request's arrival. */
    private static double gapMillis(List<Seen> user, int index) {
        return millis(user.get(index - 1).answeredNanos(), user.get(index).readNanos());
    }

    private static double millis(long fromNanos, long toNanos) {
        return (toNanos - fromNanos) / 1e6;
    }

    private PhaseMeasurement run(int users, PhaseLength length, Load load) {
        Measurement measured = engine(users, length, load, RunListener.NONE).run();
        assertThat(measured.fault()).isEmpty();
        return measured.phases().get(0);
    }

    private Engine engine(int users, PhaseLength length, Load load, RunListener listener) {
        Plan plan = Plan.builder(server.uri())
                .threads(users)
                .operations(Operation.get("/a"), Operation.get("/b"))
                .phases(new Phase("closed", 1, length, load))
                .build();
        return TestEngine.of(plan, listener);
    }

    private static long sent(PhaseMeasurement phase) {
        return Tallies.sum(phase.operations()).requests();
    }

    private static Load think(long minMillis, long maxMillis) {
        return new Load.Closed(pause(minMillis, maxMillis), Pause.NONE, Duration.ZERO);
    }

    private static Pause pause(long minMillis, long maxMillis) {
        return new Pause(Duration.ofMillis(minMillis), Duration.ofMillis(maxMillis));
    }

    private static PhaseLength iterations(long perUser) {
        return new PhaseLength.Iterations(perUser);
    }

    private static PhaseLength lasting(long millis) {
        return new PhaseLength.Lasting(Duration.ofMillis(millis));
    }
}
