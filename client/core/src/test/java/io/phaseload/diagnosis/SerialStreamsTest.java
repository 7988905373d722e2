package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.connections.SerialStreams;
import io.phaseload.diagnosis.course.Saturation;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.RequestSampler;
import io.phaseload.plan.Load;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SerialStreamsTest {

    private static final int STREAMS = 8;
    private static final double SECONDS = 4;

    /** Users who ask at once, over connections that share as many lines as there are, or fewer. */
    private static List<Diagnosis> found(int connections, int lines, int sharing) {
        return found(SerialStreams.RULE, connections, lines, sharing);
    }

    private static List<Diagnosis> found(DiagnosisRule rule, int connections, int lines, int sharing) {
        Random random = new Random(7);
        RequestSampler sampler = new RequestSampler(1, 1, sharing, Optional.empty());
        Tally tally = new Tally();
        double[] free = new double[lines];
        double[] ready = new double[STREAMS * connections];
        PriorityQueue<Integer> users = new PriorityQueue<>(Comparator.comparingDouble(user -> ready[user]));
        for (int user = 0; user < ready.length; user++) {
            ready[user] = 0.1 + random.nextDouble() / 1_000;
            users.add(user);
        }
        while (ready[users.peek()] < SECONDS) {
            int user = users.poll();
            int line = lines < ready.length ? user / STREAMS % lines : user;
            long sent = Math.round(ready[user] * 1e9);
            free[line] = Math.max(free[line], ready[user]) + 0.010 + 0.004 * random.nextDouble();
            long end = Math.round(free[line] * 1e9);
            ready[user] = free[line];
            users.add(user);
            Exchange exchange = new Exchange(
                    sent, end - sent, end, Outcome.SUCCESS, 200, 100, null, false, 0, null, Exchange.NO_LEASE);
            sampler.add(user, new Sample(0, sent, exchange), any -> null);
            tally.add(new Sample(0, sent, exchange));
        }
        Duration wall = Duration.ofSeconds((long) SECONDS);
        PhaseSeries phase = new PhaseSeries(
                Wording.REQUESTS,
                "peak",
                ready.length,
                wall,
                Load.Closed.AT_ONCE,
                wall,
                List.of("GET /"),
                List.of(tally),
                tally,
                List.of(),
                Facts.of(RequestSample.of(List.of(sampler), 0), List.of("GET /"), List.of(tally), wall));
        return rule.judge().apply(new RunSeries(List.of(phase), false, false));
    }

    @Test
    void streamsOfAConnectionWaitForEachOther() {
        assertThat(found(2, 2, STREAMS))
                .extracting(Diagnosis::id, Diagnosis::confidence)
                .containsExactly(tuple("serial-streams", Confidence.LIKELY));
        assertThat(found(2, 2, STREAMS).get(0).evidence().get("stepMs").doubleValue())
                .isBetween(11.0, 13.0);
    }

    @Test
    void overOneConnectionTheServerMayWorkOnOneRequestOfAll() {
        assertThat(found(1, 1, STREAMS)).extracting(Diagnosis::confidence).containsExactly(Confidence.POSSIBLE);
    }

    @Test
    void aLineForAllConnectionsIsNoSerialConnection() {
        assertThat(found(2, 1, STREAMS)).isEmpty();
        assertThat(found(4, 1, STREAMS)).isEmpty();
        assertThat(found(Saturation.RULE, 2, 1, STREAMS))
                .extracting(Diagnosis::id)
                .containsExactly("saturation");
        assertThat(found(Saturation.RULE, 2, 2, STREAMS)).isEmpty();
        assertThat(found(Saturation.RULE, 1, 1, STREAMS)).isEmpty();
    }

    @Test
    void streamsThatDontWaitArentAccused() {
        assertThat(found(2, 2 * STREAMS, STREAMS)).isEmpty();
        assertThat(found(2, 2, 0)).isEmpty();
    }
}
