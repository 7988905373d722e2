package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Session;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Check.BodyCheck;
import io.phaseload.plan.check.Check.StatusIs;
import io.phaseload.plan.check.ValueCheck;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A check, prepared to be asked of many responses. Immutable, and shared by all users. */
interface ResponseTest {

    /** The relation of a response to a check. */
    enum TestResult {
        /** The condition holds. */
        HOLDS,
        /** There is a value or a body, and the condition doesn't hold. */
        FAILS,
        /** There is no value or no body that the condition could hold for. */
        ABSENT,
        /** The body is longer than its kept part, which alone doesn't decide. */
        CUT;

        /** {@return true if the opposite holds; a body that was cut off proves neither} */
        boolean opposite() {
            return this == FAILS || this == ABSENT;
        }
    }

    /**
     * Looks at a response.
     *
     * @param response the complete response
     * @param session fills in the check's text; {@code null} without values
     * @param serviceNanos the time from sending the request to the response's last byte
     */
    TestResult find(Received response, @Nullable Session session, long serviceNanos);

    /**
     * {@return the value that a failure quotes, without the session's secrets}
     *
     * @param serviceNanos the time from sending the request to the response's last byte
     */
    String shown(Received response, @Nullable Session session, long serviceNanos);

    /**
     * Prepares a check.
     *
     * @param check without a name, not negated, not soft
     * @param text its text with a session's values; {@code null} if it is the same each time
     * @throws IllegalArgumentException if its expression isn't valid, its file can't be read, or the libraries for it
     *     aren't on the class path
     */
    static ResponseTest of(Check check, @Nullable CompiledTemplate text) {
        if (check instanceof StatusIs status) {
            return new StatusTest(status);
        }
        if (check instanceof BodyCheck body) {
            return new BodyTest(body.text(), text, body.whole());
        }
        ValueCheck value = (ValueCheck) check;
        if (value.limit().isPresent()) {
            return NumberTest.of(value);
        }
        return value.subject().values().isPresent() ? ValueTest.of(value, text) : WholeTest.of(value);
    }

    /**
     * The status is one of several.
     *
     * @param wanted the allowed ones
     */
    record StatusTest(StatusIs wanted) implements ResponseTest {
        @Override
        public TestResult find(Received response, @Nullable Session session, long serviceNanos) {
            return wanted.allows(response.status()) ? TestResult.HOLDS : TestResult.FAILS;
        }

        @Override
        public String shown(Received response, @Nullable Session session, long serviceNanos) {
            return "status " + response.status();
        }
    }

    /**
     * The body contains a text, or is that text.
     *
     * @param wanted the text without a session
     * @param text the text with a session's values
     * @param whole true if the body is that text
     */
    record BodyTest(String wanted, @Nullable CompiledTemplate text, boolean whole) implements ResponseTest {
        @Override
        public TestResult find(Received response, @Nullable Session session, long serviceNanos) {
            String expected = text == null || session == null ? wanted : text.value(session);
            String body = string(response);
            if (whole ? body.equals(expected) : body.contains(expected)) {
                return TestResult.HOLDS;
            }
            return body.isEmpty() ? TestResult.ABSENT : TestResult.FAILS;
        }

        @Override
        public String shown(Received response, @Nullable Session session, long serviceNanos) {
            return KeptBody.refused(response.body(), session);
        }
    }

    /** {@return the kept part of a body; empty without a body} */
    static byte[] bytes(Received response) {
        return response.body() == null ? new byte[0] : response.body().toByteArray();
    }

    private static String string(Received response) {
        return response.body() == null ? "" : response.body().toString(StandardCharsets.UTF_8);
    }
}
