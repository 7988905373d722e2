package io.phaseload.soak;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.result.ThresholdResult;
import java.util.Optional;

/**
 * The change of one figure over a run.
 *
 * @param figure as thresholds name it, such as {@code server.heapMiB} or {@code p99}
 * @param limit the slope that it may have, as a threshold: one that it doesn't hold is a drift
 * @param slope the figure's own slope, in its unit an hour
 * @param level the figure at the end of the run; of a level that is taken and given back, the lowest of its last tenth
 * @param most the level at which it runs out, if that is known
 * @param hoursLeft the time until it runs out, by its slope; empty unless it certainly grows towards a known limit
 * @param hoursAtLeast the same by the upper end of the slope's interval
 */
public record Drift(
        String figure,
        ThresholdResult limit,
        ThresholdResult slope,
        Optional<Double> level,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> most,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> hoursLeft,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> hoursAtLeast) {

    /** A limit that isn't reached within a week isn't this run's matter. */
    private static final double MOST_HOURS = 7 * 24;

    static Drift of(
            String figure,
            ThresholdResult limit,
            ThresholdResult slope,
            Optional<Double> level,
            Optional<Double> most) {
        Optional<Double> rest = most.flatMap(end -> level.map(now -> Math.max(0, end - now)));
        boolean grows = slope.evidence()
                .flatMap(ThresholdResult.Evidence::low)
                .filter(low -> low > 0)
                .isPresent();
        Optional<Double> left = grows ? rest.map(of -> of / slope.observed().orElseThrow()) : Optional.empty();
        Optional<Double> least = grows
                ? slope.evidence().flatMap(ThresholdResult.Evidence::high).flatMap(high -> rest.map(of -> of / high))
                : Optional.empty();
        return new Drift(figure, limit, slope, level, most, left, least);
    }

    /**
     * The judgement.
     *
     * @return {@code FAIL} for a slope above its limit, or one that reaches the figure's end within a week
     */
    public ThresholdResult.Outcome outcome() {
        return hoursLeft.filter(hours -> hours < MOST_HOURS).isPresent()
                ? ThresholdResult.Outcome.FAIL
                : limit.outcome();
    }
}
