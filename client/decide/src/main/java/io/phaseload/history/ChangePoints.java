package io.phaseload.history;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * The places at which a series of values changes its level, by E-divisive means (Matteson and James: A Nonparametric
 * Approach for Multiple Change Point Analysis of Multivariate Data, JASA 109, 2014; for histories of performance tests
 * Daly, Brown, Ingo, O'Leary, Bradford: The Use of Change Point Detection to Identify Software Performance Regressions
 * in a Continuous Integration System, ICPE 2020).
 *
 * <p>A series is divided where the two parts <i>X</i> of <i>n</i> and <i>Y</i> of <i>m</i> values differ most:
 *
 * <pre>q = nm/(n + m) · (2·mean|x − y| − mean|x − x′| − mean|y − y′|)</pre>
 *
 * <p>It is a change if, of {@value #SHUFFLES} shuffles of the values, at most a share of {@value #LEVEL} can be divided
 * as well. The parts are then divided in the same way, each shuffled in itself. It assumes no distribution, and takes
 * outliers for what they are; values that are like their neighbours make it find more than there is.
 */
public final class ChangePoints {

    /** The share of unchanged series in which a first change is found. */
    public static final double LEVEL = 0.01;

    private static final int SHUFFLES = 999;

    private final double[] values;
    private final int least;
    private final Random random;

    private record SeriesSplit(int from, int at, int to, double q) {}

    private ChangePoints(double[] values, int least, long seed) {
        this.values = values;
        this.least = least;
        this.random = new Random(seed);
    }

    /**
     * Finds all changes.
     *
     * @param values in order of time
     * @param least the least number of values between two changes, and to the ends; at least 2
     * @param seed of the shuffles: the same for the same outcome
     * @return the index of the first value after each change, in order
     */
    public static List<Integer> of(double[] values, int least, long seed) {
        return new ChangePoints(values.clone(), least, seed).all();
    }

    private List<Integer> all() {
        TreeSet<Integer> borders = new TreeSet<>(List.of(0, values.length));
        while (true) {
            SeriesSplit best = best(borders, values);
            if (best.at < 0 || !isChange(best, borders)) {
                borders.remove(0);
                borders.remove(values.length);
                return List.copyOf(borders);
            }
            borders.add(best.at);
        }
    }

    private boolean isChange(SeriesSplit found, TreeSet<Integer> borders) {
        int asGood = 0;
        double[] shuffled = values.clone();
        for (int i = 0; i < SHUFFLES; i++) {
            for (int from : borders.headSet(values.length)) {
                shuffle(shuffled, from, borders.higher(from));
            }
            // A tie, but for rounding, is as good.
            if (best(borders, shuffled).q >= found.q * (1 - 1e-9) && ++asGood + 1 > LEVEL * (SHUFFLES + 1)) {
                return false;
            }
        }
        return true;
    }

    private void shuffle(double[] all, int from, int to) {
        for (int i = to - 1; i > from; i--) {
            int other = from + random.nextInt(i - from + 1);
            double value = all[i];
            all[i] = all[other];
            all[other] = value;
        }
    }

    /** With −1 for its place if no part is long enough. */
    private SeriesSplit best(TreeSet<Integer> borders, double[] of) {
        SeriesSplit best = new SeriesSplit(0, -1, 0, 0);
        for (int from : borders.headSet(of.length)) {
            SeriesSplit split = best(of, from, borders.higher(from));
            best = split.q > best.q ? split : best;
        }
        return best;
    }

    /** Moves one value after another to the left part, so that the sums need not be made again. */
    private SeriesSplit best(double[] of, int from, int to) {
        SeriesSplit best = new SeriesSplit(from, -1, to, 0);
        if (to - from < 2 * least) {
            return best;
        }
        double left = 0;
        double right = 0;
        double across = 0;
        for (int i = from; i < to; i++) {
            for (int j = i + 1; j < to; j++) {
                right += Math.abs(of[i] - of[j]);
            }
        }
        for (int at = from + 1; at <= to - least; at++) {
            double toLeft = 0;
            double toRight = 0;
            for (int i = from; i < at - 1; i++) {
                toLeft += Math.abs(of[at - 1] - of[i]);
            }
            for (int i = at; i < to; i++) {
                toRight += Math.abs(of[at - 1] - of[i]);
            }
            left += toLeft;
            right -= toRight;
            across += toRight - toLeft;
            double n = at - from;
            double m = to - at;
            if (n >= least) {
                double distance = 2 * across / (n * m) - left / (n * (n - 1) / 2) - right / (m * (m - 1) / 2);
                double q = n * m / (n + m) * distance;
                best = q > best.q ? new SeriesSplit(from, at, to, q) : best;
            }
        }
        return best;
    }
}
