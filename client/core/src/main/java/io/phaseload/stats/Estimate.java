package io.phaseload.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * A figure with its error: of several trials, or of a single run's series.
 *
 * <p>Errors are those of a 95 % interval, divided by the number of standard errors that it extends to each side. They
 * differ where the interval isn't symmetric, as for percentiles.
 *
 * @param scale a scale on which errors are symmetric, or nearly so
 * @param position the figure on that scale: its logarithm if relative
 * @param errorBelow the standard error downwards, on that scale
 * @param errorAbove the standard error upwards
 * @param degreesOfFreedom of the errors: 1 or more, infinite if they are exact
 */
public record Estimate(Scale scale, double position, double errorBelow, double errorAbove, double degreesOfFreedom) {

    /**
     * Estimates a figure from trials, each with one value. Never pass requests: they aren't independent, and so many
     * that any difference would seem certain (Laaber, Scheuner, Leitner: Software Microbenchmarking in the Cloud,
     * Empirical Software Engineering 24, 2019).
     *
     * <p>With <i>k</i> trials, <i>m</i> the mean of their positions and <i>s</i> the standard deviation, the error is
     * <i>s/√k</i> with <i>k − 1</i> degrees of freedom (Georges, Buytaert, Eeckhout: Statistically Rigorous Java
     * Performance Evaluation, OOPSLA 2007, for fewer than 30 trials). On a relative scale <i>m</i> is the logarithm of
     * the geometric mean.
     *
     * @param scale the figure's scale
     * @param values one per trial, at least two; more than 0 on a relative scale
     * @return the estimate
     * @throws IllegalArgumentException if a value isn't allowed, or there are too few
     */
    public static Estimate ofTrials(Scale scale, double... values) {
        if (values.length < 2) {
            throw new IllegalArgumentException("%d values: expected two or more".formatted(values.length));
        }
        double[] positions = Arrays.stream(values).map(scale::position).toArray();
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(positions[i])) {
                throw new IllegalArgumentException("value %s: expected a number%s"
                        .formatted(values[i], scale == Scale.RELATIVE ? " above 0" : ""));
            }
        }
        Description trials = Description.of(positions);
        double error = trials.standardDeviation() / Math.sqrt(values.length);
        return new Estimate(scale, trials.mean(), error, error, values.length - 1);
    }

    /**
     * Estimates one run's percentile: its {@link QuantileRanks}, with as many samples as the series is worth. Its
     * autocorrelation shows in the share of each interval's samples that are at most the percentile, which is <i>p</i>
     * if nothing changes.
     *
     * @param p from 0 to 1
     * @param valueAt the sample's quantiles; values above 0
     * @param atMost the share of samples that are at most {@code valueAt(p)}, over time
     * @param samples the number of samples
     * @return on a relative scale; empty if they are worth too few samples for this percentile
     */
    public static Optional<Estimate> ofQuantile(
            double p, DoubleUnaryOperator valueAt, BatchMeans atMost, long samples) {
        double part = atMost.mean();
        long effective = atMost.effectiveSamples(part * (1 - part), samples);
        double position = Scale.RELATIVE.position(valueAt.applyAsDouble(p));
        return QuantileRanks.of(p, effective)
                .map(ranks -> new Estimate(
                        Scale.RELATIVE,
                        position,
                        error(position, valueAt.applyAsDouble(ranks.low())),
                        error(position, valueAt.applyAsDouble(ranks.high())),
                        atMost.batches() - 1.0));
    }

    private static double error(double position, double bound) {
        return Math.abs(Scale.RELATIVE.position(bound) - position) / QuantileRanks.Z_95;
    }

    /**
     * Estimates one run's rate. Its relative error is that of {@code rate}, to first order.
     *
     * @param rate the rate over time; its mean is above 0
     * @return on a relative scale
     */
    public static Estimate ofRate(BatchMeans rate) {
        double error = rate.standardError() / rate.mean();
        return new Estimate(Scale.RELATIVE, Scale.RELATIVE.position(rate.mean()), error, error, rate.batches() - 1.0);
    }

    /**
     * Estimates the share of one run's requests that failed. The interval is Wilson's, which is also right near 0: no
     * failures among <i>n</i> requests mean up to <i>3.84/(n + 3.84)</i> of them (Wilson: Probable Inference, Journal
     * of the American Statistical Association 22, 1927).
     *
     * @param failed the share that failed, over time
     * @param samples the number of requests
     * @return on an absolute scale, from 0 to 1
     */
    public static Estimate ofPart(BatchMeans failed, long samples) {
        double part = failed.mean();
        long effective = failed.effectiveSamples(part * (1 - part), samples);
        return wilson(part, effective, failed.batches() - 1.0);
    }

    /**
     * Estimates the share of requests that failed in several trials. If trials agree better than chance would have it,
     * the error by chance counts.
     *
     * @param failed the failed requests of each trial
     * @param samples the requests of each trial; at least one
     * @return on an absolute scale, from 0 to 1
     * @throws IllegalArgumentException if there are fewer than two trials
     */
    public static Estimate ofParts(long[] failed, long[] samples) {
        double[] parts = new double[failed.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = (double) failed[i] / samples[i];
        }
        Estimate trials = ofTrials(Scale.ABSOLUTE, parts);
        Estimate chance = wilson(trials.position, Arrays.stream(samples).sum(), Double.POSITIVE_INFINITY);
        return trials.width() > chance.width() ? trials : chance;
    }

    private static Estimate wilson(double part, double n, double degreesOfFreedom) {
        double z = QuantileRanks.Z_95;
        double middle = (part + z * z / (2 * n)) / (1 + z * z / n);
        double reach = z * Math.sqrt(part * (1 - part) / n + z * z / (4 * n * n)) / (1 + z * z / n);
        return new Estimate(
                Scale.ABSOLUTE,
                part,
                Math.max(0, part - (middle - reach)) / z,
                Math.max(0, middle + reach - part) / z,
                degreesOfFreedom);
    }

    /**
     * The figure itself.
     *
     * @return in its unit; for trials on a relative scale, their geometric mean
     */
    public double value() {
        return scale.value(position);
    }

    /**
     * The interval of the figure.
     *
     * @return its 95 % interval, in its unit
     */
    public ConfidenceInterval interval() {
        return interval(ConfidenceInterval.COVERAGE);
    }

    /**
     * An interval of the figure.
     *
     * @param coverage such as 0.95
     * @return the interval, in the figure's unit
     */
    public ConfidenceInterval interval(double coverage) {
        double t = StudentT.factor(degreesOfFreedom, coverage);
        return new ConfidenceInterval(
                scale.value(position - t * errorBelow), scale.value(position + t * errorAbove), coverage);
    }

    private double width() {
        return StudentT.factor(degreesOfFreedom) * (errorBelow + errorAbove);
    }
}
