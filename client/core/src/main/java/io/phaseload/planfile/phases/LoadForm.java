package io.phaseload.planfile.phases;

import io.phaseload.options.ValueException;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.settings.Given;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A phase's load as a document, in which a file can say more than options can. */
public final class LoadForm {

    private LoadForm() {}

    static Load read(Given load) {
        return load.checked(() -> load.part("model").orElseThrow().text().equals("open") ? open(load) : closed(load));
    }

    private static Load closed(Given load) {
        return new Load.Closed(
                pause(load, "thinkMs"),
                pause(load, "pacingMs"),
                load.part("rampMs").map(ScheduleForm::duration).orElse(Duration.ZERO));
    }

    private static Load open(Given load) {
        Given arrivals = load.part("arrivals").orElseThrow(() -> new ValueException("a key arrivals"));
        return new Load.Open(ScheduleForm.read(arrivals), load.word("overload", Load.Overload.values()));
    }

    static Load.Overload overload(String kind) {
        return Load.Overload.valueOf(kind.toUpperCase(Locale.ROOT));
    }

    private static Pause pause(Given load, String key) {
        return load.part(key)
                .filter(pair -> !pair.elements().isEmpty())
                .map(LoadForm::pause)
                .orElse(Pause.NONE);
    }

    /** A pause of two numbers of milliseconds. */
    public static Pause pause(Given pair) {
        List<Given> ends = pair.elements();
        if (ends.size() != 2) {
            throw pair.wrong("expected two numbers, the least and the most");
        }
        return pair.checked(() -> new Pause(ScheduleForm.duration(ends.get(0)), ScheduleForm.duration(ends.get(1))));
    }

    static ObjectNode write(Load load) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (load instanceof Load.Open open) {
            json.put("model", "open").set("arrivals", ScheduleForm.write(open.schedule()));
            return json.put("overload", Given.word(open.overload()));
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
            write(load.withArray(key), pause);
        }
    }

    /** Whatever {@link #pause(Given)} reads. */
    public static void write(ArrayNode pair, Pause pause) {
        pair.add(ScheduleForm.millis(pause.min())).add(ScheduleForm.millis(pause.max()));
    }
}
