package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.RequestSampler;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How late the requests of an open phase were sent. */
class LatenessTest {

    private static final long MILLI = 1_000_000;

    /** The lateness of the requests over new connections, in milliseconds. */
    private static double newMillis(long lateMillis, long connectMillis, boolean sampled) {
        RequestSampler sampler = new RequestSampler(1, 1);
        Tally tally = new Tally();
        for (int i = 0; i < 100; i++) {
            long due = i * 20 * MILLI;
            long sent = due + lateMillis * MILLI;
            SetUp setUp = i < 10 ? new SetUp(0, connectMillis * MILLI, -1) : null;
            Sample sample = new Sample(
                    0,
                    due,
                    new Exchange(
                            sent,
                            MILLI,
                            sent + MILLI,
                            Outcome.SUCCESS,
                            200,
                            1,
                            setUp,
                            false,
                            0,
                            null,
                            Exchange.NO_LEASE));
            sampler.add(0, sample, any -> null);
            tally.add(sample);
        }
        PhaseMeasurement phase = new PhaseMeasurement(
                new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(2))),
                1,
                Optional.empty(),
                Duration.ofSeconds(2),
                100,
                Map.of(),
                List.of(tally),
                List.of(),
                ClientHealth.NONE,
                sampled ? RequestSample.of(List.of(sampler), 0) : RequestSample.NONE,
                List.of());
        return Judgement.late(phase, tally).getValueAtPercentile(5) / 1e6;
    }

    @Test
    void connectingIsNoLateness() {
        assertThat(newMillis(20, 20, true)).isZero();
        assertThat(newMillis(20, 5, true)).isBetween(14.9, 15.1);
    }

    @Test
    void withoutASampleItCountsAsLate() {
        assertThat(newMillis(20, 20, false)).isBetween(19.9, 20.1);
    }
}
