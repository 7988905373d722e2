package io.phaseload.plan.check;

import io.phaseload.options.ValueException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A condition on a figure that a run must meet to pass. Its text, as {@link #parse} reads it and {@link #toString}
 * writes it:
 *
 * <pre>
 * threshold = [ scope ":" ] figure [ of ] operator ( value | [ number "x" ] figure of ) [ "abort" ]
 * scope     = phase [ "/" operation ] | "*" "/" operation
 * of        = "of" '"' operation '"'
 * figure    = [ "slip" | "first-event" | "first-output" | "event-gap" | "event-delivery" ]
 *             ( "mean" | "min" | "p50" | … | "p99.99" | "max" )
 *           | "failures" | "rps" | "requests" | "resent"
 *           | ( "server." | "client." ) name [ "mean" | "max" ]
 *           | "slope" figure
 * operator  = "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 * value     = a time such as 250ms of a mean, percentile …; 1% or 5 of failures;
 *             500 or 500/s of rps; 1000 of requests; 1 of resent;
 *             80%, 500MB, 20ms, 100/s or 100 of what a server reports; 1%/h, 5MB/h, -2ms/min or 10/d of slopes
 * </pre>
 *
 * <p>So {@code peak: p99 < 250ms}, {@code peak/GET /: failures < 1%}, {@code rps > 500}, {@code p95 < 1s abort},
 * {@code server.cpu < 80%}, {@code slope server.heap < 5MB/h}, {@code p99 of "GET /a" < 2 x p99 of "GET /b"}. Without a
 * phase it is about the {@linkplain io.phaseload.plan.Phase#measured measured phases}.
 *
 * @param phase the phase that it is about; empty for the measured phases
 * @param operation the name of the operation, the journey or the group of steps that it is about; empty for all
 *     operations together
 * @param figure the figure to compare
 * @param operator the operator
 * @param limit the limit, in its unit: 0 or more, unless it is about a slope
 * @param unit of the limit; one that the figure can have
 * @param abort true if the run ends as soon as it doesn't hold over 10 s
 * @param other the figure of another operation, if that times {@code limit} is the limit
 */
public record Threshold(
        Optional<String> phase,
        Optional<String> operation,
        Figure figure,
        Operator operator,
        BigDecimal limit,
        Unit unit,
        boolean abort,
        Optional<Other> other) {

    /**
     * The figure that another one is compared with.
     *
     * @param figure a time or a rate
     * @param operation the name of its operation, journey or group of steps
     */
    public record Other(Figure figure, String operation) {

        @Override
        public String toString() {
            return figure + of(operation);
        }
    }

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
        ONE("", 1),
        /** Thousand bytes. */
        KB("KB", 1e3 / (1 << 20)),
        /** Million bytes. */
        MB("MB", 1e6 / (1 << 20)),
        /** Billion bytes. */
        GB("GB", 1e9 / (1 << 20)),
        /** 2²⁰ bytes. */
        MIB("MiB", 1),
        /** 2³⁰ bytes. */
        GIB("GiB", 1 << 10),
        /** Times another figure. */
        TIMES(" x", 1);

        private final String text;
        private final double factor;

        Unit(String text, double factor) {
            this.text = text;
            this.factor = factor;
        }

        private boolean isOf(Figure figure) {
            if (figure instanceof Figure.Slope slope) {
                return slope.of() instanceof Figure.Count count
                        ? count == Figure.Count.RPS && (this == ONE || this == PERCENT)
                                || count == Figure.Count.FAILURES && this == PERCENT
                        : this == PERCENT || isOf(slope.of());
            }
            if (figure instanceof Figure.Reported) {
                return this != TIMES;
            }
            return switch (this) {
                case US, MS, S, M -> figure instanceof Figure.Time;
                case PERCENT -> figure == Figure.Count.FAILURES;
                case PER_SECOND -> figure == Figure.Count.RPS;
                case ONE -> figure instanceof Figure.Count;
                default -> false;
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
        boolean slope = figure instanceof Figure.Slope;
        if (other.isPresent()
                ? unit != Unit.TIMES || !isPositive(figure) || !isPositive(other.get().figure) || operation.isEmpty()
                : !unit.isOf(figure)) {
            throw new ValueException("%s %s%s".formatted(figure, limit, unit), "another unit");
        }
        boolean percent = unit == Unit.PERCENT && figure == Figure.Count.FAILURES;
        if (!slope && (limit.signum() < 0 || (percent && limit.compareTo(ALL_PERCENT) > 0))) {
            throw new ValueException("%s %s%s".formatted(figure, limit, unit), "0 or more, at most 100%");
        }
        if (abort && !mayAbort(figure, other)) {
            throw new ValueException(figure.toString(), "no abort, since it is known only at the end");
        }
    }

    /** A threshold without another figure. */
    public Threshold(
            Optional<String> phase,
            Optional<String> operation,
            Figure figure,
            Operator operator,
            BigDecimal limit,
            Unit unit,
            boolean abort) {
        this(phase, operation, figure, operator, limit, unit, abort, Optional.empty());
    }

    /** Whether ten seconds have it. */
    static boolean mayAbort(Figure figure, Optional<Other> other) {
        return other.isEmpty()
                && (figure instanceof Figure.Time || figure instanceof Figure.Count && figure != Figure.Count.REQUESTS);
    }

    private static boolean isPositive(Figure figure) {
        return figure instanceof Figure.Time || figure == Figure.Count.RPS;
    }

    private static String of(String operation) {
        return " of \"" + operation + "\"";
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
     * This threshold with other names of its operations.
     *
     * @param names gives the name for each
     * @return a copy
     */
    public Threshold withNames(UnaryOperator<String> names) {
        return new Threshold(
                phase,
                operation.map(names),
                figure,
                operator,
                limit,
                unit,
                abort,
                other.map(of -> new Other(of.figure, names.apply(of.operation))));
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        String scope = phase.map(name -> name + ": ").orElse("");
        if (other.isPresent()) {
            return scope + figure + operation.map(Threshold::of).orElse("") + " " + operator + " "
                    + limit.toPlainString() + unit + " " + other.get();
        }
        String named =
                operation.map(name -> phase.orElse("*") + "/" + name + ": ").orElse(scope);
        String per = figure instanceof Figure.Slope slope ? slope.per().toString() : "";
        return named + figure + " " + operator + " " + limit.toPlainString() + unit + per + (abort ? " abort" : "");
    }
}
