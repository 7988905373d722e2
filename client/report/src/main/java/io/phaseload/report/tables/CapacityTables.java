package io.phaseload.report.tables;

import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.ObjectiveResult;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Link;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of a search for a capacity. */
public final class CapacityTables {

    /** The column of the steps' pages. */
    public static final String PAGE = "page";

    private static final double PERCENT = 100;

    private CapacityTables() {}

    /**
     * The unit of its load.
     *
     * @param result the search
     * @return {@code /s} or {@code users}
     */
    public static String unit(CapacityResult result) {
        return result.search().whole() ? "users" : "/s";
    }

    /**
     * A row for each step.
     *
     * @param result the search
     * @return the table, whose last column has links to the steps' pages
     */
    public static Table steps(CapacityResult result) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.count("step"),
                Column.text("purpose"),
                new Column("load", "load", unit(result), Column.TEXT),
                Column.text("outcome")));
        result.objectives().forEach(of -> columns.add(Column.of(of, of, of.contains("%") ? "%" : "ms")));
        columns.addAll(List.of(
                new Column("holds", "holds", "%", 0),
                new Column("ended", "ended", "/s", 1),
                Column.count("users"),
                Column.count("agents"),
                new Column("cpu", "client CPU", "%", 1),
                Column.text(PAGE)));
        List<List<Object>> rows = new ArrayList<>();
        for (CapacityStep step : result.steps()) {
            List<Object> row = new ArrayList<>(List.of(
                    step.number(),
                    step.purpose().name().toLowerCase(Locale.ROOT),
                    load(step.load()),
                    step.outcome().key()));
            step.objectives().forEach(of -> row.add(of.figure()));
            row.addAll(List.of(
                    PERCENT * step.holds(),
                    step.perSecond(),
                    step.client().users(),
                    step.agents(),
                    step.client().cpuPercent(),
                    new Link("report", "./" + step.folder() + "/report.html")));
            rows.add(row);
        }
        Table table = new Table("capacity_steps", columns, rows);
        return result.search().agents() > 1 ? table : table.without("agents");
    }

    /**
     * A row for each objective in each step, for charts.
     *
     * @param result the search
     * @return the tables of a page
     */
    public static List<Table> charts(CapacityResult result) {
        List<List<Object>> rows = new ArrayList<>();
        for (CapacityStep step : result.steps()) {
            for (ObjectiveResult of : step.objectives()) {
                rows.add(List.of(
                        step.number(),
                        step.load(),
                        step.outcome().key(),
                        of.objective(),
                        of.figure() == 0 ? Missing.NOT_MEASURED : PERCENT * of.figure() / of.limit(),
                        PERCENT * of.holds(),
                        of == step.worst() ? "yes" : "no"));
            }
        }
        return List.of(new Table(
                "capacity",
                List.of(
                        Column.count("step"),
                        new Column("load", "load", unit(result), 3),
                        Column.text("outcome"),
                        Column.text("objective"),
                        Column.of("of_limit", "of the limit", "%"),
                        Column.of("holds", "holds", "%"),
                        Column.text("worst")),
                rows));
    }

    /**
     * A load as text.
     *
     * @param load requests a second, or users
     * @return to three digits if it is a rate of fewer than a thousand
     */
    public static String load(double load) {
        if (load == Math.rint(load) || load >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", load);
        }
        return new BigDecimal(load).round(new MathContext(3)).toPlainString();
    }
}
