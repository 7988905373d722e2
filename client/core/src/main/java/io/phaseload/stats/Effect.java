package io.phaseload.stats;

/**
 * How much a figure changed between two estimates of it, with the 95 % interval of that change.
 *
 * <p>With positions <i>a</i> and <i>b</i> on the figure's {@link Scale} and standard errors <i>e</i> to each side, the
 * change is <i>d = b − a</i>, between (Zou and Donner: Construction of confidence limits about effect measures,
 * Statistics in Medicine 27, 2008)
 *
 * <pre>d − t·√(e(b, below)² + e(a, above)²)    and    d + t·√(e(b, above)² + e(a, below)²)</pre>
 *
 * <p><i>t</i> is Student's factor for the degrees of freedom of Welch and Satterthwaite, <i>(s(a)² + s(b)²)² /
 * (s(a)⁴/ν(a) + s(b)⁴/ν(b))</i> with <i>s</i> the root mean square of both sides' errors (Welch, Biometrika 34, 1947).
 * So for trials this is Welch's t interval, of the ratio of geometric means if relative; for shares of requests it is
 * Newcombe's interval (Statistics in Medicine 17, 1998), for percentiles of single runs the same, from order
 * statistics.
 *
 * <p>A bootstrap over trials isn't used: with three trials per side, its intervals for the ratio of medians contain the
 * true value in 90 of 100 cases instead of 95; these contain it in 96.
 *
 * @param scale the unit of the change
 * @param change parts the change, as a fraction of the first figure if relative, else in its unit; positive if the
 *     second one is greater
 * @param low the lower bound of the interval
 * @param high the upper bound of the interval
 */
public record Effect(Scale scale, double change, double low, double high) {

    /** Whether more or less of a figure is better. */
    public enum Better {
        /** Less is better: times and failures. */
        LESS,
        /** More is better: throughput. */
        MORE
    }

    /** The change in a word. */
    public enum Word {
        /** The whole interval is within the tolerance. */
        SAME,
        /** Not the same, and the whole interval is an improvement. */
        BETTER,
        /** Not the same, and the whole interval is a deterioration. */
        WORSE,
        /** The interval contains both no change and more than the tolerance. */
        UNDECIDED
    }

    /**
     * The change from one estimate to another.
     *
     * @param a before
     * @param b after
     * @return the effect
     * @throws IllegalArgumentException if they aren't on the same scale
     */
    public static Effect between(Estimate a, Estimate b) {
        return between(a, b, ConfidenceInterval.COVERAGE);
    }

    /**
     * The change from one estimate to another, with an interval of another coverage.
     *
     * @param a before
     * @param b after
     * @param coverage such as 0.95
     * @return the effect
     * @throws IllegalArgumentException if they aren't on the same scale
     */
    public static Effect between(Estimate a, Estimate b, double coverage) {
        if (a.scale() != b.scale()) {
            throw new IllegalArgumentException("scale %s: expected %s".formatted(b.scale(), a.scale()));
        }
        double distance = b.position() - a.position();
        double t = StudentT.factor(degreesOfFreedom(a, b), coverage);
        Scale scale = a.scale();
        return new Effect(
                scale,
                scale.change(distance),
                scale.change(distance - t * Math.hypot(b.errorBelow(), a.errorAbove())),
                scale.change(distance + t * Math.hypot(b.errorAbove(), a.errorBelow())));
    }

    /**
     * The change of pairs that were measured side by side, so that what both have in common doesn't count.
     *
     * @param scale the figure's scale
     * @param distances of each pair on the scale: differences of logarithms if relative; at least two
     * @param factor the number of standard errors that the interval extends to each side, of Student's t distribution
     *     with one degree of freedom less than there are pairs
     * @param leastReach the reach of the interval by chance alone, which counts if the pairs agree better
     * @return the effect
     */
    public static Effect ofPairs(Scale scale, double[] distances, double factor, double leastReach) {
        Description pairs = Description.of(distances);
        double reach = Math.max(factor * pairs.standardDeviation() / Math.sqrt(distances.length), leastReach);
        return new Effect(
                scale,
                scale.change(pairs.mean()),
                scale.change(pairs.mean() - reach),
                scale.change(pairs.mean() + reach));
    }

    private static double degreesOfFreedom(Estimate a, Estimate b) {
        double va = variance(a);
        double vb = variance(b);
        double below = va * va / a.degreesOfFreedom() + vb * vb / b.degreesOfFreedom();
        // Without any error, their number doesn't matter.
        return below == 0 ? Double.POSITIVE_INFINITY : (va + vb) * (va + vb) / below;
    }

    /** Twice the mean square of both sides: the degrees of freedom depend only on ratios. */
    private static double variance(Estimate of) {
        return of.errorBelow() * of.errorBelow() + of.errorAbove() * of.errorAbove();
    }

    /**
     * The change in a word.
     *
     * @param tolerance the change, up or down, that counts as none: 0 or more, in the unit of {@link #change}
     * @param better the direction of improvement
     * @return the word
     */
    public Word word(double tolerance, Better better) {
        if (-tolerance <= low && high <= tolerance) {
            return Word.SAME;
        }
        if (low > 0) {
            return better == Better.MORE ? Word.BETTER : Word.WORSE;
        }
        if (high < 0) {
            return better == Better.MORE ? Word.WORSE : Word.BETTER;
        }
        return Word.UNDECIDED;
    }

    /**
     * Whether the figure is worse by more than a limit with confidence: the whole interval is.
     *
     * @param limit 0 or more, in the unit of {@link #change}
     * @param better the direction of improvement
     * @return {@code true} if so
     */
    public boolean isWorseBy(double limit, Better better) {
        return better == Better.MORE ? high < -limit : low > limit;
    }
}
