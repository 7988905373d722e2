package io.phaseload.diagnosis.statistics;

import io.phaseload.measure.recording.SampledRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How much a grouping of requests tells of which of them are cases, such as slow ones.
 *
 * <p>The test is Pearson's χ² of a table with two rows, cases and others, and a column a group (K. Pearson,
 * Philosophical Magazine 50, 1900). Its effect is η² = χ²/n, the share of the variance that groups explain, less what
 * they explain by chance: ε² = 1 − (1 − η²)(n − 1)/(n − groups) (T. L. Kelley, Proceedings of the National Academy of
 * Sciences 21, 1935).
 *
 * @param groups the number of groups
 * @param explained ε²: 0 if the groups don't matter, 1 if each group has cases only or none
 * @param p the probability of as high a χ² if groups don't matter, from 0 to 1
 */
public record Association(int groups, double explained, double p) {

    /** Groups that say nothing. */
    public static final Association NONE = new Association(0, 0, 1);

    /** The level of significance: a phase has some dozens of tests. */
    private static final double SIGNIFICANT = 1e-4;

    /**
     * Tests a grouping.
     *
     * @param cases the requests in question
     * @param others those to compare them with
     * @param key a request's group; a negative one isn't known, and leaves the request out
     * @return the association
     */
    public static Association of(
            List<SampledRequest> cases, List<SampledRequest> others, ToLongFunction<SampledRequest> key) {
        Map<Long, double[]> table = new HashMap<>();
        double[] sums = new double[2];
        count(cases, key, table, sums, 0);
        count(others, key, table, sums, 1);
        double n = sums[0] + sums[1];
        int groups = table.size();
        if (sums[0] == 0 || sums[1] == 0 || groups < 2 || n <= groups) {
            return NONE;
        }
        double square = 0;
        for (double[] group : table.values()) {
            double due = (group[0] + group[1]) * sums[0] / n;
            double expected = (group[0] + group[1]) * sums[1] / n;
            square += (group[0] - due) * (group[0] - due) / due;
            square += (group[1] - expected) * (group[1] - expected) / expected;
        }
        double eta = Math.min(1, square / n);
        double explained = 1 - (1 - eta) * (n - 1) / (n - groups);
        return new Association(groups, Math.max(0, explained), Chance.ofChiSquare(square, groups - 1));
    }

    private static void count(
            List<SampledRequest> requests,
            ToLongFunction<SampledRequest> key,
            Map<Long, double[]> table,
            double[] sums,
            int row) {
        for (SampledRequest request : requests) {
            long group = key.applyAsLong(request);
            if (group >= 0) {
                table.computeIfAbsent(group, any -> new double[2])[row]++;
                sums[row]++;
            }
        }
    }

    /** {@return true if chance alone hardly does this} */
    public boolean isSignificant() {
        return p < SIGNIFICANT;
    }

    /**
     * Whether groups decide.
     *
     * @param least the least share of the variance that they explain
     * @return {@code true} if they explain it, and not by chance
     */
    public boolean explains(double least) {
        return isSignificant() && explained >= least;
    }

    /** The one that explains more, of two that are significant or not; otherwise the significant one. */
    public Association or(Association other) {
        boolean more = isSignificant() == other.isSignificant() ? other.explained > explained : other.isSignificant();
        return more ? other : this;
    }
}
