package io.phaseload.diagnosis.evidence;

/** Probabilities of what chance alone does. */
final class Chance {

    private Chance() {}

    /**
     * The probability of as high a χ² or higher, by Wilson and Hilferty's approximation (Proceedings of the National
     * Academy of Sciences 17, 1931).
     */
    static double ofChiSquare(double square, int degrees) {
        double part = 2.0 / (9 * degrees);
        return above((Math.cbrt(square / degrees) - (1 - part)) / Math.sqrt(part));
    }

    /**
     * The probability that a normal variable exceeds so many standard deviations (M. Abramowitz, I. Stegun, Handbook of
     * Mathematical Functions, 26.2.17).
     */
    static double above(double deviations) {
        if (deviations < 0) {
            return 1 - above(-deviations);
        }
        double t = 1 / (1 + 0.2316419 * deviations);
        double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return Math.exp(-deviations * deviations / 2) / Math.sqrt(2 * Math.PI) * sum;
    }
}
