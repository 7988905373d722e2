package io.phaseload.plan;

import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads how a response is read that is a stream of events, and checks what it needs. */
final class EventStreamForm {

    /** Of an operation. */
    static final String KEY = "eventStream";

    private static final String PRESET = "preset";

    private EventStreamForm() {}

    static EventStream read(Given given) {
        if (!given.isObject()) {
            return given.read(EventStream::parse, Setting.EVENT_STREAM.kind().expected());
        }
        Map<String, String> parts = new LinkedHashMap<>();
        for (String key : given.keys()) {
            given.part(key).ifPresent(part -> parts.put(key, part.text()));
        }
        String preset = parts.getOrDefault(PRESET, "events");
        parts.remove(PRESET);
        return JourneyForm.checked(given, () -> EventStream.of(preset, parts));
    }

    /**
     * Checks that a plan can read its streams.
     *
     * @throws IllegalArgumentException naming the operation, and what is allowed
     */
    static void check(Scenario scenario, Target target, EngineSettings engine) {
        for (Operation operation : scenario.operations()) {
            operation.events().ifPresent(events -> check(operation.name(), events, target, engine));
        }
    }

    private static void check(String name, EventStream events, Target target, EngineSettings engine) {
        if (!engine.protocol().equals(Protocol.HTTP_1) || engine.client().isPresent()) {
            throw wrong(
                    name,
                    "expected HTTP/1.1 with a connection for each user, without --http2,"
                            + " --pipeline and --client httpclient");
        }
        if (events.sentAt().isPresent() && !isOfThisMachine(target)) {
            throw wrong(
                    name,
                    "sentAt: expected a target on this machine, such as http://localhost:8080/,"
                            + " whose clock is the client's");
        }
    }

    private static boolean isOfThisMachine(Target target) {
        if (target.route() instanceof Route.To to) {
            return to.hosts().stream().allMatch(EventStreamForm::isLoopback);
        }
        return target.route() instanceof Route.UnixSocket
                || target.route() instanceof Route.Direct && isLoopback(target.host());
    }

    private static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    private static IllegalArgumentException wrong(String name, String expected) {
        return new IllegalArgumentException("event stream of %s: %s".formatted(name, expected));
    }
}
