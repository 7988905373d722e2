package io.phaseload.report.charts;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where changes are, as in the charts of {@code charts/changes*}: ratios on an axis on which half is as far as twice,
 * or percentage points. It is so wide that one hopeless interval leaves room for the others.
 *
 * @param reach the distance from no change to either end
 * @param same the distance up to which a change counts as none
 */
public record ChangeAxis(boolean ratios, double reach, double same) {

    private static final double[] PERCENTS = {
        -98, -90, -75, -50, -33, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50, 100, 200, 400, 900, 4900
    };

    private static final double[] POINTS = {
        -100, -50, -20, -10, -5, -2, -1, -0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };

    private static final double USUAL = 3;
    private static final double CHANGE = 1.25;
    private static final double TOLERANCE = 1.5;

    /**
     * For some changes.
     *
     * @param changes rows of the table {@code changes}, at least one, all with a change, and of the same unit
     * @return an axis
     */
    public static ChangeAxis of(Rows changes) {
        boolean ratios = changes.all().get(0).text("change_unit").equals("%");
        double same = place(changes.all().get(0).number("tolerance"), ratios);
        double[] wide = changes.all().stream()
                .mapToDouble(row -> Math.max(
                        Math.abs(place(row.number("low"), ratios)), Math.abs(place(row.number("high"), ratios))))
                .sorted()
                .toArray();
        double farthest = Arrays.stream(changes.numbers("change"))
                .map(change -> Math.abs(place(change, ratios)))
                .max()
                .orElse(0);
        double usual = USUAL * wide[wide.length / 2];
        return new ChangeAxis(ratios, Math.max(Math.max(usual, CHANGE * farthest), TOLERANCE * same), same);
    }

    private static double place(double change, boolean ratios) {
        return ratios ? Math.log(Math.max(0.01, 1 + change / 100)) : change;
    }

    /**
     * Where a number of a change is.
     *
     * @param change a row of the table {@code changes}
     * @param column {@code change}, {@code low} or {@code high}
     * @return from minus {@link #reach} to {@link #reach}
     */
    public double place(Row change, String column) {
        return Math.max(-reach, Math.min(reach, place(change.number(column), ratios)));
    }

    /**
     * Whether an interval goes on beyond an end of the axis.
     *
     * @param change a row of the table {@code changes}
     * @param column {@code low} or {@code high}
     * @return {@code true} if {@link #place} has cut it
     */
    public boolean isCut(Row change, String column) {
        return Math.abs(place(change.number(column), ratios)) > reach;
    }

    /**
     * The labels that fit, by place.
     *
     * @return in order
     */
    public Map<Double, String> ticks() {
        Map<Double, String> ticks = new TreeMap<>();
        for (double number : ratios ? PERCENTS : POINTS) {
            double at = place(number, ratios);
            if (Math.abs(at) <= reach) {
                String text = BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
                ticks.put(at, (number > 0 ? "+" : "") + text + (ratios ? " %" : ""));
            }
        }
        return ticks;
    }
}
