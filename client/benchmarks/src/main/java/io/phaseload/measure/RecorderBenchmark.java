package io.phaseload.measure;

import io.phaseload.measure.recording.PhaseRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Taking a sample, as threads do and as event loops do; and what a second's interval costs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RecorderBenchmark {

    private static final int SAMPLES = 1 << 12;

    private final Sample[] samples = new Random(1)
            .ints(SAMPLES, 50_000, 5_000_000)
            .mapToObj(RecorderBenchmark::sample)
            .toArray(Sample[]::new);
    private final PhaseRecorder recorder = new PhaseRecorder(1);
    private final Tally tally = new Tally();
    private int next;

    private static Sample sample(int nanos) {
        return new Sample(
                0,
                0,
                new Exchange(
                        100, nanos, nanos + 100, Outcome.SUCCESS, 200, 147, null, false, 0, null, Exchange.NO_LEASE));
    }

    private static KeptRequest kept(Sample sample) {
        return KeptRequest.of(sample, Instant.EPOCH, "GET /", "", 0, Optional.empty());
    }

    private Sample next() {
        return samples[next++ & (SAMPLES - 1)];
    }

    /** Of a user's thread: into its stripe, under that one's lock. */
    @Benchmark
    public void striped() {
        recorder.record(0, next(), RecorderBenchmark::kept);
    }

    /** Of an event loop: into what it alone has. */
    @Benchmark
    public void owned() {
        tally.add(next(), RecorderBenchmark::kept);
    }

    /** Of what is no request: none of the slowest is kept. */
    @Benchmark
    public void journey() {
        tally.add(next());
    }

    /** Of the ticker, once a second. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public List<Tally> interval() {
        recorder.record(0, next(), RecorderBenchmark::kept);
        return recorder.sums().nextInterval();
    }
}
