package io.phaseload.ab;

import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Makes up the runs of a comparison on a machine that disturbs them in one way, with a known effect of B. */
final class MadeUpMachine {

    /** The ways to disturb runs that follow one another: each value is on a logarithmic scale. */
    enum Disturbance {
        QUIET("1 %"),
        NOISY("4 %"),
        DRIFTING("2 %, each run 1 % slower"),
        CORRELATED("5 %, the next keeps 80 %"),
        STEPS("2 %, steps of 20 %"),
        OUTLIERS("2 %, one in twelve 50 %");

        private final String words;

        Disturbance(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        Supplier<Double> values(Random random) {
            double[] state = {0, 0};
            return switch (this) {
                case QUIET -> () -> 0.01 * random.nextGaussian();
                case NOISY -> () -> 0.04 * random.nextGaussian();
                case DRIFTING -> () -> 0.01 * state[0]++ + 0.02 * random.nextGaussian();
                case CORRELATED -> () -> state[0] = 0.8 * state[0] + 0.03 * random.nextGaussian();
                case STEPS -> () -> {
                    state[0] = random.nextDouble() < 0.25 ? 0.2 - state[0] : state[0];
                    return state[0] + 0.02 * random.nextGaussian();
                };
                case OUTLIERS -> () -> (random.nextInt(12) == 0 ? 0.4 : 0) + 0.02 * random.nextGaussian();
            };
        }
    }

    private static final int REQUESTS = 4_000;

    private final Random random;
    private final Supplier<Double> disturbance;
    private final double effect;

    /**
     * Makes one.
     *
     * @param effect of B on all times, and the other way on throughput: 0.03 is 3 %
     */
    MadeUpMachine(Disturbance disturbance, double effect, long seed) {
        this.random = new Random(seed);
        this.disturbance = disturbance.values(random);
        this.effect = Math.log1p(effect);
    }

    /** The runs of the next block. */
    List<AbRun> block(long seed, int block) {
        List<AbRun> runs = new ArrayList<>();
        for (Arm arm : Blocks.order(seed, block)) {
            runs.add(run(block, arm, Verdict.Status.VALID));
        }
        return runs;
    }

    AbRun run(int block, Arm arm, Verdict.Status verdict) {
        double slower = disturbance.get() + (arm == Arm.B ? effect : 0);
        long failed = random.nextInt(3);
        Map<String, Double> figures = new HashMap<>();
        figures.put("p50", 10 * Math.exp(slower + 0.005 * random.nextGaussian()));
        figures.put("p95", 15 * Math.exp(slower + 0.01 * random.nextGaussian()));
        figures.put("p99", 30 * Math.exp(slower + 0.03 * random.nextGaussian()));
        figures.put("throughput", 1_000 * Math.exp(-slower + 0.005 * random.nextGaussian()));
        figures.put("failed", 100.0 * failed / REQUESTS);
        return new AbRun(block, arm, "run", Instant.EPOCH, 5, 1, Optional.empty(), REQUESTS, failed, verdict, figures);
    }
}
