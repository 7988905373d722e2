package io.phaseload.planfile.phases;

import io.phaseload.options.ValueException;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import io.phaseload.settings.Given;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes schedules in a plan's document. */
public final class ScheduleForm {

    private ScheduleForm() {}

    /**
     * Reads {@code arrivals} of a phase's load.
     *
     * @throws IllegalArgumentException naming what is missing or isn't allowed
     */
    static Schedule read(Given arrivals) {
        String kind = required(arrivals, "kind").text();
        return switch (kind) {
            case "constant" -> new ConstantArrivals(rate(arrivals, "rate"));
            case "poisson" -> new PoissonArrivals(rate(arrivals, "rate"), count(arrivals, "seed"));
            case "ramp" -> new RampArrivals(rate(arrivals, "rate"), rate(arrivals, "toRate"), length(arrivals));
            case "burst" -> new BurstArrivals(count(arrivals, "size"), length(arrivals));
            case "steps" -> new StepArrivals(steps(required(arrivals, "steps")));
            default -> throw new IllegalArgumentException("arrivals of the kind " + kind);
        };
    }

    private static List<StepArrivals.Step> steps(Given steps) {
        return steps.elements().stream()
                .map(step -> new StepArrivals.Step(rate(step, "rate"), length(step)))
                .toList();
    }

    private static Rate rate(Given arrivals, String key) {
        return Rate.parse(required(arrivals, key).text());
    }

    private static long count(Given arrivals, String key) {
        return required(arrivals, key).read(Long::parseLong, "a whole number");
    }

    private static Duration length(Given arrivals) {
        return duration(required(arrivals, "lengthMs"));
    }

    private static Given required(Given arrivals, String key) {
        return arrivals.part(key).orElseThrow(() -> new ValueException("arrivals", "a key " + key));
    }

    /** Writes what {@link #read} reads. */
    static ObjectNode write(Schedule schedule) {
        if (schedule instanceof ConstantArrivals constant) {
            return form("constant").put("rate", constant.rate().toString());
        }
        if (schedule instanceof PoissonArrivals poisson) {
            return form("poisson").put("rate", poisson.rate().toString()).put("seed", poisson.seed());
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

    /** Documents have milliseconds, with a fraction down to the nanosecond. */
    static Duration duration(Given millis) {
        return Duration.ofNanos(Math.round(Double.parseDouble(millis.text()) * 1e6));
    }

    /** Exact below 104 days. */
    public static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
