package io.phaseload.plan.check;

import io.phaseload.plan.journey.Condition.ConditionOperator;

/** The condition of a {@link ValueCheck}. */
public sealed interface Requirement {

    /** {@return the text to compare with; empty for a requirement without one} */
    default String text() {
        return "";
    }

    /** There is a value, which may be empty. */
    record Present() implements Requirement {
        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * The value contains a text.
     *
     * @param text not empty
     */
    record Contains(@Override String text) implements Requirement {
        @Override
        public String toString() {
            return "~" + CheckWord.quoted(text);
        }
    }

    /**
     * A regular expression (RE2 syntax, linear time) matches somewhere in the value.
     *
     * @param expression the regular expression; one that matches every text is rejected before a run
     */
    record Matches(String expression) implements Requirement {
        @Override
        public String toString() {
            return "~/" + expression + "/";
        }
    }

    /**
     * The value compares with a text: as numbers where both are numbers.
     *
     * @param operator never {@code DIFFERENT}, which is a negated {@code EQUAL}
     * @param text a text; for a status, a count, a size or a time a number with its unit
     */
    record Compares(ConditionOperator operator, @Override String text) implements Requirement {
        @Override
        public String toString() {
            return sign() + (CheckWord.isPlain(text) ? text : CheckWord.quoted(text));
        }

        private String sign() {
            return operator == ConditionOperator.EQUAL ? "=" : operator.toString();
        }
    }
}
