package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.connections.StreamLimit;
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

class StreamLimitTest {

    private static final int USERS = 16;
    private static final double SECONDS = 2;

    /** Users who ask at once, over connections that they share or not, on which the server allows some streams. */
    private static List<Diagnosis> found(int allowed, int sharing) {
        return found(allowed, allowed, sharing, false);
    }

    /**
     * The same with another number of streams from the middle on, or of users who take turns, and a client that sends 2
     * ms too late.
     */
    private static List<Diagnosis> found(int allowed, int later, int sharing, boolean inTurn) {
        Random random = new Random(7);
        RequestSampler sampler = new RequestSampler(1, 1, sharing, Optional.empty());
        Tally tally = new Tally();
        double[] ready = new double[USERS];
        List<PriorityQueue<Double>> free = List.of(new PriorityQueue<>(), new PriorityQueue<>());
        free.forEach(connection -> {
            for (int i = 0; i < allowed; i++) {
                connection.add(0.0);
            }
        });
        PriorityQueue<Integer> users = new PriorityQueue<>(Comparator.comparingDouble(user -> ready[user]));
        for (int user = 0; user < USERS; user++) {
            ready[user] = 0.1 + (inTurn ? 0.02 * user : random.nextDouble() / 1_000);
            users.add(user);
        }
        while (ready[users.peek()] < SECONDS) {
            int user = users.poll();
            PriorityQueue<Double> connection = free.get(user / 8);
            while (ready[user] > SECONDS / 2 && connection.size() > later) {
                connection.poll();
            }
            long due = Math.round(ready[user] * 1e9);
            double start = Math.max(ready[user], connection.poll()) + (inTurn ? 0.002 : 0);
            double ended = start + 0.010 + 0.004 * random.nextDouble();
            connection.add(ended);
            ready[user] = inTurn ? due / 1e9 + 0.02 * USERS : ended;
            users.add(user);
            long sent = Math.round(start * 1e9);
            long end = Math.round(ended * 1e9);
            Sample sample = new Sample(
                    0,
                    due,
                    new Exchange(
                            sent, end - sent, end, Outcome.SUCCESS, 200, 100, null, false, 0, null, Exchange.NO_LEASE));
            sampler.add(user, sample, any -> null);
            tally.add(sample);
        }
        Duration wall = Duration.ofSeconds((long) SECONDS);
        List<String> names = List.of("GET /");
        List<Tally> operations = List.of(tally);
        Facts facts = Facts.of(RequestSample.of(List.of(sampler), 0), names, operations, wall)
                .get(0);
        PhaseSeries phase = new PhaseSeries(
                Wording.REQUESTS,
                "peak",
                USERS,
                wall,
                Load.Closed.AT_ONCE,
                wall,
                names,
                operations,
                tally,
                List.of(),
                List.of(facts));
        return StreamLimit.RULE.judge().apply(new RunSeries(List.of(phase), false, false));
    }

    @Test
    void requestsThatWaitForTheStreamsOfTheirConnectionAreFound() {
        assertThat(found(1, 8).get(0).evidence()).containsEntry("streams", 1L);
        assertThat(found(3, 8).get(0).evidence()).containsEntry("streams", 3L).containsEntry("users", 8L);
    }

    @Test
    void aServerMayAllowFewerStreamsInTheMiddle() {
        assertThat(found(8, 2, 8, false).get(0).evidence())
                .containsEntry("streams", 2L)
                .containsEntry("users", 8L);
    }

    /** Users of a connection who hardly ever ask at once, as in a run at a low rate. */
    @Test
    void requestsThatAreLateForAnotherReasonDontWaitForAStream() {
        assertThat(found(1, 1, 8, true)).isEmpty();
    }

    @Test
    void asManyStreamsAsUsersAreEnough() {
        assertThat(found(8, 8)).isEmpty();
        assertThat(found(3, 1)).isEmpty();
    }
}
