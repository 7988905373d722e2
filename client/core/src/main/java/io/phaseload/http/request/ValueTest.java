package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.ContentReader;
import io.phaseload.journey.Session;
import io.phaseload.journey.Text;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Requirement.Compares;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.ValueCheck;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The first value of an expression meets a requirement.
 *
 * @param values finds it
 * @param wanted the text without a session
 * @param text the text with a session's values
 * @param meets compares the value with the text
 */
record ValueTest(ValueFinder values, String wanted, @Nullable Text text, BiPredicate<String, String> meets)
        implements ResponseTest {

    static ValueTest of(ValueCheck check, @Nullable Text text) {
        return new ValueTest(
                new ValueFinder(check.subject().values().orElseThrow()),
                check.template().orElse(""),
                text,
                meets(check.requirement()));
    }

    private static BiPredicate<String, String> meets(Requirement requirement) {
        if (requirement instanceof Compares compares) {
            return compares.operator()::holds;
        }
        if (requirement instanceof Matches matches) {
            Predicate<String> pattern = ContentReader.required().pattern(matches.expression());
            return (value, wanted) -> pattern.test(value);
        }
        return requirement instanceof Contains ? String::contains : (value, wanted) -> true;
    }

    @Override
    public boolean holds(Received response, @Nullable Session session, long sentNanos) {
        String value = values.first(response.head(), ResponseTest.bytes(response));
        return value != null && meets.test(value, text == null || session == null ? wanted : text.value(session));
    }

    @Override
    public String shown(Received response, @Nullable Session session) {
        String value = values.first(response.head(), ResponseTest.bytes(response));
        return value == null
                ? "no value in: " + KeptBody.quoted(response.body(), session)
                : "found: "
                        + KeptBody.quoted(
                                value.getBytes(StandardCharsets.UTF_8),
                                session == null ? List.of() : session.secrets());
    }
}
