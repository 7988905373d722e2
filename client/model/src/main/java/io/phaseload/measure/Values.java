package io.phaseload.measure;

/**
 * A summary of numbers.
 *
 * @param count the number of values, at least 1
 * @param sum their sum
 * @param min the least
 * @param max the greatest
 */
public record Values(long count, double sum, double min, double max) {

    /**
     * A single number.
     *
     * @param value the number
     * @return its summary
     */
    static Values of(double value) {
        return new Values(1, value, value, value);
    }

    /**
     * Adds other numbers.
     *
     * @param other numbers
     * @return the summary of both
     */
    Values plus(Values other) {
        return new Values(count + other.count, sum + other.sum, Math.min(min, other.min), Math.max(max, other.max));
    }

    /**
     * Their arithmetic mean.
     *
     * @return sum divided by count
     */
    public double mean() {
        return sum / count;
    }
}
