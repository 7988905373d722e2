package io.phaseload.capacity;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The capacity of simulated services lies in the interval in 95 of 100 runs. With {@code -Dcapacity.table=true} it runs
 * all hundred, computes the true capacities anew and prints the table of {@code docs/capacity.md}.
 */
class SearchSimulationTest {

    private static final boolean TABLE = Boolean.getBoolean("capacity.table");
    private static final int RUNS = TABLE ? 100 : 20;

    /** The search was made with the seeds from 1 to 100. */
    private static final int FIRST_SEED = Integer.getInteger("capacity.seed", 1);

    private static final List<Objective> SLO = Objective.parse("p95 < 100ms, failures < 1%");
    private static final Search SEARCH = new Search(20, 100_000, false, 0.05, 0, 20, 40);
    private static final double BUDGET = 900;

    record Named(String name, double truth, Supplier<SimulatedService.Kind> kind, double readyAt) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Named> kinds() {
        return Stream.of(
                new Named("M/M/4, 20 ms", 162.8, () -> (at, rate, random) -> exponential(20, random), 0),
                new Named("M/D/4, 20 ms", 182.7, () -> (at, rate, random) -> 20, 0),
                new Named("lock of 5 ms", 151, Lock::new, 0),
                new Named("cliff at 130/s", 130, Cliff::new, 0),
                new Named("noise: seconds differ by 10 %", 152.7, Noise::new, 0),
                new Named("warm-up of 60 s", 162.8, WarmUp::new, 1000),
                new Named("autoscaling, 2 to 8", 361, Scaling::new, 1000));
    }

    static double exponential(double mean, Random random) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** One request at a time holds the lock, which is most of its work. */
    static final class Lock implements SimulatedService.Kind {
        @Override
        public double workMs(double at, double rate, Random random) {
            return 5 + exponential(1, random);
        }

        @Override
        public int workers(double at) {
            return 1;
        }
    }

    /** Fast until a rate, from which on a pool is exhausted. */
    static final class Cliff implements SimulatedService.Kind {
        @Override
        public double workMs(double at, double rate, Random random) {
            return exponential(5, random);
        }

        @Override
        public boolean fails(double rate) {
            return rate > 130;
        }
    }

    /** Each second is faster or slower at random, by a tenth. */
    static final class Noise implements SimulatedService.Kind {
        private long second = -1;
        private double factor;

        @Override
        public double workMs(double at, double rate, Random random) {
            if (second != (long) at) {
                second = (long) at;
                factor = Math.exp(0.1 * random.nextGaussian());
            }
            return exponential(20 * factor, random);
        }
    }

    static final class WarmUp implements SimulatedService.Kind {
        @Override
        public double workMs(double at, double rate, Random random) {
            return exponential(20 * (1 + 4 * Math.exp(-at / 20)), random);
        }
    }

    /** Busy for ten seconds: one more; idle for a minute: one less. */
    static final class Scaling implements SimulatedService.Kind {
        private int workers = 2;
        private int busy;
        private int idle;

        @Override
        public double workMs(double at, double rate, Random random) {
            return exponential(20, random);
        }

        @Override
        public int workers(double at) {
            return workers;
        }

        @Override
        public void second(double at, double share) {
            busy = share > 0.5 ? busy + 1 : 0;
            idle = share < 0.1 ? idle + 1 : 0;
            if (busy >= 5 && workers < 8) {
                workers++;
                busy = 0;
            } else if (idle >= 60 && workers > 2) {
                workers--;
                idle = 0;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theCapacityIsInTheInterval(Named kind) {
        double truth = TABLE ? truth(kind) : kind.truth();
        int inside = 0;
        int confirmed = 0;
        List<Double> widths = new ArrayList<>();
        List<Double> minutes = new ArrayList<>();
        StringBuilder missed = new StringBuilder();
        for (int seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            List<CapacityStep> steps = run(kind, seed);
            Answer answer = SEARCH.answer(steps).orElseThrow();
            double high = answer.high().orElse(Double.POSITIVE_INFINITY);
            if (answer.low() <= truth && truth <= high) {
                inside++;
            } else {
                missed.append(String.format(Locale.ROOT, " %.1f–%.1f", answer.low(), high));
            }
            confirmed += answer.confirmed().isPresent() ? 1 : 0;
            widths.add((high - answer.low()) / 2 / answer.load());
            minutes.add(
                    steps.stream().mapToDouble(step -> step.time().seconds()).sum() / 60);
        }
        if (TABLE) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f/s | %d of %d | ±%.0f %% | %.1f | %d |%n",
                    kind,
                    truth,
                    inside,
                    RUNS,
                    100 * median(widths),
                    median(minutes),
                    confirmed);
        }
        assertTrue(inside >= 0.95 * RUNS, kind + ": " + truth + " is in " + inside + " intervals, not in" + missed);
    }

    private static double median(List<Double> of) {
        double[] sorted = of.stream().mapToDouble(x -> x).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static List<CapacityStep> run(Named kind, int seed) {
        SimulatedService service = new SimulatedService(kind.kind().get(), new Random(seed), 0);
        List<CapacityStep> steps = new ArrayList<>();
        List<double[]> looks = new ArrayList<>();
        double left = BUDGET;
        for (Optional<NextStep> next = SEARCH.next(steps, left); next.isPresent(); next = SEARCH.next(steps, left)) {
            NextStep step = next.get();
            if (step.purpose() != CapacityStep.Purpose.AGAIN) {
                looks.clear();
            }
            looks.addAll(Arrays.asList(service.step(step.load(), step.seconds())));
            double[][] seconds = looks.toArray(double[][]::new);
            StepJudge judged = StepJudge.of(
                    SLO.stream().map(of -> SimulatedService.series(of, seconds)).toList());
            steps.add(new CapacityStep(
                    steps.size() + 1,
                    step.purpose(),
                    step.load(),
                    0,
                    new CapacityStep.StepTime(Instant.EPOCH, step.seconds()),
                    judged.outcome(),
                    judged.holds(),
                    step.load(),
                    judged.objectives(),
                    new ClientRoom(1, 0, Optional.empty(), Optional.empty(), "CPU", Optional.empty()),
                    Optional.empty(),
                    ""));
            left -= step.seconds() + 1;
        }
        return steps;
    }

    /** The rate at which the objective holds in the long run, by bisection with two million requests each. */
    private static double truth(Named kind) {
        double low = 10;
        double high = 1000;
        while (high / low > 1.001) {
            double middle = Math.sqrt(low * high);
            SimulatedService service = new SimulatedService(kind.kind().get(), new Random(1), kind.readyAt());
            service.step(middle, 200);
            double[][] seconds = service.step(middle, 2_000_000 / middle);
            boolean holds = SLO.stream().allMatch(of -> {
                StepSeries series = SimulatedService.series(of, seconds);
                return Arrays.stream(series.sums()).sum()
                        < of.limit() * Arrays.stream(series.weights()).sum();
            });
            low = holds ? middle : low;
            high = holds ? high : middle;
        }
        return Math.sqrt(low * high);
    }
}
