package io.phaseload.report;

import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Chart;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

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
        String pairs = summary.rows().size() == 1 ? "1 pair" : summary.rows().size() + " pairs";
        return new Page("Clocks · " + pairs + " – Phaseload", List.of(points))
                .header(Html.header(
                        "Clocks · " + pairs,
                        Html.paragraph("sentence", sentence(summary))
                                + "<p>By how much each machine's clock is ahead of another's."
                                + " No message arrives before it is sent: that bounds the"
                                + " offset, whatever the routes are like.</p>\n",
                        List.of()))
                .section("pairs", "Pairs", Html.table("Pairs", summary))
                .charts("charts", "Charts", List.of(Chart.of("clock", "clock")), "")
                .write();
    }

    /** Such as {@code The clocks are at most 0.0285 ms apart, known within 0.268 ms.} */
    private static String sentence(Table summary) {
        OptionalDouble apart = most(summary, "offset_ms");
        OptionalDouble bound = most(summary, "bound_ms");
        return apart.isEmpty() || bound.isEmpty()
                ? ""
                : "The clocks are at most %s ms apart, known within %s ms."
                        .formatted(Significant.text(apart.getAsDouble()), Significant.text(bound.getAsDouble()));
    }

    private static OptionalDouble most(Table table, String column) {
        return IntStream.range(0, table.rows().size())
                .mapToObj(row -> table.cell(row, column))
                .filter(Number.class::isInstance)
                .mapToDouble(cell -> Math.abs(((Number) cell).doubleValue()))
                .max();
    }
}
