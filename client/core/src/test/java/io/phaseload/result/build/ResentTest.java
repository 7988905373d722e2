package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.run.EngineUse;
import io.phaseload.timing.StreamTimings;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The verdict's remark on requests that were sent again, in a run of 100 requests and 20 streams. */
class ResentTest {

    private static final Operation GET = Operation.get("/");

    @Test
    void nothingThatWasSentAgainIsNoRemark() {
        assertThat(remarks(false, Operation.get("/events"), 0, 0, 0)).isEmpty();
    }

    @Test
    void aRequestThatWasSentAgainIsARemark() {
        Verdict verdict = verdict(false, Operation.get("/events"), 1, 0, 0);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.VALID);
        assertThat(verdict.findings()).extracting(Finding::id).containsExactly("resent");
        assertThat(verdict.texts().get(0)).startsWith("1 requests were sent again");
    }

    /** The plan asks for it. */
    @Test
    void streamsThatWentOnAreNoRemark() {
        assertThat(remarks(false, stream("events count=9 reconnect"), 0, 3, 3)).isEmpty();
        assertThat(remarks(true, stream("events count=9 reconnect"), 0, 3, 3)).isEmpty();
    }

    @Test
    void otherRequestsBesideStreamsAreARemark() {
        assertThat(remarks(false, stream("events count=9 reconnect"), 2, 3, 3)).containsExactly(Map.of("resent", 2L));
    }

    @Test
    void streamsThatDoNotReconnectAreRequests() {
        assertThat(remarks(false, stream("events count=9"), 0, 3, 0)).containsExactly(Map.of("resent", 3L));
    }

    @Test
    void streamsThatWereSentAgainOnIdleConnectionsAreARemark() {
        assertThat(remarks(true, stream("events count=9 reconnect"), 0, 3, 1)).containsExactly(Map.of("resent", 2L));
    }

    private static Operation stream(String text) {
        return Operation.get("/events").withEvents(EventStream.parse(text));
    }

    private static List<Map<String, Number>> remarks(
            boolean resendIdle, Operation second, int resent, int streamsResent, int reconnects) {
        return verdict(resendIdle, second, resent, streamsResent, reconnects).findings().stream()
                .map(Finding::evidence)
                .toList();
    }

    private static Verdict verdict(
            boolean resendIdle, Operation second, int resent, int streamsResent, int reconnects) {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .operations(GET, second)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(20)))
                .resendIdle(resendIdle)
                .build();
        PhaseRecorder recorder = new PhaseRecorder(2);
        record(recorder, 0, 100, resent);
        record(recorder, 1, 20, streamsResent);
        for (int i = 0; i < reconnects; i++) {
            recorder.record(0, 1, StreamTimings.EVENT_RECONNECT, 1_000_000);
        }
        List<Tally> tallies = recorder.sums().totals();
        PhaseMeasurement phase = new PhaseMeasurement(
                plan.phases().get(0),
                20,
                Optional.of(Instant.EPOCH),
                Duration.ofSeconds(2),
                120,
                Map.of(),
                tallies,
                List.of(),
                ClientHealth.of(new ClientLoad(Duration.ofSeconds(2), Duration.ofMillis(20), 4, Duration.ZERO)),
                RequestSample.NONE,
                List.of());
        Measurement measured = new Measurement(
                EngineUse.THREADS,
                Instant.EPOCH,
                Duration.ofSeconds(2),
                List.of(phase),
                false,
                Optional.empty(),
                List.of());
        return Judgement.of(plan, measured, Tallies.sum(tallies), Optional.empty());
    }

    private static void record(PhaseRecorder recorder, int operation, int requests, int resent) {
        for (int i = 0; i < requests; i++) {
            long sent = i * 1_000_000L;
            Exchange exchange = new Exchange(
                    sent,
                    500_000,
                    sent + 900_000,
                    Outcome.SUCCESS,
                    200,
                    10,
                    null,
                    i < resent,
                    i < resent ? 1 : 0,
                    null,
                    Exchange.NO_LEASE);
            recorder.record(0, new Sample(operation, sent, exchange));
        }
    }
}
