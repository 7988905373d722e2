package io.phaseload.measure.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Requests;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Samples;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Tally.Failures;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PhaseRecorderTest {

    @Test
    void anIntervalHoldsWhatCameSinceTheLastOne() {
        PhaseRecorder recorder = new PhaseRecorder(2);

        recorder.record(0, Samples.of(0, Outcome.SUCCESS, 1_000_000));
        recorder.record(1, Samples.of(1, Outcome.SUCCESS, 1_000_000));
        assertThat(recorder.sums().nextInterval()).extracting(Tally::requests).containsExactly(1L, 1L);
        recorder.record(1, Samples.of(1, Outcome.NoResponse.READ_TIMEOUT, 1_000_000));
        assertThat(recorder.sums().nextInterval()).extracting(Tally::requests).containsExactly(0L, 1L);
        assertThat(recorder.sums().nextInterval()).extracting(Tally::requests).containsExactly(0L, 0L);
        recorder.record(12_345, Samples.of(0, Outcome.SUCCESS, 1_000_000));

        assertThat(recorder.sums().totals()).extracting(Tally::requests).containsExactly(2L, 2L);
        assertThat(recorder.sums().totals()).extracting(Tally::failed).containsExactly(0L, 1L);
    }

    @Test
    void anIntervalIsNotChangedLater() {
        PhaseRecorder recorder = new PhaseRecorder(1);
        recorder.record(0, Samples.success(1_000_000));
        Tally taken = recorder.sums().nextInterval().get(0);

        taken.add(Samples.success(1_000_000));
        recorder.record(0, Samples.success(1_000_000));

        assertThat(recorder.sums().totals().get(0).requests()).isEqualTo(2);
        assertThat(taken.requests()).isEqualTo(2);
    }

    /** A lock that a user's thread kept would stop all others. */
    @Test
    void everythingThatOneThreadRecordedIsReadByAnother() throws Exception {
        PhaseRecorder recorder = new PhaseRecorder(1);
        KeptRequest kept = Requests.success(2_000_000, 1);
        recorder.record(0, Samples.success(1_000_000));
        recorder.record(0, Samples.success(2_000_000), any -> kept);
        recorder.record(0, 0, InstanceTimings.COLD_START, 5_000_000);
        assertThat(recorder.sums().sample(0).all())
                .extracting(SampledRequest::serviceNanos)
                .containsExactly(2_000_000L);

        CompletableFuture<Tally> reader = CompletableFuture.supplyAsync(
                () -> recorder.sums().nextInterval().get(0));

        Tally interval = reader.get(10, TimeUnit.SECONDS);
        assertThat(interval.requests()).isEqualTo(2);
        assertThat(interval.slowest()).containsExactly(kept);
        assertThat(interval.count(InstanceTimings.COLD_START)).isEqualTo(1);
    }

    @Test
    void theSumsSoFarAreCopies() {
        PhaseRecorder recorder = new PhaseRecorder(2);
        recorder.record(0, Samples.of(1, Outcome.SUCCESS, 1_000_000));
        recorder.sums().nextInterval();
        recorder.record(0, Samples.of(1, Outcome.SUCCESS, 1_000_000));

        List<Tally> soFar = recorder.sums().soFar();
        assertThat(soFar).extracting(Tally::requests).containsExactly(0L, 1L);
        recorder.sums().nextInterval();

        assertThat(recorder.sums().soFar()).extracting(Tally::requests).containsExactly(0L, 2L);
        assertThat(soFar).extracting(Tally::requests).containsExactly(0L, 1L);
    }

    /** No sample is lost or counted twice while intervals are taken as fast as they can be. */
    @Test
    @Timeout(60)
    void intervalsAddUpToTheTotalsUnderConcurrency() throws Exception {
        int users = 8;
        int samples = 20_000;
        PhaseRecorder recorder = new PhaseRecorder(2);
        CyclicBarrier start = new CyclicBarrier(users + 1);
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(users + 1);
        List<Tally> intervals = new ArrayList<>();
        try {
            Future<List<Tally>> reader = threads.submit(() -> {
                List<Tally> sums = List.of(new Tally(), new Tally());
                start.await();
                while (!ended.get()) {
                    List<Tally> interval = recorder.sums().nextInterval();
                    sums.get(0).add(interval.get(0));
                    sums.get(1).add(interval.get(1));
                }
                return sums;
            });
            List<Future<?>> writers = new ArrayList<>();
            for (int user = 0; user < users; user++) {
                int index = user;
                writers.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < samples; i++) {
                        recorder.record(index, sample(i));
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            ended.set(true);
            intervals.addAll(reader.get());
        } finally {
            threads.shutdownNow();
        }
        List<Tally> rest = recorder.sums().nextInterval();
        List<Tally> totals = recorder.sums().totals();

        for (int operation = 0; operation < 2; operation++) {
            intervals.get(operation).add(rest.get(operation));
            Tally total = totals.get(operation);
            assertThat(total.requests()).isEqualTo(users * samples / 2);
            assertThat(total.requests()).isEqualTo(intervals.get(operation).requests());
            assertThat(total.histogram(Timing.RESPONSE))
                    .isEqualTo(intervals.get(operation).histogram(Timing.RESPONSE));
            assertThat(total.causes()).isEqualTo(intervals.get(operation).causes());
        }
        // Every tenth sample of the first operation timed out, every fifth of the second was a 503.
        long tenth = users * samples / 20;
        assertThat(totals.get(0).causes())
                .containsExactly(
                        Map.entry("read timeout", new Failures(tenth, Outcome.NoResponse.READ_TIMEOUT.detail())));
        assertThat(totals.get(1).causes()).containsExactly(Map.entry("http 503", new Failures(2 * tenth, "")));
        assertThat(totals.get(0).counters().censored()).isEqualTo(tenth);
    }

    private static Sample sample(int i) {
        long nanos = 1_000_000 + i;
        int ofOperation = i / 2;
        if (i % 2 == 0) {
            return Samples.of(0, ofOperation % 10 == 0 ? Outcome.NoResponse.READ_TIMEOUT : Outcome.SUCCESS, nanos);
        }
        return Samples.of(1, ofOperation % 5 == 0 ? new Outcome.HttpFailure(503) : Outcome.SUCCESS, nanos);
    }
}
