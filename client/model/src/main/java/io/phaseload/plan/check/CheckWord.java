package io.phaseload.plan.check;

import java.util.regex.Pattern;

/** The texts and expressions of a {@link Check} as they are written: in quotes where they need them. */
final class CheckWord {

    static final Pattern PLAIN = Pattern.compile("[^'\"\\s]+");

    private CheckWord() {}

    /** A text as it is read again. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** Whether a text is read again without quotes. */
    static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches() && !text.startsWith("/");
    }

    /** Whether an expression is read again without quotes. */
    static boolean isPlainExpression(String expression) {
        return !expression.startsWith("'")
                && !expression.startsWith("\"")
                && expressionEnd(expression, 0) == expression.length();
    }

    /**
     * An expression without quotes ends at a blank or an operator outside of brackets. A {@code ~} before 0 or 1 is an
     * escape of a JSON Pointer.
     */
    static int expressionEnd(String text, int position) {
        int depth = 0;
        for (int at = position; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '[' || c == '(') {
                depth++;
            } else if (c == ']' || c == ')') {
                depth--;
            }
            boolean escape = c == '~'
                    && text.charAt(position) == '/'
                    && at + 1 < text.length()
                    && (text.charAt(at + 1) == '0' || text.charAt(at + 1) == '1');
            boolean operator = "=<>~".indexOf(c) >= 0 && !escape;
            boolean negated =
                    c == '!' && at + 1 < text.length() && (text.charAt(at + 1) == '=' || text.charAt(at + 1) == '~');
            if (depth <= 0 && (Character.isWhitespace(c) || operator || negated)) {
                return at;
            }
        }
        return text.length();
    }
}
