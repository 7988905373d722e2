package io.phaseload.planfile;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.SettingsException;
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
            return given.read(EventStream::parse, Setting.expected(Setting.EVENT_STREAM));
        }
        Map<String, String> parts = new LinkedHashMap<>();
        for (String key : given.keys()) {
            given.part(key).ifPresent(part -> parts.put(key, part.text()));
        }
        String preset = parts.getOrDefault(PRESET, "events");
        parts.remove(PRESET);
        return given.checked(() -> EventStream.of(preset, parts));
    }

    /** Refuses an engine that reads no streams. */
    static void check(Scenario scenario, EngineSettings engine) {
        for (Operation operation : scenario.operations()) {
            if (operation.events().isPresent() && !engine.readsStreams()) {
                throw new SettingsException(
                        ("event stream of %s: expected HTTP/1.1 with a connection for each user, without --http2,"
                                        + " --pipeline and --client httpclient")
                                .formatted(operation.name()));
            }
        }
    }
}
