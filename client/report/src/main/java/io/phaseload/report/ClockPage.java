package io.phaseload.report;

import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Chart;
import java.util.List;

/** The page of {@code phaseload clock}. */
public final class ClockPage {

    private ClockPage() {}

    /**
     * Writes the page.
     *
     * @param summary a row for each pair
     * @param points the table {@code clock}
     * @return HTML that loads nothing
     */
    public static String write(Table summary, Table points) {
        return new Page("Clocks – Phaseload", List.of(points))
                .header(Html.header(
                        "Clocks",
                        "<p>By how much each machine's clock is ahead of another's."
                                + " No message arrives before it is sent: that bounds the"
                                + " offset, whatever the routes are like.</p>\n",
                        List.of()))
                .section("pairs", "Pairs", Html.table("Pairs", summary))
                .charts("charts", "Charts", List.of(Chart.of("clock", "clock")), "")
                .write();
    }
}
