package io.phaseload.result;

/**
 * Whether a phase of a minute or longer became steady.
 *
 * @param phase its name
 * @param figure the figure that became steady last, or didn't: {@code throughput} or {@code median}
 * @param reached false if it still changed, or if its end differs from the rest
 * @param fromSeconds since the phase's start, the beginning of its steady part
 * @param trendPercent the change from there to the end; 0 if none is certain
 */
public record SteadyPhase(String phase, String figure, boolean reached, double fromSeconds, double trendPercent) {

    /**
     * The same in words.
     *
     * @return such as {@code soak: steady after 35 s}
     */
    public String text() {
        return phase + ": "
                + (reached
                        ? fromSeconds == 0 ? "steady from its start" : "steady after %.0f s".formatted(fromSeconds)
                        : "steady state not reached, by its " + figure
                                + (trendPercent == 0
                                        ? ", which changed near the end"
                                        : ", which changed by %+.0f %%".formatted(trendPercent)));
    }
}
