package io.phaseload.plan;

import io.phaseload.schedule.ScheduleForm;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What makes a phase's users send, as a document: a file can say more of it than options can. */
final class LoadForm {

    private LoadForm() {}

    static Load read(Given load) {
        try {
            return read(load.value());
        } catch (IllegalArgumentException e) {
            throw load.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Load read(JsonNode json) {
        if (!json.get("model").asString().equals("open")) {
            return new Load.Closed(
                    pause(json, "thinkMs"),
                    pause(json, "pacingMs"),
                    json.hasNonNull("rampMs")
                            ? ScheduleForm.duration(json.get("rampMs"))
                            : Duration.ZERO);
        }
        if (!json.hasNonNull("arrivals")) {
            throw new IllegalArgumentException("expected a key arrivals");
        }
        return new Load.Open(
                ScheduleForm.read(json.get("arrivals")),
                overload(
                        json.path("overload").asString(Setting.OVERLOAD.standard().orElseThrow())));
    }

    static Load.Overload overload(String kind) {
        return Load.Overload.valueOf(kind.toUpperCase(Locale.ROOT));
    }

    private static Pause pause(JsonNode load, String key) {
        JsonNode pair = load.path(key);
        if (!pair.isArray()) {
            return Pause.NONE;
        }
        if (pair.size() != 2) {
            throw new IllegalArgumentException(key + ": expected the least and the most");
        }
        return new Pause(ScheduleForm.duration(pair.get(0)), ScheduleForm.duration(pair.get(1)));
    }

    static ObjectNode write(Load load) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (load instanceof Load.Open open) {
            json.put("model", "open").set("arrivals", ScheduleForm.write(open.schedule()));
            return json.put("overload", open.overload().name().toLowerCase(Locale.ROOT));
        }
        Load.Closed closed = (Load.Closed) load;
        json.put("model", "closed");
        write(json, "thinkMs", closed.think());
        write(json, "pacingMs", closed.pacing());
        if (!closed.ramp().isZero()) {
            json.put("rampMs", ScheduleForm.millis(closed.ramp()));
        }
        return json;
    }

    private static void write(ObjectNode load, String key, Pause pause) {
        if (!pause.isNone()) {
            load.withArray(key)
                    .add(ScheduleForm.millis(pause.min()))
                    .add(ScheduleForm.millis(pause.max()));
        }
    }
}
