package io.phaseload.diagnosis.evidence;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How steady a figure is over the seconds.
 *
 * @param mean of the seconds
 * @param variation the standard deviation over the mean; 0 for a mean of 0
 */
public record Steadiness(double mean, double variation) {

    /** Of a figure of each second. */
    public static Steadiness of(List<Second> seconds, ToDoubleFunction<Second> figure) {
        double mean = seconds.stream().mapToDouble(figure).average().orElse(0);
        double squares =
                seconds.stream()
                        .mapToDouble(figure)
                        .map(value -> (value - mean) * (value - mean))
                        .average()
                        .orElse(0);
        return new Steadiness(mean, mean == 0 ? 0 : Math.sqrt(squares) / mean);
    }
}
