package io.phaseload.sweep.rows;

import io.phaseload.files.AtomicFile;
import io.phaseload.files.Csv;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The file {@code trials.csv}: a header, and a row for each operation of each trial. */
public final class TrialCsv {

    /** Its name in a sweep's folder. */
    public static final String FILE = "trials.csv";

    private TrialCsv() {}

    /**
     * Reads a file.
     *
     * @param folder of the sweep
     * @return the table, without a truncated last row
     * @throws IOException if there is none, or it isn't one
     */
    public static TrialTable read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is missing");
        }
        List<String> records = Csv.records(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        if (records.isEmpty()) {
            throw new IOException(file + ": expected a header line");
        }
        List<String> columns = Csv.cells(records.get(0));
        List<TrialRow> rows = new ArrayList<>();
        for (String record : records.subList(1, records.size())) {
            List<String> cells = Csv.cells(record);
            if (cells.size() != columns.size()) {
                throw new IOException("%s: row %d has %d cells: expected %d"
                        .formatted(file, rows.size() + 2, cells.size(), columns.size()));
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(columns.get(i), cells.get(i));
            }
            rows.add(new TrialRow(row));
        }
        return TrialTable.of(columns, rows);
    }

    /**
     * Writes a complete file.
     *
     * @param folder of the sweep
     * @throws IOException if it can't be written; the file is then unchanged
     */
    public static void write(Path folder, TrialTable table) throws IOException {
        AtomicFile.write(
                folder.resolve(FILE), Csv.record(table.columns()) + "\n" + text(table.columns(), table.rows()));
    }

    /**
     * Adds the rows of a trial; they are on the disk when this returns.
     *
     * @param folder of the sweep, with a file of the same columns
     * @param columns of the file
     * @param trial one row per operation
     * @throws IOException if the file can't be written
     */
    public static void append(Path folder, List<String> columns, List<TrialRow> trial) throws IOException {
        try (FileOutputStream out = new FileOutputStream(folder.resolve(FILE).toFile(), true)) {
            out.write(text(columns, trial).getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
    }

    private static String text(List<String> columns, List<TrialRow> rows) {
        return rows.stream()
                .map(row -> Csv.record(columns.stream().map(row::text).toList()) + "\n")
                .collect(Collectors.joining());
    }
}
