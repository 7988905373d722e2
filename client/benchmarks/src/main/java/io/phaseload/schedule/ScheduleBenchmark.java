package io.phaseload.schedule;

import java.time.Duration;
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

/** The next start of an open model, which is asked for once a request. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScheduleBenchmark {

    private static final Rate RATE = Rate.perSecond(100_000);

    private final Offsets constant = new ConstantArrivals(RATE).offsets();
    private final Offsets poisson = new PoissonArrivals(RATE, 1).offsets();
    // So long that it doesn't come to its end.
    private final Offsets ramp = new RampArrivals(RATE, Rate.perSecond(200_000), Duration.ofDays(1)).offsets();

    @Benchmark
    public long constant() {
        return constant.nextNanos();
    }

    @Benchmark
    public long poisson() {
        return poisson.nextNanos();
    }

    @Benchmark
    public long ramp() {
        return ramp.nextNanos();
    }
}
