package io.phaseload.plan.check;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * A condition on a figure that a run must meet to pass. Its text, as {@link #parse} reads it and {@link #toString}
 * writes it:
 *
 * <pre>
 * threshold = [ scope ":" ] figure operator value [ "abort" ]
 * scope     = phase [ "/" operation ] | "*" "/" operation
 * figure    = [ "slip" | "first-event" | "first-output" | "event-gap" | "event-delivery" ]
 *             ( "mean" | "min" | "p50" | … | "p99.99" | "max" )
 *           | "failures" | "rps" | "requests" | "resent"
 * operator  = "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 * value     = a time such as 250ms of a mean, percentile …; 1% or 5 of failures;
 *             500 or 500/s of rps; 1000 of requests; 1 of resent
 * </pre>
 *
 * <p>So {@code peak: p99 < 250ms}, {@code peak/GET /: failures < 1%}, {@code rps > 500}, {@code p95 < 1s abort}.
 * Without a phase it is about the {@linkplain io.phaseload.plan.Phase#measured measured phases}.
 *
 * @param phase the phase that it is about; empty for the measured phases
 * @param operation the name of the operation, the journey or the group of steps that it is about; empty for all
 *     operations together
 * @param figure the figure to compare
 * @param operator the operator
 * @param limit the limit, in its unit: 0 or more
 * @param unit of the limit; one that the figure can have
 * @param abort true if the run ends as soon as it doesn't hold over 10 s
 */
public record Threshold(
        Optional<String> phase,
        Optional<String> operation,
        Figure figure,
        Operator operator,
        BigDecimal limit,
        Unit unit,
        boolean abort) {

    private static final BigDecimal ALL_PERCENT = BigDecimal.valueOf(100);

    /** How a figure is compared with its limit. */
    public enum Operator {
        /** Below. */
        LESS("<"),
        /** At most. */
        AT_MOST("<="),
        /** Above. */
        GREATER(">"),
        /** At least. */
        AT_LEAST(">=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /**
         * Compares.
         *
         * @param limit in the same unit
         * @return true if the figure meets the limit
         */
        public boolean holds(double observed, double limit) {
            return switch (this) {
                case LESS -> observed < limit;
                case AT_MOST -> observed <= limit;
                case GREATER -> observed > limit;
                case AT_LEAST -> observed >= limit;
            };
        }

        /** {@return {@code true} for {@code <} and {@code <=}} */
        public boolean isUpperLimit() {
            return this == LESS || this == AT_MOST;
        }

        @Override
        public String toString() {
            return sign;
        }
    }

    /** The unit of a limit. */
    public enum Unit {
        /** Microseconds. */
        US("us", 1e-3),
        /** Milliseconds. */
        MS("ms", 1),
        /** Seconds. */
        S("s", 1e3),
        /** Minutes. */
        M("m", 60e3),
        /** Percent of requests. */
        PERCENT("%", 1),
        /** Requests per second; the unit may be left out. */
        PER_SECOND("/s", 1),
        /** Requests, or requests a second. */
        ONE("", 1);

        private final String text;
        private final double factor;

        Unit(String text, double factor) {
            this.text = text;
            this.factor = factor;
        }

        private boolean isOf(Figure figure) {
            return switch (this) {
                case US, MS, S, M -> figure instanceof Figure.Time;
                case PERCENT -> figure == Figure.Count.FAILURES;
                case PER_SECOND -> figure == Figure.Count.RPS;
                case ONE -> figure instanceof Figure.Count;
            };
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Checks that the parts go together.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Threshold {
        limit = limit.stripTrailingZeros();
        if (!unit.isOf(figure)) {
            throw new IllegalArgumentException("%s %s%s: expected another unit".formatted(figure, limit, unit));
        }
        if (limit.signum() < 0 || (unit == Unit.PERCENT && limit.compareTo(ALL_PERCENT) > 0)) {
            throw new IllegalArgumentException(
                    "%s %s%s: expected 0 or more, at most 100%%".formatted(figure, limit, unit));
        }
        if (abort && figure == Figure.Count.REQUESTS) {
            throw new IllegalArgumentException(
                    "requests: expected no abort, since their number is known only at the end");
        }
    }

    /**
     * Reads a threshold.
     *
     * @param text see above
     * @throws IllegalArgumentException with a message that begins with "expected" and points at the character
     */
    public static Threshold parse(String text) {
        return new ThresholdText(text).threshold();
    }

    /** {@return the limit in the unit of its figure: milliseconds for times, else the number itself} */
    public double limitValue() {
        return limit.doubleValue() * unit.factor;
    }

    /**
     * The phases that it is about.
     *
     * @param measured names of the measured phases
     * @return the one that it names, or else all measured phases
     */
    public List<String> phases(List<String> measured) {
        return phase.map(List::of).orElse(measured);
    }

    /**
     * This threshold about an operation.
     *
     * @param name the operation's
     * @return a copy
     */
    public Threshold withOperation(String name) {
        return new Threshold(phase, Optional.of(name), figure, operator, limit, unit, abort);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        String scope = operation
                .map(name -> phase.orElse("*") + "/" + name + ": ")
                .orElse(phase.map(name -> name + ": ").orElse(""));
        return scope + figure + " " + operator + " " + limit.toPlainString() + unit + (abort ? " abort" : "");
    }
}
