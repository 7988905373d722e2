package io.phaseload.files;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Comma-separated values as RFC 4180 has them, but for lines' ends, which are line feeds. */
public final class Csv {

    private Csv() {}

    /**
     * Splits a file into records.
     *
     * @param text of the file; what follows the last line feed is incomplete, and left out
     * @return records; one may go over a line's end within quotes
     */
    public static List<String> records(String text) {
        List<String> records = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\n' && !quoted) {
                records.add(text.substring(begin, i));
                begin = i + 1;
            }
        }
        return records;
    }

    /**
     * Splits a record into cells.
     *
     * @param record without its line's end
     * @return the cells without their quotes; at least one
     */
    public static List<String> cells(String record) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < record.length(); i++) {
            char c = record.charAt(i);
            if (c == '"') {
                // Two of them within quotes are one of the text.
                boolean doubled = quoted && i + 1 < record.length() && record.charAt(i + 1) == '"';
                if (doubled) {
                    cell.append(c);
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /**
     * Joins cells to a record.
     *
     * @param cells of any text
     * @return a record without its line's end
     */
    public static String record(List<String> cells) {
        return cells.stream().map(Csv::quoted).collect(Collectors.joining(","));
    }

    /**
     * One cell of a record.
     *
     * @param text any text
     * @return in quotes if it needs them
     */
    public static String quoted(String text) {
        return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
