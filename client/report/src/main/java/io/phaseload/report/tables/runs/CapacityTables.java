package io.phaseload.report.tables.runs;

import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.ObjectiveResult;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.LinkedText;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import java.math.BigDecimal;
import java.math.MathContext;
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
        Columns<CapacityStep> columns = new Columns<CapacityStep>()
                .count("step", CapacityStep::number)
                .text("purpose", of -> of.purpose().name().toLowerCase(Locale.ROOT))
                .add(new Column("load", "load", unit(result), Column.TEXT), of -> load(of.load()))
                .text("outcome", of -> of.outcome().key());
        for (int i = 0; i < result.objectives().size(); i++) {
            int index = i;
            String objective = result.objectives().get(i);
            columns.number(objective, objective, objective.contains("%") ? "%" : "ms", of -> of.objectives()
                    .get(index)
                    .figure());
        }
        Table table = columns.add(new Column("holds", "holds", "%", 0), of -> PERCENT * of.holds())
                .add(new Column("ended", "ended", "/s", 1), CapacityStep::perSecond)
                .count("users", of -> of.client().users())
                .count("agents", CapacityStep::agents)
                .add(new Column("cpu", "client CPU", "%", 1), of -> of.client().cpuPercent())
                .text(PAGE, of -> new LinkedText("report", "./" + of.folder() + "/report.html"))
                .table("capacity_steps", result.steps().stream());
        return result.search().agents() > 1 ? table : table.without("agents");
    }

    /**
     * A row for each objective in each step, for charts.
     *
     * @param result the search
     * @return the tables of a page
     */
    public static List<Table> charts(CapacityResult result) {
        record Judged(CapacityStep step, ObjectiveResult of) {}
        return List.of(new Columns<Judged>()
                .count("step", at -> at.step().number())
                .add(new Column("load", "load", unit(result), 3), at -> at.step()
                        .load())
                .text("outcome", at -> at.step().outcome().key())
                .text("objective", at -> at.of().objective())
                .number("of_limit", "of the limit", "%", at -> ofLimit(at.of()))
                .number("holds", "holds", "%", at -> PERCENT * at.of().holds())
                .text("worst", at -> at.of() == at.step().worst() ? "yes" : "no")
                .table("capacity", result.steps().stream().flatMap(step -> step.objectives().stream()
                        .map(of -> new Judged(step, of)))));
    }

    private static Object ofLimit(ObjectiveResult of) {
        return of.figure() == 0 ? Missing.NOT_MEASURED : PERCENT * of.figure() / of.limit();
    }

    /**
     * A load as text.
     *
     * @param load requests a second, or users
     * @return to three digits if it is a rate of fewer than a thousand
     */
    public static String load(double load) {
        if (load == Math.rint(load) || load >= 1000) {
            return TextFormat.format("%,.0f", load);
        }
        return new BigDecimal(load).round(new MathContext(3)).toPlainString();
    }
}
