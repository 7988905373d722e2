package io.phaseload.plan.journey;

import io.phaseload.options.ValueException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether steps are run: two templates and how they compare, such as <code>{id} != ''</code>. Quotes around a side are
 * no part of it. Numbers are compared as numbers where both sides are some, else {@code <} and the like don't hold.
 *
 * @param left one side
 * @param operator the comparison
 * @param right the other side
 */
public record Condition(Template left, ConditionOperator operator, Template right) {

    /** How two texts compare. */
    public enum ConditionOperator {
        /** The same text, or the same number. */
        EQUAL("=="),
        /** Neither. */
        DIFFERENT("!="),
        /** At most as great. */
        AT_MOST("<="),
        /** At least as great. */
        AT_LEAST(">="),
        /** Smaller. */
        LESS("<"),
        /** Greater. */
        GREATER(">");

        private final String sign;

        ConditionOperator(String sign) {
            this.sign = sign;
        }

        /**
         * Compares two texts: as numbers where both are numbers.
         *
         * @param left one side
         * @param right the other side
         * @return true if it holds; {@code false} for an order of texts
         */
        public boolean holds(String left, String right) {
            boolean numbers =
                    NUMBER.matcher(left).matches() && NUMBER.matcher(right).matches();
            int order = numbers ? new BigDecimal(left).compareTo(new BigDecimal(right)) : 0;
            boolean same = numbers ? order == 0 : left.equals(right);
            return switch (this) {
                case EQUAL -> same;
                case DIFFERENT -> !same;
                default -> numbers && holds(order);
            };
        }

        /**
         * Compares two whole numbers.
         *
         * @param left one side
         * @param right the other side
         * @return true if it holds
         */
        public boolean holds(long left, long right) {
            return holds(Long.compare(left, right));
        }

        private boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case DIFFERENT -> order != 0;
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case GREATER -> order > 0;
                case AT_LEAST -> order >= 0;
            };
        }

        @Override
        public String toString() {
            return sign;
        }
    }

    private static final Pattern TEXT = Pattern.compile("\\s*(.*?)\\s*(==|!=|<=|>=|<|>)\\s*(.*?)\\s*", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?");

    /**
     * Reads a condition.
     *
     * @param text such as <code>{count} &gt; 0</code>
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    public static Condition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new ValueException("two sides with ==, !=, <, <=, > or >= between them, such as {id} != ''");
        }
        ConditionOperator operator = Arrays.stream(ConditionOperator.values())
                .filter(known -> known.sign.equals(matcher.group(2)))
                .findFirst()
                .orElseThrow();
        return new Condition(
                Template.parse(unquoted(matcher.group(1))), operator, Template.parse(unquoted(matcher.group(3))));
    }

    private static String unquoted(String side) {
        boolean quoted = side.length() > 1
                && (side.charAt(0) == '\'' || side.charAt(0) == '"')
                && side.charAt(side.length() - 1) == side.charAt(0);
        return quoted ? side.substring(1, side.length() - 1) : side;
    }

    /**
     * Whether it holds.
     *
     * @param leftValue the value of the left side
     * @param rightValue the value of the right side
     */
    public boolean holds(String leftValue, String rightValue) {
        return operator.holds(leftValue, rightValue);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return "'" + left + "' " + operator + " '" + right + "'";
    }
}
