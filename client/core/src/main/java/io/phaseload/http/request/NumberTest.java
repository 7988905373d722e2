package io.phaseload.http.request;

import io.phaseload.http.response.Received;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.ValueCheck;
import io.phaseload.plan.journey.Condition.Operator;
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
record NumberTest(Subject subject, @Nullable ValueFinder values, Operator operator, long limit)
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
    public boolean holds(Received response, @Nullable Session session, long sentNanos) {
        long number = subject.kind() == Subject.Kind.TIME ? System.nanoTime() - sentNanos : number(response);
        return operator.holds(number, limit);
    }

    private long number(Received response) {
        if (values != null) {
            return values.all(response.head(), ResponseTest.bytes(response)).size();
        }
        return subject.kind() == Subject.Kind.SIZE ? response.bodyBytes() : response.status();
    }

    @Override
    public String shown(Received response, @Nullable Session session) {
        if (subject.kind() == Subject.Kind.TIME) {
            return "";
        }
        String name = subject.counted() ? "count" : subject.kind().name().toLowerCase(Locale.ROOT);
        return name + " " + number(response);
    }
}
