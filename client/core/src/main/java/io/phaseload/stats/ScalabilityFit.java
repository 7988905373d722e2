package io.phaseload.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * A {@link ScalabilityLaw} that was fitted to the steps of a sweep, by least squares of throughput.
 *
 * <p>Intervals come from a wild bootstrap (Wu: Jackknife, Bootstrap and Other Resampling Methods in Regression
 * Analysis, Annals of Statistics 14, 1986), since higher throughput varies more: each point's residual <i>e</i>,
 * divided by <i>1 − h</i> with its leverage <i>h</i>, is added with a random sign to the fitted value, and the law is
 * fitted again, 999 times. The 25th lowest and highest value of each figure are its interval. It covers the noise
 * around the law: if the law is wrong for the system, the residuals show it, the intervals don't. For seven steps with
 * 5 % of noise, the intervals contain the true value in 92 to 96 of 100 cases; if σ or κ is 0, at the edge of its
 * range, in about 85.
 *
 * @param law the fitted law
 * @param lambda the interval of λ
 * @param sigma the interval of σ
 * @param kappa the interval of κ
 * @param peakInterval the interval of the users at the peak, unlimited above if there may be none
 * @param rSquared the share of the throughputs' variance that the law explains, at most 1
 * @param residualError the standard deviation of the points around the law, in requests per second
 * @param mostUsers N of the greatest step
 */
public record ScalabilityFit(
        ScalabilityLaw law,
        ConfidenceInterval lambda,
        ConfidenceInterval sigma,
        ConfidenceInterval kappa,
        ConfidenceInterval peakInterval,
        double rSquared,
        double residualError,
        double mostUsers) {

    /** The fewest different numbers of users for a fit. */
    public static final int LEAST_STEPS = 6;

    /** A law that explains less of the variance is a poor fit, and isn't extrapolated. */
    public static final double LEAST_R_SQUARED = 0.8;

    /** How far to extrapolate a good fit beyond the greatest step. */
    private static final double BELIEVED = 2;

    private static final int RESAMPLES = 999;
    private static final int TAIL = 25;
    private static final int PARAMETERS = 3;

    /**
     * The measurement of one trial of one step.
     *
     * @param users N, 1 or more
     * @param throughput X, in requests per second; above 0
     */
    public record Point(double users, double throughput) {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if they are out of range
         */
        public Point {
            if (!(users >= 1) || Double.isInfinite(users)) {
                throw new IllegalArgumentException("users %s: expected 1 or more".formatted(users));
            }
            if (!(throughput > 0) || Double.isInfinite(throughput)) {
                throw new IllegalArgumentException("throughput %s: expected more than 0".formatted(throughput));
            }
        }
    }

    /**
     * Fits the law.
     *
     * @param points of all steps and trials, in any order; steps that failed are left out
     * @param seed of the bootstrap: the same points and seed give the same intervals
     * @return empty with fewer than six different numbers of users
     */
    public static Optional<ScalabilityFit> of(List<Point> points, long seed) {
        if (points.stream().mapToDouble(Point::users).distinct().count() < LEAST_STEPS) {
            return Optional.empty();
        }
        // Sorted, so that the result doesn't depend on the order of the points.
        List<Point> ordered = points.stream()
                .sorted(Comparator.comparingDouble(Point::users).thenComparingDouble(Point::throughput))
                .toList();
        double[] users = ordered.stream().mapToDouble(Point::users).toArray();
        double[] measured = ordered.stream().mapToDouble(Point::throughput).toArray();
        LeastSquares squares = new LeastSquares(users, measured);
        ScalabilityLaw law = squares.fit();
        double mean = Description.of(measured).mean();
        double around = 0;
        double total = 0;
        for (int i = 0; i < users.length; i++) {
            around += square(measured[i] - law.throughput(users[i]));
            total += square(measured[i] - mean);
        }
        List<ScalabilityLaw> again = resampled(users, measured, squares, law, new Random(seed));
        return Optional.of(new ScalabilityFit(
                law,
                interval(again, ScalabilityLaw::lambda),
                interval(again, ScalabilityLaw::sigma),
                interval(again, ScalabilityLaw::kappa),
                interval(again, fit -> fit.peak().orElse(Double.POSITIVE_INFINITY)),
                total == 0 ? 0 : 1 - around / total,
                Math.sqrt(around / (users.length - PARAMETERS)),
                users[users.length - 1]));
    }

    private static double square(double x) {
        return x * x;
    }

    private static List<ScalabilityLaw> resampled(
            double[] users, double[] measured, LeastSquares squares, ScalabilityLaw law, Random random) {
        int n = users.length;
        double[] fitted = new double[n];
        double[] residual = new double[n];
        for (int i = 0; i < n; i++) {
            fitted[i] = law.throughput(users[i]);
            // A point that alone determines its fitted value has a leverage of 1.
            double free = Math.max(0.1, 1 - squares.leverage(law, i));
            residual[i] = (measured[i] - fitted[i]) / free;
        }
        List<ScalabilityLaw> fits = new ArrayList<>();
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double[] drawn = new double[n];
            for (int i = 0; i < n; i++) {
                double value = fitted[i] + (random.nextBoolean() ? residual[i] : -residual[i]);
                drawn[i] = Math.max(value, fitted[i] / 100);
            }
            fits.add(new LeastSquares(users, drawn).fit());
        }
        return fits;
    }

    private static ConfidenceInterval interval(List<ScalabilityLaw> fits, ToDoubleFunction<ScalabilityLaw> figure) {
        double[] sorted = fits.stream().mapToDouble(figure).sorted().toArray();
        return new ConfidenceInterval(sorted[TAIL - 1], sorted[sorted.length - TAIL], ConfidenceInterval.COVERAGE);
    }

    /**
     * Whether the law explains too little to conclude anything from it.
     *
     * @return {@code true} if R² is below {@value #LEAST_R_SQUARED}
     */
    public boolean isPoor() {
        return !(rSquared >= LEAST_R_SQUARED);
    }

    /**
     * The throughput that the law predicts.
     *
     * @param users N, 1 or more
     * @return requests per second; empty for more than twice the users that were measured, and of a poor fit for more
     *     users than were measured
     */
    public OptionalDouble throughput(double users) {
        return users <= (isPoor() ? 1 : BELIEVED) * mostUsers
                ? OptionalDouble.of(law.throughput(users))
                : OptionalDouble.empty();
    }

    /**
     * The number of users with the greatest throughput.
     *
     * @return users; empty if there is none, if it is beyond twice the users that were measured, or if the fit is poor
     */
    public OptionalDouble peak() {
        return believed(law.peak());
    }

    /**
     * The knee, where users begin to wait for each other: see {@link ScalabilityLaw#knee()}.
     *
     * @return users; empty where {@link #peak()} would be
     */
    public OptionalDouble knee() {
        return believed(law.knee());
    }

    private OptionalDouble believed(OptionalDouble users) {
        boolean told = users.isPresent() && !isPoor() && users.getAsDouble() <= BELIEVED * mostUsers;
        return told ? users : OptionalDouble.empty();
    }
}
