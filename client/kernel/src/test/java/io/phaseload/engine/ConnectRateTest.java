package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are opened at a pace. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class ConnectRateTest {

    private static final Load AT_ONCE = Load.Closed.AT_ONCE;
    private static final Load OPEN = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Overload.QUEUE);

    /** The second user waits longer than either limit. */
    @Test
    void theWaitIsNotMeasuredInAClosedModel() throws Exception {
        try (MisbehavingServer server = behaving()) {
            PhaseMeasurement phase = run(server.uri(), 2, iterations(3), AT_ONCE, "2/3s");

            Tally all = Tallies.sum(phase.operations());
            assertThat(all.succeeded()).isEqualTo(6);
            assertThat(all.histogram(Timing.SET_UP).getTotalCount()).isEqualTo(2);
            assertThat(phase.wall()).isGreaterThan(Duration.ofMillis(1_500));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void theWaitIsSlipInAnOpenModel() throws Exception {
        // Whichever user has the second request opens a second connection for it.
        Script closes = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        };
        try (MisbehavingServer server = MisbehavingServer.start(closes)) {
            PhaseMeasurement phase = run(server.uri(), 2, iterations(1), OPEN, "2/3s");

            Tally all = Tallies.sum(phase.operations());
            assertThat(all.succeeded()).isEqualTo(2);
            assertThat(all.histogram(Timing.SLIP).getMaxValue())
                    .isGreaterThan(Duration.ofMillis(1_400).toNanos());
        }
    }

    @Test
    void failedAttemptsTakeATurnAndAreNotRepeated() throws Exception {
        URI nobody;
        try (MisbehavingServer server = behaving()) {
            nobody = server.uri();
        }

        PhaseMeasurement phase = run(nobody, 3, iterations(2), AT_ONCE, "20/s");

        Tally all = Tallies.sum(phase.operations());
        assertThat(all.requests()).isEqualTo(6);
        assertThat(all.causes().get("connect refused").count()).isEqualTo(6);
        assertThat(phase.wall()).isGreaterThanOrEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aUserWithoutATurnBeforeThePhasesEndSendsNothing() throws Exception {
        try (MisbehavingServer server = behaving()) {
            PhaseLength second = new PhaseLength.Lasting(Duration.ofSeconds(1));

            PhaseMeasurement closed = run(server.uri(), 5, second, AT_ONCE, "1/h");
            PhaseMeasurement open = run(server.uri(), 5, second, OPEN, "1/h");

            assertThat(server.connections()).isEqualTo(2);
            assertThat(closed.notSent()).isEmpty();
            assertThat(Tallies.sum(closed.operations()).requests()).isPositive();
            assertThat(open.asked()).isEqualTo(100);
            assertThat(open.notSent()).containsOnlyKeys("queued at the phase's end");
            assertThat(open.notSent().get("queued at the phase's end"))
                    .isGreaterThanOrEqualTo(4)
                    .isEqualTo(100 - Tallies.sum(open.operations()).requests());
        }
    }

    @Test
    void aStopReleasesWaitingUsers() throws Exception {
        for (Load load : List.of(AT_ONCE, OPEN)) {
            AtomicReference<Engine> engine = new AtomicReference<>();
            Script stops = peer -> {
                peer.readRequest();
                engine.get().stop();
                peer.write(Peer.OK);
                peer.awaitHangUp();
            };
            try (MisbehavingServer server = MisbehavingServer.start(stops)) {
                Plan plan = plan(server.uri(), 4, iterations(1), load, "1/h");
                engine.set(TestEngine.of(plan, RunListener.NONE));
                Measurement measured = engine.get().run();

                PhaseMeasurement phase = measured.phases().get(0);
                assertThat(measured.interrupted()).isTrue();
                assertThat(phase.asked()).isEqualTo(4);
                assertThat(phase.notSent()).isEqualTo(Map.of("interrupted", 3L));
                assertThat(Tallies.sum(phase.operations()).succeeded()).isEqualTo(1);
            }
        }
    }

    private static PhaseMeasurement run(URI uri, int users, PhaseLength length, Load load, String rate) {
        Plan plan = plan(uri, users, length, load, rate);
        return TestEngine.of(plan, RunListener.NONE).run().phases().get(0);
    }

    private static Plan plan(URI uri, int users, PhaseLength length, Load load, String rate) {
        return Plan.builder(uri)
                .operations(Operation.get("/"))
                .threads(users)
                .connectTimeout(Duration.ofSeconds(1))
                .responseTimeout(Duration.ofSeconds(1))
                .phases(new Phase("peak", 1, length, load))
                .engine(EngineSettings.builder("threads")
                        .connectRate(Rate.parse(rate))
                        .build())
                .build();
    }

    private static PhaseLength iterations(long count) {
        return new PhaseLength.Iterations(count);
    }

    private static MisbehavingServer behaving() throws Exception {
        return MisbehavingServer.start(Script.BEHAVE);
    }
}
