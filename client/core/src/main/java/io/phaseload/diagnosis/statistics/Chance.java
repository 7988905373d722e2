package io.phaseload.diagnosis.statistics;

/** Probabilities of what chance alone does. */
public final class Chance {

    private Chance() {}

    /**
     * The probability of as high a χ² or higher, by Wilson and Hilferty's approximation (Proceedings of the National
     * Academy of Sciences 17, 1931).
     */
    public static double ofChiSquare(double square, int degrees) {
        double part = 2.0 / (9 * degrees);
        return above((Math.cbrt(square / degrees) - (1 - part)) / Math.sqrt(part));
    }

    /**
     * A bound of the probability that requests which know nothing of each other begin together (H. Chernoff, Annals of
     * Mathematical Statistics 23, 1952), whichever of them is the first of each group.
     *
     * @param all the number of requests
     * @param groups the number of groups in which they begin together
     * @param joined the number of those that aren't the first of their group
     * @param share the part of the time in which requests of these groups begin, from 0 to 1
     * @return from 0 to 1
     */
    public static double ofTogether(long all, long groups, long joined, double share) {
        double others = all - groups;
        double part = joined / others;
        if (groups == 0 || joined <= 0 || part <= share) {
            return 1;
        }
        double apart = part >= 1 ? 0 : (1 - part) * Math.log((1 - part) / (1 - share));
        double distance = part * Math.log(part / Math.max(share, Double.MIN_NORMAL)) + apart;
        return Math.min(1, Math.exp(groups * (1 + Math.log((double) all / groups)) - others * distance));
    }

    /** The probability that some figures are above all others, if none knows of another: one of (n over k) orders. */
    public static double ofOrder(int some, int others) {
        double chance = 1;
        for (int i = 1; i <= some; i++) {
            chance *= (double) i / (others + i);
        }
        return chance;
    }

    /**
     * The probability that a normal variable exceeds so many standard deviations (M. Abramowitz, I. Stegun, Handbook of
     * Mathematical Functions, 26.2.17).
     */
    public static double above(double deviations) {
        if (deviations < 0) {
            return 1 - above(-deviations);
        }
        double t = 1 / (1 + 0.2316419 * deviations);
        double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return Math.exp(-deviations * deviations / 2) / Math.sqrt(2 * Math.PI) * sum;
    }
}
