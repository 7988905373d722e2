package io.phaseload.result.build;

import io.phaseload.result.ThresholdResult.Evidence;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.Estimate;
import io.phaseload.stats.Scale;
import io.phaseload.stats.StudentT;
import java.util.Optional;

/**
 * A figure with its interval, in the unit of thresholds.
 *
 * @param value empty if nothing was measured
 * @param unit {@code ms}, {@code %}, {@code MiB}, {@code /s} or one of these per time; empty for a number
 * @param evidence the interval; empty if the value is exact, or a reason says why there is none
 * @param degreesOfFreedom of the interval
 * @param reason why there is no value, or no interval
 * @param measured false if nothing was measured
 */
record FigureEstimate(
        Optional<Double> value,
        String unit,
        Optional<Evidence> evidence,
        double degreesOfFreedom,
        Optional<String> reason,
        boolean measured) {

    /** There is no such figure, however long the run is. */
    static FigureEstimate unmeasured(String unit, String reason) {
        return new FigureEstimate(Optional.empty(), unit, Optional.empty(), 1, Optional.of(reason), false);
    }

    static FigureEstimate missing(String unit, Optional<Double> value, String reason) {
        return new FigureEstimate(value, unit, Optional.empty(), 1, Optional.of(reason), true);
    }

    static FigureEstimate exact(double value, String unit) {
        return new FigureEstimate(Optional.of(value), unit, Optional.empty(), 1, Optional.empty(), true);
    }

    static FigureEstimate of(
            double value,
            String unit,
            double factor,
            ConfidenceInterval interval,
            double degreesOfFreedom,
            long samples,
            double effective) {
        return new FigureEstimate(
                Optional.of(value),
                unit,
                Optional.of(Evidence.of(
                        factor * interval.low(), factor * interval.high(), interval.coverage(), samples, effective)),
                degreesOfFreedom,
                Optional.empty(),
                true);
    }

    /** With errors that give this interval. */
    Optional<Estimate> relative(double coverage) {
        return evidence.filter(of -> value.orElse(0.0) > 0).map(of -> {
            double t = StudentT.factor(degreesOfFreedom, coverage);
            double position = Math.log(value.orElseThrow());
            return new Estimate(
                    Scale.RELATIVE,
                    position,
                    (position - Math.log(of.low().orElse(0.0))) / t,
                    (Math.log(of.high().orElse(Double.POSITIVE_INFINITY)) - position) / t,
                    degreesOfFreedom);
        });
    }
}
