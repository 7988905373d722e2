package io.phaseload.audit;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A file of CSV, row by row. */
final class CsvTable {

    /** Uses a row. */
    interface RowAction {
        void read(Row row) throws LineMistake;
    }

    /** A row, whose cells have the names of columns. */
    record Row(long line, List<String> names, List<String> cells) {

        boolean has(String name) {
            return names.contains(name);
        }

        String text(String name) throws LineMistake {
            int at = names.indexOf(name);
            if (at < 0) {
                throw new LineMistake(1, "expected a column " + name);
            }
            return cells.get(at);
        }

        double number(String name) throws LineMistake {
            String text = text(name);
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new LineMistake(line, "%s: expected a number, got '%s'".formatted(name, text));
            }
        }
    }

    private CsvTable() {}

    /** Reads all rows; {@code names} is empty if the first one has them. */
    static void read(Path file, List<String> names, RowAction reader) throws IOException {
        try (CsvReader<CsvRecord> csv = CsvReader.builder()
                        .allowExtraFields(true)
                        .allowMissingFields(true)
                        .ofCsvRecord(file, StandardCharsets.UTF_8);
                CloseableIterator<CsvRecord> rows = csv.iterator()) {
            List<String> columns = names;
            while (rows.hasNext()) {
                CsvRecord row = rows.next();
                if (columns.isEmpty()) {
                    columns = row.getFields();
                    continue;
                }
                // A file that is being written ends anywhere.
                if (row.getFieldCount() != columns.size()) {
                    throw new LineMistake(
                            row.getStartingLineNumber(),
                            "expected %d cells, got %d".formatted(columns.size(), row.getFieldCount()));
                }
                reader.read(new Row(row.getStartingLineNumber(), columns, row.getFields()));
            }
        }
    }
}
