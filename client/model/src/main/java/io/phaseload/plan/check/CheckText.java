package io.phaseload.plan.check;

import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Requirement.Compares;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.Requirement.Present;
import io.phaseload.plan.journey.Condition.ConditionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@link Check}s, whose Javadoc has the grammar. */
final class CheckText {

    private static final Pattern SUBJECT = Pattern.compile("(warn:)?(not:)?(count:)?([a-z][a-z0-9]*)(:)?");
    private static final Pattern OPERATOR = Pattern.compile("(!=|!~|<=|>=|=|~|<|>)");
    private static final Pattern QUOTED = Pattern.compile("'([^']*+(?:''[^']*+)*+)'|\"([^\"]+)\"");
    private static final Pattern REGEX = Pattern.compile("/((?:[^/\\\\]|\\\\.|/(?!\\s|$))++)/(?=\\s|$)");
    private static final Pattern AS = Pattern.compile("\\s+as\\s+");
    private static final Pattern BLANKS = Pattern.compile("\\s+|$");
    private static final Pattern STATUSES = Pattern.compile("(?:[1-5]xx|[0-9]{3})(?:,(?:[1-5]xx|[0-9]{3})){0,99}");

    /** How earlier versions wrote a text with quotes. */
    private static final Pattern EARLIER = Pattern.compile("body~'(.+)'", Pattern.DOTALL);

    private static final String EXPECTED =
            "checks such as status=200, status<400, body~'alive', header:Content-Type~json,"
                    + " json:/items/0/id>0, time<300ms or body='alive' as 'a cause', with blanks"
                    + " between";

    private final String text;
    private int position;

    /** The place of a mistake: where the check begins, or a text of it. */
    private int mistake;

    private CheckText(String text) {
        this.text = text;
    }

    static List<Check> checks(String text) {
        return new CheckText(text).all();
    }

    static List<Check> written(String text) {
        try {
            return checks(text);
        } catch (IllegalArgumentException e) {
            Matcher earlier = EARLIER.matcher(text);
            if (earlier.matches()) {
                return List.of(new Check.BodyCheck(earlier.group(1), false));
            }
            throw e;
        }
    }

    /** Whether a regular expression between slashes is read again, and as nothing else. */
    static boolean isExpression(String expression) {
        CheckText alone = new CheckText("/" + expression + "/");
        return REGEX.matcher(alone.text).matches() && !alone.isTextWithMore();
    }

    /** Whether its first word may be a text that begins with a slash, since a name or a check follows it. */
    private boolean isTextWithMore() {
        if (take(CheckWord.PLAIN) == null || position == text.length()) {
            return false;
        }
        try {
            if (take(AS) != null) {
                someText();
            } else {
                take(BLANKS);
                check();
            }
            return take(BLANKS) != null;
        } catch (IllegalArgumentException nothingElse) {
            return false;
        }
    }

    private List<Check> all() {
        List<Check> checks = new ArrayList<>();
        position = text.length() - text.stripLeading().length();
        do {
            mistake = position;
            try {
                checks.add(check());
            } catch (ValueException e) {
                throw e.subject().isEmpty() ? wrong(e.expected(), mistake) : e;
            }
            if (take(BLANKS) == null) {
                throw wrong(EXPECTED, position);
            }
        } while (position < text.length());
        return checks;
    }

    private static ValueException wrong(String expected, int at) {
        return new ValueException("%s; found something else at character %d".formatted(expected, at + 1));
    }

    private Check check() {
        Matcher prefix = take(SUBJECT);
        if (prefix == null) {
            throw new ValueException(EXPECTED);
        }
        Subject.Kind kind =
                Subject.kind(String.valueOf(prefix.group(4))).orElseThrow(() -> new ValueException(EXPECTED));
        boolean counted = prefix.group(3) != null;
        Check check = condition(new Subject(kind, prefix.group(5) == null ? "" : expression(), counted));
        if (prefix.group(2) != null) {
            check = new Check.Negated(check);
        }
        if (take(AS) != null) {
            check = new Check.Named(check, someText());
        }
        return prefix.group(1) == null ? check : new Check.Soft(check);
    }

    private Check condition(Subject subject) {
        Matcher operator = take(OPERATOR);
        if (operator == null) {
            return new ValueCheck(subject, new Present());
        }
        String sign = operator.group(1);
        boolean negated = sign.startsWith("!");
        Check check = compared(subject, negated ? sign.substring(1) : sign);
        return negated ? new Check.Negated(check) : check;
    }

    private Check compared(Subject subject, String sign) {
        Matcher regex = sign.equals("~") ? take(REGEX) : null;
        if (regex != null) {
            return new ValueCheck(subject, new Matches(regex.group(1)));
        }
        String wanted = someText();
        boolean equal = sign.equals("=");
        if (subject.kind() == Subject.Kind.STATUS && equal) {
            if (!STATUSES.matcher(wanted).matches()) {
                throw new ValueException("a status such as 200 or 2xx");
            }
            return Check.StatusIs.parse(wanted);
        }
        if (subject.kind() == Subject.Kind.BODY && (equal || sign.equals("~"))) {
            return new Check.BodyCheck(wanted, equal);
        }
        return new ValueCheck(subject, sign.equals("~") ? new Contains(wanted) : new Compares(operator(sign), wanted));
    }

    private static ConditionOperator operator(String sign) {
        return switch (sign) {
            case "=" -> ConditionOperator.EQUAL;
            case "<" -> ConditionOperator.LESS;
            case "<=" -> ConditionOperator.AT_MOST;
            case ">" -> ConditionOperator.GREATER;
            default -> ConditionOperator.AT_LEAST;
        };
    }

    private String expression() {
        Optional<String> quoted = quotedText();
        if (quoted.isPresent()) {
            return quoted.get();
        }
        int end = CheckWord.expressionEnd(text, position);
        String expression = text.substring(position, end);
        position = end;
        return expression;
    }

    private String someText() {
        Optional<String> quoted = quotedText();
        if (quoted.isPresent()) {
            return quoted.get();
        }
        Matcher word = take(CheckWord.PLAIN);
        if (word == null) {
            mistake = position;
            throw new ValueException("a text");
        }
        return word.group();
    }

    private Optional<String> quotedText() {
        Matcher quoted = take(QUOTED);
        if (quoted == null) {
            return Optional.empty();
        }
        return Optional.of(
                quoted.group(1) == null ? quoted.group(2) : quoted.group(1).replace("''", "'"));
    }

    /** Moves past what matches here; {@code null} if it doesn't match, and nothing moves. */
    private @Nullable Matcher take(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(position, text.length());
        if (!matcher.lookingAt()) {
            return null;
        }
        position = matcher.end();
        return matcher;
    }
}
