package io.phaseload.measure;

/**
 * Numbers added up.
 *
 * @param count how many, at least 1
 * @param sum of all
 * @param min the least
 * @param max the greatest
 */
public record Values(long count, double sum, double min, double max) {

    /**
     * One number.
     *
     * @param value the number
     * @return it alone
     */
    static Values of(double value) {
        return new Values(1, value, value, value);
    }

    /**
     * These and others.
     *
     * @param other numbers
     * @return both together
     */
    Values plus(Values other) {
        return new Values(
                count + other.count,
                sum + other.sum,
                Math.min(min, other.min),
                Math.max(max, other.max));
    }

    /**
     * Their arithmetic mean.
     *
     * @return sum by count
     */
    public double mean() {
        return sum / count;
    }
}
