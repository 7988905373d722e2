package io.phaseload.audit;

import io.phaseload.audit.CsvTable.Row;
import io.phaseload.audit.ForeignRun.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Locust's {@code _stats.csv} and {@code _stats_history.csv}. */
final class LocustFiles {

    private static final String ALL = "Aggregated";

    private LocustFiles() {}

    static ForeignRun stats(Path file) throws IOException {
        List<Part> parts = new ArrayList<>();
        List<ForeignRun> all = new ArrayList<>();
        CsvTable.read(file, List.of(), row -> {
            double requests = row.number("Request Count");
            ForeignTimes times = new ForeignTimes(
                    row.number("Average Response Time"),
                    row.number("Min Response Time"),
                    row.number("Max Response Time"),
                    percentiles(row));
            if (!row.text("Name").equals(ALL)) {
                parts.add(new Part((row.text("Type") + " " + row.text("Name")).strip(), requests, times));
                return;
            }
            all.add(new ForeignRun(
                    ForeignFormat.LOCUST_STATS,
                    requests,
                    row.number("Failure Count"),
                    requests / row.number("Requests/s"),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    0,
                    times,
                    parts,
                    Optional.empty()));
        });
        if (all.isEmpty()) {
            throw new LineMistake(parts.size() + 1L, "expected a last row " + ALL);
        }
        return all.get(0);
    }

    private static NavigableMap<Double, Double> percentiles(Row row) throws LineMistake {
        NavigableMap<Double, Double> percentiles = new TreeMap<>();
        for (String name : row.names()) {
            if (name.endsWith("%") && !row.text(name).equals("N/A")) {
                percentiles.put(Double.valueOf(name.replace("%", "")), row.number(name));
            }
        }
        return percentiles;
    }

    /** Only the totals of its last row are of the whole run. */
    static ForeignRun history(Path file) throws IOException {
        List<Row> rows = new ArrayList<>();
        double[] users = {0, 0, 0};
        CsvTable.read(file, List.of(), row -> {
            if (row.text("Name").equals(ALL)) {
                rows.add(row);
                double number = row.number("User Count");
                // Before the first users and after the last ones there are rows, too.
                if (number > 0) {
                    users[0] += number;
                    users[1]++;
                    users[2] = Math.max(users[2], number);
                }
            }
        });
        if (rows.isEmpty()) {
            throw new LineMistake(1, "expected rows " + ALL);
        }
        Row last = rows.get(rows.size() - 1);
        return new ForeignRun(
                ForeignFormat.LOCUST_HISTORY,
                last.number("Total Request Count"),
                last.number("Total Failure Count"),
                last.number("Timestamp") - rows.get(0).number("Timestamp"),
                users[0] / users[1],
                users[2],
                Double.NaN,
                0,
                new ForeignTimes(
                        last.number("Total Average Response Time"),
                        last.number("Total Min Response Time"),
                        last.number("Total Max Response Time"),
                        new TreeMap<>()),
                List.of(),
                Optional.empty());
    }
}
