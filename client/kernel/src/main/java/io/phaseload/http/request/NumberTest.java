package io.phaseload.http.request;

import io.phaseload.http.response.Received;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.ValueCheck;
import io.phaseload.plan.journey.Condition.ConditionOperator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A number of a response keeps a limit: its status, its time in nanoseconds, its size in bytes, or the count of its
 * values.
 *
 * @param subject the number
 * @param values finds the values that are counted; {@code null} for other numbers
 * @param operator the comparison
 * @param limit the number to compare with
 */
record NumberTest(Subject subject, @Nullable ValueFinder values, ConditionOperator operator, long limit)
        implements ResponseTest {

    static NumberTest of(ValueCheck check) {
        Subject subject = check.subject();
        return new NumberTest(
                subject,
                subject.counted() ? new ValueFinder(subject.values().orElseThrow()) : null,
                ((Requirement.Compares) check.requirement()).operator(),
                check.limit().orElseThrow());
    }

    @Override
    public TestResult find(Received response, @Nullable Session session, long serviceNanos) {
        long number = number(response, serviceNanos);
        if (number == Received.UNKNOWN) {
            return TestResult.CUT;
        }
        return operator.holds(number, limit) ? TestResult.HOLDS : TestResult.FAILS;
    }

    private long number(Received response, long serviceNanos) {
        if (values != null) {
            return values.all(response.head(), ResponseTest.bytes(response)).size();
        }
        return switch (subject.kind()) {
            case TIME -> serviceNanos;
            case SIZE -> response.bodyBytes();
            default -> response.status();
        };
    }

    @Override
    public String shown(Received response, @Nullable Session session, long serviceNanos) {
        long number = number(response, serviceNanos);
        if (number == Received.UNKNOWN) {
            return "only the first MiB of the encoded body is kept";
        }
        if (subject.kind() == Subject.Kind.TIME) {
            return String.format(Locale.ROOT, "time %.3f ms", number / 1e6);
        }
        String name = subject.counted() ? "count" : subject.kind().name().toLowerCase(Locale.ROOT);
        return name + " " + number;
    }
}
