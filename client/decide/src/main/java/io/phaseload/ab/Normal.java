package io.phaseload.ab;

/** The standard normal distribution. */
final class Normal {

    private Normal() {}

    static double density(double z) {
        return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }

    /**
     * The probability of more than {@code z}, with a relative error below 1e-10: a sum for small arguments, and the
     * continued fraction of DLMF 7.9.1 for the tail.
     */
    static double above(double z) {
        if (z < 0) {
            return 1 - above(-z);
        }
        if (z > 4) {
            double fraction = 0;
            for (int k = 60; k > 0; k--) {
                fraction = k / (z + fraction);
            }
            return density(z) / (z + fraction);
        }
        double term = z;
        double sum = z;
        for (int k = 3; Math.abs(term) > 1e-17 * sum; k += 2) {
            term *= z * z / k;
            sum += term;
        }
        return 0.5 - density(z) * sum;
    }
}
