package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Exchange;
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

class BusyUsersTest {

    private static final int USERS = 10;
    private static final long MILLI = 1_000_000;

    /** Requests that are due every 20 ms for ten seconds, and take 10 ms. */
    private static double busy(int pauseMillis, int clientLateMillis, boolean sampled) {
        RequestSampler sampler = new RequestSampler(1, 1);
        Tally tally = new Tally();
        long[] free = new long[USERS];
        for (int i = 0; i < 500; i++) {
            long due = i * 20 * MILLI;
            int user = 0;
            for (int other = 1; other < USERS; other++) {
                user = free[other] < free[user] ? other : user;
            }
            long sent = Math.max(due, free[user]) + clientLateMillis * MILLI;
            long end = sent + 10 * MILLI;
            boolean paused = sent >= 5_000 * MILLI && sent < (5_000 + pauseMillis) * MILLI;
            end = paused ? (5_000 + pauseMillis) * MILLI + 10 * MILLI : end;
            free[user] = end;
            Sample sample = sample(due, sent, end);
            sampler.add(user, sample, any -> null);
            tally.add(sample);
        }
        RequestSample sample = sampled ? RequestSample.of(List.of(sampler), 0) : RequestSample.NONE;
        return BusyUsers.of(phase(USERS, tally, sample), tally);
    }

    private static Sample sample(long due, long sent, long end) {
        return new Sample(
                0, due, new Exchange(sent, 1, end, Outcome.SUCCESS, 200, 1, null, false, 0, null, Exchange.NO_LEASE));
    }

    private static PhaseMeasurement phase(int users, Tally tally, RequestSample sample) {
        return new PhaseMeasurement(
                new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(10))),
                users,
                Optional.empty(),
                Duration.ofSeconds(10),
                500,
                Map.of(),
                List.of(tally),
                List.of(),
                ClientHealth.NONE,
                sample,
                List.of());
    }

    @Test
    void aPauseOfTheServerKeepsAllUsersBusy() {
        assertThat(busy(1_500, 0, true)).isGreaterThan(0.95);
        assertThat(busy(1_500, 0, false)).isLessThan(0.5);
    }

    /** Fifty users, of whose requests one of a dozen is in the sample: their mean is right. */
    @Test
    void aSmallSampleShowsThatAllAreBusy() {
        RequestSampler sampler = new RequestSampler(4, 1);
        Tally tally = new Tally();
        for (int i = 0; i < 50_000; i++) {
            long sent = i * 2 * MILLI;
            Sample sample = sample(sent - 50 * MILLI, sent, sent + 100 * MILLI);
            sampler.add(i % 50, sample, any -> null);
            tally.add(sample);
        }
        RequestSample few = RequestSample.of(List.of(sampler), 0);

        assertThat(few.share()).isCloseTo(0.08, within(0.03));
        assertThat(BusyUsers.of(phase(50, tally, few), tally)).isGreaterThan(0.95);
    }

    @Test
    void ofALateClientUsersAreFree() {
        assertThat(busy(0, 15, true)).isLessThan(0.3);
    }

    @Test
    void withoutLatenessItIsTheBusiestMoment() {
        assertThat(busy(0, 0, true)).isCloseTo(0.1, within(0.11));
    }
}
