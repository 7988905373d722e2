package io.phaseload.capacity;

import java.util.Arrays;
import java.util.Random;

/**
 * A service whose requests arrive at random times, at a constant mean rate, and wait for a free worker. It has a clock,
 * which goes on from step to step.
 */
final class SimulatedService {

    /** The kind of a service: what it takes for each request, and how many workers it has, change over time. */
    interface Kind {

        /** Milliseconds of work for a request that begins at a time, in seconds since the service's start. */
        double workMs(double at, double rate, Random random);

        default int workers(double at) {
            return 4;
        }

        /** Called after each second with the share of its workers that were busy. */
        default void second(double at, double busy) {}

        default boolean fails(double rate) {
            return false;
        }
    }

    private final Kind kind;
    private final Random random;
    private double clock;

    SimulatedService(Kind kind, Random random, double clock) {
        this.kind = kind;
        this.random = random;
        this.clock = clock;
    }

    /** Requests of one step by second: {@code times[i]} are those of second i, in ms; a failure is negative. */
    double[][] step(double rate, double seconds) {
        double[][] times = new double[(int) seconds][];
        double[] free = new double[64];
        Arrays.fill(free, clock);
        double start = clock;
        double at = clock;
        for (int i = 0; i < times.length; i++) {
            double[] second = new double[(int) (4 * rate + 50)];
            int n = 0;
            double worked = 0;
            int workers = kind.workers(start + i);
            while (at < start + i + 1) {
                int first = 0;
                for (int w = 1; w < workers; w++) {
                    first = free[w] < free[first] ? w : first;
                }
                double begin = Math.max(at, free[first]);
                double work = kind.workMs(begin, rate, random) / 1000;
                free[first] = begin + work;
                worked += Math.max(0, Math.min(work, start + i + 1 - begin));
                double took = (free[first] - at) * 1000;
                if (n < second.length) {
                    second[n++] = kind.fails(rate) ? -took : took;
                }
                at += -Math.log(1 - random.nextDouble()) / rate;
            }
            double end = start + i + 1;
            boolean overloaded = Arrays.stream(free, 0, workers).allMatch(of -> of > end);
            kind.second(end, overloaded ? 1 : worked / workers);
            times[i] = Arrays.copyOf(second, n);
        }
        clock = start + seconds;
        return times;
    }

    /** The seconds as an objective sees them. */
    static StepSeries series(Objective objective, double[][] seconds) {
        double limit = objective.threshold().limitValue();
        boolean failures = objective.unit().equals("%");
        return new StepSeries(
                objective,
                Arrays.stream(seconds)
                        .mapToDouble(of -> Arrays.stream(of)
                                .filter(ms -> failures ? ms < 0 : Math.abs(ms) > limit)
                                .count())
                        .toArray(),
                Arrays.stream(seconds).mapToDouble(of -> of.length).toArray(),
                Arrays.stream(seconds).mapToDouble(of -> figure(objective, of)).toArray(),
                from -> figure(
                        objective,
                        Arrays.stream(seconds, from, seconds.length)
                                .flatMapToDouble(Arrays::stream)
                                .toArray()));
    }

    private static double figure(Objective objective, double[] ms) {
        if (ms.length == 0) {
            return 0;
        }
        if (objective.unit().equals("%")) {
            return 100.0 * Arrays.stream(ms).filter(of -> of < 0).count() / ms.length;
        }
        double[] sorted = Arrays.stream(ms).map(Math::abs).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil((1 - objective.limit()) * sorted.length) - 1)];
    }
}
