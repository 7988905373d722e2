package io.phaseload.diagnosis.evidence;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * How steady figures are.
 *
 * @param mean of all
 * @param variation the standard deviation over the mean; 0 for a mean of 0
 */
public record Steadiness(double mean, double variation) {

    /** Of a figure of each second. */
    public static Steadiness of(List<Second> seconds, ToDoubleFunction<Second> figure) {
        return of(seconds.stream().mapToDouble(figure).toArray());
    }

    /** Of figures. */
    public static Steadiness of(double... figures) {
        double mean = DoubleStream.of(figures).average().orElse(0);
        double squares = DoubleStream.of(figures)
                .map(figure -> (figure - mean) * (figure - mean))
                .average()
                .orElse(0);
        return new Steadiness(mean, mean == 0 ? 0 : Math.sqrt(squares) / mean);
    }
}
