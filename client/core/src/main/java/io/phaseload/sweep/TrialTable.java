package io.phaseload.sweep;

import io.phaseload.result.AtomicFile;
import io.phaseload.result.Csv;
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

/**
 * The file {@code trials.csv}: a row for each operation of each trial, written when the trial is
 * over. Not thread-safe.
 */
public final class TrialTable {

    /** Its name in a sweep's folder. */
    public static final String FILE = "trials.csv";

    private final Path file;
    private final List<String> columns;
    private final List<TrialRow> rows;

    private TrialTable(Path file, List<String> columns, List<TrialRow> rows) {
        this.file = file;
        this.columns = List.copyOf(columns);
        this.rows = new ArrayList<>(rows);
    }

    /**
     * Makes a file with a header and no rows.
     *
     * @param folder of the sweep
     * @param columns of the rows
     * @return the table
     * @throws IOException if it can't be written
     */
    public static TrialTable create(Path folder, List<String> columns) throws IOException {
        TrialTable table = new TrialTable(folder.resolve(FILE), columns, List.of());
        table.write();
        return table;
    }

    /**
     * Reads a file.
     *
     * @param folder of the sweep
     * @return the table; a row that was cut off is left out
     * @throws IOException if there is none, or it isn't one
     */
    public static TrialTable read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is missing");
        }
        List<String> records =
                Csv.records(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        if (records.isEmpty()) {
            throw new IOException(file + ": expected a line with columns");
        }
        List<String> columns = Csv.cells(records.get(0));
        List<TrialRow> rows = new ArrayList<>();
        for (String record : records.subList(1, records.size())) {
            List<String> cells = Csv.cells(record);
            if (cells.size() != columns.size()) {
                throw new IOException(
                        "%s: row %d has %d cells: expected %d"
                                .formatted(file, rows.size() + 2, cells.size(), columns.size()));
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(columns.get(i), cells.get(i));
            }
            rows.add(new TrialRow(row));
        }
        return new TrialTable(file, columns, rows);
    }

    /**
     * Leaves out what isn't the whole of a trial, and what follows it on the disk: a sweep that was
     * killed may have left it.
     *
     * @param operations how many rows a trial has
     * @throws IOException if the file can't be written
     */
    public void keepWholeTrials(int operations) throws IOException {
        Map<List<Integer>, Long> counts =
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row -> List.of(row.step(), row.trial()),
                                        Collectors.counting()));
        rows.removeIf(row -> counts.get(List.of(row.step(), row.trial())) != operations);
        write();
    }

    /**
     * Adds the rows of a trial, to the disk, too.
     *
     * @param trial one an operation
     * @throws IOException if the file can't be written
     */
    public void add(List<TrialRow> trial) throws IOException {
        rows.addAll(trial);
        try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
            out.write(text(trial).getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
    }

    private void write() throws IOException {
        AtomicFile.write(file, Csv.record(columns) + "\n" + text(rows));
    }

    private String text(List<TrialRow> some) {
        return some.stream()
                .map(row -> Csv.record(columns.stream().map(row::text).toList()) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Whether a trial is among the rows.
     *
     * @param trial the trial
     * @return {@code true} if it is over, failed or not
     */
    public boolean has(Trial trial) {
        return rows.stream().anyMatch(row -> row.isOf(trial));
    }

    /**
     * The names of the columns.
     *
     * @return in order
     */
    public List<String> columns() {
        return columns;
    }

    /**
     * All rows.
     *
     * @return in the order in which trials were run
     */
    public List<TrialRow> rows() {
        return List.copyOf(rows);
    }
}
