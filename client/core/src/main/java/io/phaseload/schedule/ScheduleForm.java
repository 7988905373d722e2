package io.phaseload.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Schedules as documents, in a plan's file. What a kind doesn't have is left out. */
public final class ScheduleForm {

    private ScheduleForm() {}

    /**
     * Reads a schedule.
     *
     * @param json {@code arrivals} of a phase's load
     * @return the schedule
     * @throws IllegalArgumentException naming what is missing or isn't allowed
     */
    public static Schedule read(JsonNode json) {
        String kind = required(json, "kind").asString();
        return switch (kind) {
            case "constant" -> new ConstantArrivals(rate(json, "rate"));
            case "poisson" ->
                    new PoissonArrivals(rate(json, "rate"), required(json, "seed").asLong());
            case "ramp" -> new RampArrivals(rate(json, "rate"), rate(json, "toRate"), length(json));
            case "burst" -> new BurstArrivals(required(json, "size").asLong(), length(json));
            case "steps" -> new StepArrivals(steps(required(json, "steps")));
            default -> throw new IllegalArgumentException("arrivals of the kind " + kind);
        };
    }

    private static List<StepArrivals.Step> steps(JsonNode json) {
        List<StepArrivals.Step> steps = new ArrayList<>();
        json.forEach(step -> steps.add(new StepArrivals.Step(rate(step, "rate"), length(step))));
        return steps;
    }

    private static Rate rate(JsonNode json, String key) {
        return Rate.parse(required(json, key).asString());
    }

    private static Duration length(JsonNode json) {
        return duration(required(json, "lengthMs"));
    }

    private static JsonNode required(JsonNode json, String key) {
        if (!json.hasNonNull(key)) {
            throw new IllegalArgumentException("arrivals: expected a key " + key);
        }
        return json.get(key);
    }

    /**
     * Writes a schedule.
     *
     * @param schedule any of this package
     * @return what {@link #read} reads
     */
    public static ObjectNode write(Schedule schedule) {
        if (schedule instanceof ConstantArrivals constant) {
            return form("constant").put("rate", constant.rate().toString());
        }
        if (schedule instanceof PoissonArrivals poisson) {
            return form("poisson")
                    .put("rate", poisson.rate().toString())
                    .put("seed", poisson.seed());
        }
        if (schedule instanceof RampArrivals ramp) {
            return form("ramp")
                    .put("rate", ramp.from().toString())
                    .put("toRate", ramp.to().toString())
                    .put("lengthMs", millis(ramp.length()));
        }
        if (schedule instanceof BurstArrivals burst) {
            return form("burst").put("lengthMs", millis(burst.period())).put("size", burst.size());
        }
        ObjectNode steps = form("steps");
        for (StepArrivals.Step step : ((StepArrivals) schedule).steps()) {
            ObjectNode one = form("constant").put("rate", step.rate().toString());
            steps.withArray("steps").add(one.put("lengthMs", millis(step.length())));
        }
        return steps;
    }

    private static ObjectNode form(String kind) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind);
    }

    /**
     * A time as documents have it.
     *
     * @param millis a number
     * @return to the nearest nanosecond
     */
    public static Duration duration(JsonNode millis) {
        return Duration.ofNanos(Math.round(millis.asDouble() * 1e6));
    }

    /**
     * A time for a document.
     *
     * @param duration below 104 days, so that nanoseconds are kept
     * @return in milliseconds
     */
    public static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
