package io.phaseload.plan.check;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Requirement.Compares;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.Requirement.Present;
import io.phaseload.plan.journey.Condition.ConditionOperator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A condition on a value of a response, such as {@code json:/items/0/id>0} or {@code time<300ms}.
 *
 * @param subject the value
 * @param requirement its condition
 */
public record ValueCheck(Subject subject, Requirement requirement) implements Check {

    private static final Pattern BYTES = Pattern.compile("([0-9a-fA-F]{2})+");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");
    private static final int LEAST_STATUS = 100;
    private static final int MOST_STATUS = 599;

    /**
     * Checks that the two go together, and that the check can hold as well as fail.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public ValueCheck {
        if (requirement instanceof Matches matches && !CheckText.isExpression(matches.expression())) {
            throw new ValueException(
                    "quotes around a text that begins with /, and \\s instead of blanks in a regular expression");
        }
        if (requirement instanceof Compares compares && compares.operator() == ConditionOperator.DIFFERENT) {
            throw new ValueException("a negated check in place of !=");
        }
        if (isNumber(subject)) {
            checkLimit(subject, requirement);
        } else {
            checkText(subject.kind(), requirement);
        }
    }

    private static boolean isNumber(Subject subject) {
        return subject.counted()
                || switch (subject.kind()) {
                    case STATUS, TIME, SIZE -> true;
                    default -> false;
                };
    }

    private static void checkLimit(Subject subject, Requirement requirement) {
        if (!(requirement instanceof Compares compares)) {
            throw new ValueException("=, !=, <, <=, > or >= and a number after " + subject);
        }
        boolean status = !subject.counted() && subject.kind() == Subject.Kind.STATUS;
        long limit = limit(subject, compares.text());
        long least = status ? LEAST_STATUS : 0;
        long most = status ? MOST_STATUS : Long.MAX_VALUE;
        boolean ofLeast = compares.operator().holds(least, limit);
        boolean ofMost = compares.operator().holds(most, limit);
        boolean always = ofLeast && ofMost;
        boolean within = compares.operator() == ConditionOperator.EQUAL && limit >= least && limit <= most;
        if (always || !ofLeast && !ofMost && !within) {
            throw new ValueException("a check that can hold and fail: %s%s %s holds"
                    .formatted(subject, compares, always ? "always" : "never"));
        }
        if (subject.kind() == Subject.Kind.TIME && compares.operator() == ConditionOperator.EQUAL) {
            throw new ValueException("<, <=, > or >= after time");
        }
    }

    private static void checkText(Subject.Kind kind, Requirement requirement) {
        boolean equal = requirement instanceof Compares compares && compares.operator() == ConditionOperator.EQUAL;
        switch (kind) {
            case BODY -> require(requirement instanceof Matches, "=, ~ or ~/regex/ and a text, after body");
            case SCHEMA -> require(requirement instanceof Present, "nothing after schema:file");
            case TYPE -> require(equal, "= and a media type such as json or text/html, after type");
            case SHA256 -> require(
                    equal && DIGEST.matcher(requirement.text()).matches(), "= and 64 hexadecimal digits after sha256");
            case BYTES -> require(
                    (equal || requirement instanceof Contains)
                            && BYTES.matcher(requirement.text()).matches(),
                    "= or ~ and pairs of hexadecimal digits after bytes");
            default -> {
                if (requirement instanceof Contains contains) {
                    Args.notBlank("check", contains.text());
                }
            }
        }
    }

    private static void require(boolean condition, String expected) {
        if (!condition) {
            throw new ValueException(expected);
        }
    }

    /**
     * The limit of a number: a status, a count, bytes, or nanoseconds.
     *
     * @return empty for a check of a text
     */
    public Optional<Long> limit() {
        return isNumber(subject) ? Optional.of(limit(subject, requirement.text())) : Optional.empty();
    }

    private static long limit(Subject subject, String text) {
        if (subject.counted() || subject.kind() == Subject.Kind.STATUS) {
            return Quantities.parseCount(text, 0);
        }
        return subject.kind() == Subject.Kind.SIZE
                ? Quantities.parseSize(text, 0)
                : Quantities.parseDuration(text, true).toNanos();
    }

    @Override
    public boolean ofStatus() {
        return subject.kind() == Subject.Kind.STATUS;
    }

    @Override
    public boolean ofHead() {
        return subject.kind().ofHead();
    }

    @Override
    public boolean ofBody() {
        return subject.kind().ofBody();
    }

    @Override
    public Optional<String> template() {
        boolean values = subject.values().isPresent() && !subject.counted();
        return values && !(requirement instanceof Matches) && !(requirement instanceof Present)
                ? Optional.of(requirement.text())
                : Optional.empty();
    }

    @Override
    public Check withTemplate(String text) {
        if (template().isEmpty()) {
            return this;
        }
        Requirement other =
                requirement instanceof Compares compares ? new Compares(compares.operator(), text) : new Contains(text);
        return new ValueCheck(subject, other);
    }

    @Override
    public String toString() {
        return subject.toString() + requirement;
    }

    @Override
    public String negated() {
        String sign = requirement.toString();
        return sign.startsWith("=") || sign.startsWith("~") ? subject + "!" + sign : "not:" + this;
    }
}
