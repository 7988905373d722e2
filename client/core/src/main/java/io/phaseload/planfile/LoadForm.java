package io.phaseload.planfile;

import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.SettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A phase's load as a document, in which a file can say more than options can. */
final class LoadForm {

    private LoadForm() {}

    static Load read(Given load) {
        try {
            return load.part("model").orElseThrow().text().equals("open") ? open(load) : closed(load);
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw load.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Load closed(Given load) {
        return new Load.Closed(
                pause(load, "thinkMs"),
                pause(load, "pacingMs"),
                load.part("rampMs").map(ScheduleForm::duration).orElse(Duration.ZERO));
    }

    private static Load open(Given load) {
        Given arrivals =
                load.part("arrivals").orElseThrow(() -> new IllegalArgumentException("expected a key arrivals"));
        return new Load.Open(
                ScheduleForm.read(arrivals),
                overload(load.part("overload")
                        .map(Given::text)
                        .or(Setting.of("overload")::standard)
                        .orElseThrow()));
    }

    static Load.Overload overload(String kind) {
        return Load.Overload.valueOf(kind.toUpperCase(Locale.ROOT));
    }

    private static Pause pause(Given load, String key) {
        List<Given> pair = load.part(key).map(Given::elements).orElse(List.of());
        if (pair.isEmpty()) {
            return Pause.NONE;
        }
        if (pair.size() != 2) {
            throw new IllegalArgumentException(key + ": expected two numbers, the least and the most");
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
            load.withArray(key).add(ScheduleForm.millis(pause.min())).add(ScheduleForm.millis(pause.max()));
        }
    }
}
