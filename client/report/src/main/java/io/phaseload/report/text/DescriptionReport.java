package io.phaseload.report.text;

import io.phaseload.files.Csv;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.stats.Description;
import io.phaseload.sweep.summary.TrialDescription;
import io.phaseload.sweep.summary.TrialDescription.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A description of trials as a table and as comma-separated values. */
public final class DescriptionReport {

    private static final List<String> NUMBERS =
            List.of("figure", "count", "mean", "std", "min", "25%", "50%", "75%", "max");

    private DescriptionReport() {}

    /**
     * As a table for people.
     *
     * @param description of trials
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String table(TrialDescription description, int columns) {
        List<Column> header = new ArrayList<>();
        description.by().forEach(name -> header.add(Column.text(name)));
        header.add(Column.text(NUMBERS.get(0)));
        NUMBERS.stream().skip(1).forEach(name -> header.add(Column.of(name, name, "")));
        List<List<Object>> rows = description.rows().stream()
                .map(row -> List.<Object>copyOf(cells(row, "%.3f")))
                .toList();
        return TextTable.write(new Table("description", header, rows), columns);
    }

    /**
     * As comma-separated values.
     *
     * @param description of trials
     * @return lines that each end in a line feed
     */
    public static String csv(TrialDescription description) {
        return Stream.concat(
                        Stream.of(header(description)),
                        description.rows().stream().map(row -> cells(row, "%.6f")))
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
        List<String> names = header(description);
        int texts = description.by().size() + 1;
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Row row : description.rows()) {
            List<String> cells = cells(row, "%.6f");
            Map<String, Object> object = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                object.put(names.get(i), i < texts ? cells.get(i) : number(cells.get(i)));
            }
            rows.add(object);
        }
        return JsonMapper.shared().writeValueAsString(rows) + "\n";
    }

    private static BigDecimal number(String cell) {
        return cell.isEmpty() ? null : new BigDecimal(cell);
    }

    private static List<String> header(TrialDescription description) {
        return Stream.concat(description.by().stream(), NUMBERS.stream()).toList();
    }

    private static List<String> cells(Row row, String format) {
        Description of = row.description();
        List<String> cells = new ArrayList<>(row.group());
        cells.add(row.figure());
        cells.add(Integer.toString(of.count()));
        Stream.of(of.mean(), of.standardDeviation(), of.min(), of.q1(), of.median(), of.q3(), of.max())
                .map(value -> Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value))
                .forEach(cells::add);
        return cells;
    }
}
