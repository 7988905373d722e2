package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.input.Secrets;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Requirement.Compares;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.Requirement.Present;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.ValueCheck;
import io.phaseload.plan.journey.Condition.ConditionOperator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first value of an expression meets a requirement.
 *
 * @param subject the value
 * @param values finds it
 * @param text the requirement's text with a session's values
 * @param meets compares the value with the text
 */
record ValueTest(
        Subject subject,
        ValueFinder values,
        Requirement requirement,
        @Nullable CompiledTemplate text,
        BiPredicate<String, String> meets)
        implements ResponseTest {

    static ValueTest of(ValueCheck check, @Nullable CompiledTemplate text) {
        return new ValueTest(
                check.subject(),
                new ValueFinder(check.subject().values().orElseThrow()),
                check.requirement(),
                text,
                meets(check.requirement()));
    }

    private static BiPredicate<String, String> meets(Requirement requirement) {
        if (requirement instanceof Compares compares) {
            return compares.operator()::holds;
        }
        if (requirement instanceof Matches matches) {
            Predicate<String> pattern = RegularExpression.of(matches);
            return (value, wanted) -> pattern.test(value);
        }
        return requirement instanceof Contains ? String::contains : (value, wanted) -> true;
    }

    @Override
    public TestResult find(Received response, @Nullable Session session, long serviceNanos) {
        byte[] body = ResponseTest.bytes(response);
        String value = values.first(response.head(), body);
        if (value == null) {
            return isMissing(body) ? TestResult.ABSENT : TestResult.FAILS;
        }
        String wanted = text == null || session == null ? requirement.text() : text.value(session);
        return meets.test(value, wanted) && !isOtherText(value, wanted, body) ? TestResult.HOLDS : TestResult.FAILS;
    }

    /** Whether there is nothing to look at: a check of a value's presence looks at the document or the header. */
    private boolean isMissing(byte[] body) {
        if (!(requirement instanceof Present)) {
            return true;
        }
        return switch (subject.kind()) {
            case JSON, JSONPATH -> !ValueFinder.isJson(body);
            case CSS, XPATH -> body.length == 0;
            default -> false;
        };
    }

    /** Whether two texts are equal only as numbers, and the value is a text. */
    private boolean isOtherText(String value, String wanted, byte[] body) {
        boolean equal = requirement instanceof Compares compares && compares.operator() == ConditionOperator.EQUAL;
        return equal && !value.equals(wanted) && values.isText(body);
    }

    @Override
    public String shown(Received response, @Nullable Session session, long serviceNanos) {
        String value = values.first(response.head(), ResponseTest.bytes(response));
        if (value == null && (subject.kind() == Subject.Kind.HEADER || subject.kind() == Subject.Kind.COOKIE)) {
            return "no value in the header";
        }
        if (value == null) {
            return "no value in: " + KeptBody.refused(response.body(), session);
        }
        return "found: "
                + (isSecret()
                        ? Secrets.REDACTED
                        : KeptBody.quoted(
                                value.getBytes(StandardCharsets.UTF_8),
                                session == null ? List.of() : session.secrets()));
    }

    /** Whether a name in its expression suggests a secret; a cookie always is. */
    private boolean isSecret() {
        return subject.kind() == Subject.Kind.COOKIE
                || Stream.of(subject.expression().split("[^A-Za-z0-9_-]+")).anyMatch(Secrets::isSecret);
    }
}
