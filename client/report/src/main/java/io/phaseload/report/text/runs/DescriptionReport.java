package io.phaseload.report.text.runs;

import io.phaseload.files.Csv;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextTable;
import io.phaseload.stats.Description;
import io.phaseload.sweep.summary.TrialDescription;
import io.phaseload.sweep.summary.TrialDescription.Row;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A description of trials as a table and as comma-separated values. */
public final class DescriptionReport {

    private static final Map<String, Function<Description, Double>> FIGURES = new LinkedHashMap<>();

    static {
        FIGURES.put("mean", Description::mean);
        FIGURES.put("std", Description::standardDeviation);
        FIGURES.put("min", Description::min);
        FIGURES.put("25%", Description::q1);
        FIGURES.put("50%", Description::median);
        FIGURES.put("75%", Description::q3);
        FIGURES.put("max", Description::max);
    }

    private DescriptionReport() {}

    /**
     * As a table for people.
     *
     * @param description of trials
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String table(TrialDescription description, int columns) {
        return TextTable.write(rows(description, 3), columns);
    }

    /**
     * As comma-separated values.
     *
     * @param description of trials
     * @return lines that each end in a line feed
     */
    public static String csv(TrialDescription description) {
        Table table = rows(description, 6);
        return Stream.concat(
                        Stream.of(table.columns().stream().map(Column::name).toList()),
                        table.cells(Column::write).stream())
                .map(Csv::record)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /**
     * As JSON.
     *
     * @param description of trials
     * @return an array with an object for each row of {@link #csv}, on one line; a figure that isn't known is
     *     {@code null}
     */
    public static String json(TrialDescription description) {
        Table table = rows(description, 6);
        List<Map<String, Object>> rows = table.objects((column, cell) -> {
            String written = column.write(cell);
            return column.isText() ? written : number(written);
        });
        return JsonMapper.shared().writeValueAsString(rows) + "\n";
    }

    private static BigDecimal number(String cell) {
        return cell.isEmpty() ? null : new BigDecimal(cell);
    }

    private static Table rows(TrialDescription description, int decimals) {
        Columns<Row> columns = new Columns<>();
        for (int i = 0; i < description.by().size(); i++) {
            int index = i;
            columns.text(description.by().get(i), of -> of.group().get(index));
        }
        columns.text("figure", Row::figure)
                .count("count", of -> of.description().count());
        FIGURES.forEach((name, figure) ->
                columns.add(new Column(name, name, "", decimals), of -> figure.apply(of.description())));
        return columns.table("description", description.rows().stream());
    }
}
