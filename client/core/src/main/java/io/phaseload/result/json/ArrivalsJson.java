package io.phaseload.result.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import java.util.List;

/** The JSON form of a schedule. What its kind doesn't have is left out. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record ArrivalsJson(
        String kind,
        String rate,
        String toRate,
        Double lengthMs,
        Long seed,
        Long size,
        List<ArrivalsJson> steps) {

    static ArrivalsJson of(Schedule schedule) {
        if (schedule instanceof ConstantArrivals constant) {
            return constant(constant.rate(), null);
        }
        if (schedule instanceof PoissonArrivals poisson) {
            return new ArrivalsJson(
                    "poisson", poisson.rate().toString(), null, null, poisson.seed(), null, null);
        }
        if (schedule instanceof RampArrivals ramp) {
            return new ArrivalsJson(
                    "ramp",
                    ramp.from().toString(),
                    ramp.to().toString(),
                    PlanJson.millis(ramp.length()),
                    null,
                    null,
                    null);
        }
        if (schedule instanceof BurstArrivals burst) {
            double period = PlanJson.millis(burst.period());
            return new ArrivalsJson("burst", null, null, period, null, burst.size(), null);
        }
        List<ArrivalsJson> steps =
                ((StepArrivals) schedule)
                        .steps().stream()
                                .map(s -> constant(s.rate(), PlanJson.millis(s.length())))
                                .toList();
        return new ArrivalsJson("steps", null, null, null, null, null, steps);
    }

    Schedule toSchedule() {
        return switch (kind) {
            case "constant" -> new ConstantArrivals(Rate.parse(rate));
            case "poisson" -> new PoissonArrivals(Rate.parse(rate), seed);
            case "ramp" ->
                    new RampArrivals(
                            Rate.parse(rate), Rate.parse(toRate), PlanJson.duration(lengthMs));
            case "burst" -> new BurstArrivals(size, PlanJson.duration(lengthMs));
            case "steps" -> new StepArrivals(steps.stream().map(ArrivalsJson::toStep).toList());
            default -> throw new IllegalArgumentException("arrivals of the kind " + kind);
        };
    }

    private StepArrivals.Step toStep() {
        return new StepArrivals.Step(Rate.parse(rate), PlanJson.duration(lengthMs));
    }

    private static ArrivalsJson constant(Rate rate, Double lengthMs) {
        return new ArrivalsJson("constant", rate.toString(), null, lengthMs, null, null, null);
    }
}
