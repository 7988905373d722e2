package io.phaseload.ab;

/**
 * Levels of intervals that are looked at again and again while data comes in. Each look at an interval is a chance to
 * be wrong: 95 % intervals that are looked at after each of thirty values miss the true value at some look in 30 of 100
 * cases. The intervals of these levels, all of them together, miss it in at most a given share of cases, whatever is
 * decided by them and whenever the looks end.
 *
 * <p>The error <i>α</i> is spent as time goes on: <i>α·f²</i> of it until a fraction <i>f</i> of the time is over (Lan
 * and DeMets: Discrete Sequential Boundaries for Clinical Trials, Biometrika 70, 1983; this function is from Kim and
 * DeMets, Biometrika 74, 1987). The sums of the first <i>n</i> values are a random walk; the boundary of each look is
 * where the walks that haven't left one of the earlier boundaries leave it with the probability to spend now. It is
 * found by recursive integration (Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132, 1969).
 * With an unknown variance the level of each boundary holds for Student's t distribution, nearly (Jennison and
 * Turnbull: Group Sequential Methods, 2000, 11.5). Intervals at these levels are repeated confidence intervals
 * (Jennison and Turnbull, Journal of the Royal Statistical Society B 51, 1989).
 *
 * <p>Not thread-safe.
 */
final class RepeatedLooks {

    /** The number of equal parts of the range of the integral; even, for Simpson's rule. */
    private static final int PARTS = 240;

    private final double error;
    private double spent;
    private int values;
    /** The density of walks that are within all boundaries so far, from the lower boundary to the upper one. */
    private double[] density = {};

    private double boundary;

    /**
     * Before the first look.
     *
     * @param error the share of cases in which an interval of any look may miss the true value, such as 0.05
     */
    RepeatedLooks(double error) {
        this.error = error;
    }

    /**
     * Looks once more.
     *
     * @param n the number of values by now: more than at the look before
     * @param fraction the part of the time that is over, 0 to 1, which may depend on anything but the values; 1 at the
     *     last look
     * @return the error of this look's interval: such as 0.01 for a 99 % interval
     */
    double look(int n, double fraction) {
        double wanted = Math.max(spent, error * fraction * fraction);
        double now = Math.max(1e-12, wanted - spent);
        double step = Math.sqrt(n - values);
        double low = 0;
        double high = 12 * Math.sqrt(n);
        while (high - low > 1e-7 * high) {
            double middle = (low + high) / 2;
            if (beyond(middle, step) > now) {
                low = middle;
            } else {
                high = middle;
            }
        }
        density = within(high, step);
        boundary = high;
        spent = Math.max(spent, wanted);
        values = n;
        return 2 * Normal.above(high / Math.sqrt(n));
    }

    /** The probability of walks within the earlier boundaries to be beyond this one now. */
    private double beyond(double bound, double step) {
        if (density.length == 0) {
            return 2 * Normal.above(bound / step);
        }
        double sum = 0;
        for (int i = 0; i <= PARTS; i++) {
            double at = at(i);
            sum += weight(i) * density[i] * (Normal.above((bound - at) / step) + Normal.above((bound + at) / step));
        }
        return sum * width();
    }

    /** The density of those walks within this boundary. */
    private double[] within(double bound, double step) {
        double[] next = new double[PARTS + 1];
        for (int k = 0; k <= PARTS; k++) {
            double to = bound * (2.0 * k / PARTS - 1);
            if (density.length == 0) {
                next[k] = Normal.density(to / step) / step;
                continue;
            }
            double sum = 0;
            for (int i = 0; i <= PARTS; i++) {
                sum += weight(i) * density[i] * Normal.density((to - at(i)) / step);
            }
            next[k] = sum * width() / step;
        }
        return next;
    }

    private double at(int i) {
        return boundary * (2.0 * i / PARTS - 1);
    }

    private static double weight(int i) {
        return i == 0 || i == PARTS ? 1 : i % 2 == 1 ? 4 : 2;
    }

    private double width() {
        return 2 * boundary / PARTS / 3;
    }
}
