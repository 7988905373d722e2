package io.phaseload.http.request;

import io.phaseload.http.response.ContentCoding;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.Received;
import io.phaseload.input.Secrets;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.NotFollowedException;
import io.phaseload.journey.Response;
import io.phaseload.journey.Session;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.journey.SessionRules;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says how an operation's requests ended, by their complete responses. Immutable, and shared by all users. */
final class ResponseJudge {

    private final String name;
    private final ResponseChecks checks;
    private final BodyMetrics metrics;
    private final boolean ofBody;

    /**
     * The judge of an operation.
     *
     * @param checks the operation's, or those of a step
     */
    ResponseJudge(Operation operation, ResponseChecks checks) {
        name = operation.name();
        this.checks = checks;
        metrics = new BodyMetrics(operation.metrics());
        ofBody = !metrics.isEmpty() || checks.ofBody();
    }

    /** {@return true if a check or a metric reads the body} */
    boolean ofBody() {
        return ofBody;
    }

    /** {@return true if a check reads the length of a body, which a session's rules may decode} */
    boolean ofSize() {
        return checks.ofSize();
    }

    /** {@return true if a check reads the header} */
    boolean ofHead() {
        return checks.ofHead();
    }

    /** As {@link PreparedRequest#judge}. */
    Outcome judge(PreparedRequest sent, Received response, long serviceNanos) {
        Session session = sent.session();
        Outcome outcome = session != null && session.rules() != SessionRules.NONE
                ? answered(sent, session, response, serviceNanos)
                : settled(sent, response, serviceNanos);
        return response.retryAfter() >= 0 && outcome instanceof Outcome.HttpFailure refused
                ? refused.retryAfter(response.retryAfter())
                : outcome;
    }

    /** The session reads it first. */
    private Outcome answered(PreparedRequest sent, Session session, Received response, long serviceNanos) {
        try {
            String path = sent.path();
            byte[] head = response.head();
            if (session.answered(sent.method(), path, response.status(), head)) {
                return Outcome.SUCCESS;
            }
            ContentCoding.DecodedBody content = ContentCoding.decoded(response, checks.ofSize());
            Response whole = new Response(response.status(), head, content.kept(), content.bytes());
            Response seen = session.settled(sent.method(), path, whole);
            return settled(sent, new SettledResponse(seen, response), serviceNanos);
        } catch (NotFollowedException e) {
            return new Outcome.NotFollowed(
                    String.valueOf(e.getMessage()), Secrets.redactValues(e.detail(), sent.secrets()));
        } catch (MalformedException e) {
            return new Outcome.MalformedResponse(String.valueOf(e.getMessage()));
        }
    }

    private Outcome settled(PreparedRequest sent, Received response, long serviceNanos) {
        Outcome outcome = checked(sent, response, serviceNanos);
        return !sent.extractors().isEmpty() && outcome instanceof Outcome.Success
                ? taken(sent, outcome, response.head(), response.body())
                : outcome;
    }

    private Outcome checked(PreparedRequest sent, Received response, long serviceNanos) {
        Outcome outcome = checks.outcome(response, sent.session(), serviceNanos);
        if (!(outcome instanceof Outcome.Success success)) {
            return outcome;
        }
        if (sent.events() != null && !(sent.events().outcome() instanceof Outcome.Success)) {
            return sent.events().outcome();
        }
        return metrics.isEmpty() ? success : measured(sent, response.body(), success);
    }

    private Outcome measured(PreparedRequest sent, @Nullable ByteArrayOutputStream body, Outcome.Success success) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        Metric missing = body == null ? null : metrics.read(body.toByteArray(), values);
        return missing == null
                ? new Outcome.Success(values, success.warnings(), success.unchecked())
                : new Outcome.CheckFailure(Cause.of("check metric " + missing), KeptBody.refused(body, sent.session()));
    }

    /** The outcome when a session has taken what it is to take. */
    private Outcome taken(PreparedRequest sent, Outcome outcome, byte[] head, @Nullable ByteArrayOutputStream body) {
        byte[] bytes = body == null ? new byte[0] : body.toByteArray();
        // By index: an iterator would be one object per response.
        for (int i = 0; i < sent.extractors().size(); i++) {
            Extractor extractor = sent.extractors().get(i);
            if (!extractor.take(head, bytes, sent.session())) {
                boolean cutOff = !extractor.ofHead() && bytes.length >= KeptBody.CHECKED_BYTES;
                return new Outcome.ExtractFailure(
                        extractor.name(),
                        name,
                        (cutOff ? "only the first MiB is looked at: " : "") + KeptBody.refused(body, sent.session()));
            }
        }
        return outcome;
    }
}
