package io.phaseload.plan.journey;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether steps are run: two templates and how they compare, such as <code>{id} != ''</code>.
 * Quotes around a side are no part of it. Numbers are compared as numbers where both sides are
 * some, else {@code <} and the like don't hold.
 *
 * @param left one side
 * @param operator how they compare
 * @param right the other side
 */
public record Condition(Template left, Operator operator, Template right) {

    /** How two texts compare. */
    public enum Operator {
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

        Operator(String sign) {
            this.sign = sign;
        }

        @Override
        public String toString() {
            return sign;
        }
    }

    private static final Pattern TEXT =
            Pattern.compile("\\s*(.*?)\\s*(==|!=|<=|>=|<|>)\\s*(.*?)\\s*", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?");

    /**
     * Reads a condition.
     *
     * @param text such as <code>{count} &gt; 0</code>
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    public static Condition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected two sides with ==, !=, <, <=, > or >= between them, such as"
                            + " {id} != ''");
        }
        Operator operator =
                Arrays.stream(Operator.values())
                        .filter(known -> known.sign.equals(matcher.group(2)))
                        .findFirst()
                        .orElseThrow();
        return new Condition(
                Template.parse(unquoted(matcher.group(1))),
                operator,
                Template.parse(unquoted(matcher.group(3))));
    }

    private static String unquoted(String side) {
        boolean quoted =
                side.length() > 1
                        && (side.charAt(0) == '\'' || side.charAt(0) == '"')
                        && side.charAt(side.length() - 1) == side.charAt(0);
        return quoted ? side.substring(1, side.length() - 1) : side;
    }

    /**
     * Whether it holds.
     *
     * @param leftValue what the left side came to
     * @param rightValue what the right side came to
     */
    public boolean holds(String leftValue, String rightValue) {
        boolean numbers =
                NUMBER.matcher(leftValue).matches() && NUMBER.matcher(rightValue).matches();
        int order = numbers ? new BigDecimal(leftValue).compareTo(new BigDecimal(rightValue)) : 0;
        boolean same = numbers ? order == 0 : leftValue.equals(rightValue);
        return switch (operator) {
            case EQUAL -> same;
            case DIFFERENT -> !same;
            case LESS -> numbers && order < 0;
            case AT_MOST -> numbers && order <= 0;
            case GREATER -> numbers && order > 0;
            case AT_LEAST -> numbers && order >= 0;
        };
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return "'" + left + "' " + operator + " '" + right + "'";
    }
}
