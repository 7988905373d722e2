package io.phaseload.ab;

import java.util.List;

/**
 * The decision that a comparison is made for.
 *
 * @param marginPercent the change for the worse of times, throughput and CPU use that is accepted
 * @param failuresMarginPoints the same for failures, in percentage points
 * @param budgetSeconds the time after which no block begins that would not end by then
 * @param seed of the order of runs
 * @param figures the figures that decide, by their keys; the others are only shown
 */
public record AbSettings(
        double marginPercent, double failuresMarginPoints, double budgetSeconds, long seed, List<String> figures) {

    /** The share of comparisons in which an interval of any figure that decides, at any look, may be wrong. */
    private static final double ERROR = 0.05;

    /** Keeps the list from being changed. */
    public AbSettings {
        figures = List.copyOf(figures);
    }

    /** The accepted change, in the unit of an effect. */
    double margin(AbFigure figure) {
        return (figure == AbFigure.FAILED ? failuresMarginPoints : marginPercent) / 100;
    }

    /** The same for each figure (Bonferroni). */
    double errorOfFigure() {
        return ERROR / figures.size();
    }

    boolean decides(AbFigure figure) {
        return figures.contains(figure.key());
    }
}
