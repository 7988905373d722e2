package io.phaseload.http.socket;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.input.Secrets;
import io.phaseload.journey.Bytes;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.MessageMatch;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Sample;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.SocketAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of a plan that do something with a WebSocket. Immutable, and shared by all users of a run. */
public final class SocketSteps {

    /** One step. */
    @FunctionalInterface
    private interface FilledStep {
        @Nullable SocketCall with(Session session, @Nullable TraceContext trace);
    }

    /** The bytes of a message; {@code null} if a value can't be there. */
    @FunctionalInterface
    private interface FilledMessage {
        byte @Nullable [] with(Session session);
    }

    /** An answer; {@code null} if a value can't be there. */
    @FunctionalInterface
    private interface FilledReply {
        SocketCall.@Nullable Reply with(Session session);
    }

    // By the operation; null for a request.
    private final List<@Nullable FilledStep> steps = new ArrayList<>();
    private final List<String> names;

    /**
     * Prepares a plan's steps.
     *
     * @param plan has journeys with such steps
     * @param requests has the requests that open connections
     */
    public SocketSteps(Plan plan, RequestSource requests) {
        Journeys journeys = plan.scenario().journeys().orElseThrow();
        names = plan.scenario().operations().stream().map(Operation::name).toList();
        Slots slots = Slots.of(journeys, plan.target());
        Duration limit = plan.target().responseTimeout();
        for (Step.Measured step : journeys.requests()) {
            int operation = steps.size();
            steps.add(
                    step instanceof Step.Socket socket
                            ? filled(socket, operation, names.get(operation), requests, slots, limit)
                            : null);
        }
    }

    /**
     * Whether an operation is such a step.
     *
     * @param operation its index in the scenario
     */
    public boolean have(int operation) {
        return operation < steps.size() && steps.get(operation) != null;
    }

    /**
     * The next action.
     *
     * @param operation the index of such a step
     * @param session the user's
     * @param trace the place of a handshake in a trace; {@code null} without one
     * @return {@code null} if a value of the session can't be where it is to be
     */
    public @Nullable SocketCall call(int operation, Session session, @Nullable TraceContext trace) {
        return steps.get(operation).with(session, trace);
    }

    /**
     * The publishable part of a step that is over: its name in the place of a request, and why it failed, without what
     * the session has of the environment.
     *
     * @param user the number of the user that did it
     * @param session the user's
     */
    public KeptRequest kept(Sample sample, Instant at, long user, Session session) {
        return KeptRequest.of(
                sample,
                at,
                names.get(sample.operation()),
                Secrets.redactValues(sample.exchange().outcome().detail(), session.secrets()),
                user,
                Optional.of(session.iteration()));
    }

    /**
     * A step of a connection that is open: it sends a message, or waits for one.
     *
     * @param step sends or expects
     * @param slots has places for its values
     * @param limit the longest wait if the step has none of its own
     * @return the action with the values of a session
     */
    public static Function<Session, SocketCall> onOpen(Step.Socket step, Slots slots, Duration limit) {
        FilledStep filled = filled(
                step,
                0,
                step.operation().name(),
                (operation, session) -> {
                    throw new IllegalArgumentException("expected a step on an open connection");
                },
                slots,
                limit);
        return session -> filled.with(session, null);
    }

    private static FilledStep filled(
            Step.Socket step, int operation, String name, RequestSource requests, Slots slots, Duration limit) {
        SocketAction action = step.action();
        if (action instanceof SocketAction.Connect connect) {
            List<FilledReply> replies = connect.answers().stream()
                    .map(answer -> reply(answer, slots))
                    .toList();
            return (session, trace) -> {
                PreparedRequest request = requests.get(operation, session);
                List<SocketCall.Reply> filled = new ArrayList<>();
                for (FilledReply reply : replies) {
                    filled.add(reply.with(session));
                }
                return request == null || filled.contains(null)
                        ? null
                        : new SocketCall.ConnectCall(name, request.once(trace), connect.subprotocols(), filled);
            };
        }
        if (action.word().equals("send")) {
            FilledMessage message = message(action, slots);
            boolean isText = action instanceof SocketAction.SendText;
            return (session, trace) -> {
                byte[] bytes = message.with(session);
                return bytes == null ? null : new SocketCall.SendCall(name, bytes, isText, session);
            };
        }
        if (action instanceof SocketAction.Expect expect) {
            return expect(step, name, expect, slots, limit);
        }
        SocketCall same = same(name, action);
        return (session, trace) -> same;
    }

    private static FilledMessage message(SocketAction action, Slots slots) {
        if (action instanceof SocketAction.SendBytes send) {
            CompiledTemplate hex = CompiledTemplate.body(send.hex(), slots);
            return hex::bytes;
        }
        CompiledTemplate text = CompiledTemplate.body(((SocketAction.SendText) action).text(), slots);
        return session -> {
            Bytes body = session.body();
            text.write(session, body);
            return body.toBytes();
        };
    }

    private static FilledReply reply(SocketAction.Answer answer, Slots slots) {
        MessageMatch to = new MessageMatch(answer.to(), slots);
        FilledMessage with = message(answer.with(), slots);
        boolean isText = answer.with() instanceof SocketAction.SendText;
        return session -> {
            byte[] bytes = with.with(session);
            return bytes == null ? null : new SocketCall.Reply(to.filled(session), bytes, isText);
        };
    }

    private static FilledStep expect(
            Step.Socket step, String name, SocketAction.Expect expect, Slots slots, Duration limit) {
        MessageMatch match = new MessageMatch(expect.expectation().message(), slots);
        Duration within = expect.expectation().within().orElse(limit);
        Extractor[] extractors = step.extractions().stream()
                .map(extraction -> new Extractor(extraction, slots))
                .toArray(Extractor[]::new);
        MessageMetrics metrics = new MessageMetrics(step.operation().metrics(), slots);
        return (session, trace) ->
                new SocketCall.ExpectCall(name, match.filled(session), within, extractors, metrics, session);
    }

    private static SocketCall same(String name, SocketAction action) {
        if (action instanceof SocketAction.Ping ping) {
            return new SocketCall.PingCall(name, ping.within());
        }
        if (action instanceof SocketAction.Close close) {
            return new SocketCall.CloseCall(name, close.code());
        }
        throw new IllegalStateException("no call for " + action);
    }
}
