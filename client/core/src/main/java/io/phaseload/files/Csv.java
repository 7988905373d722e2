package io.phaseload.files;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Comma-separated values as in RFC 4180, but with line feeds as line ends. */
public final class Csv {

    private Csv() {}

    /**
     * Splits a file into records.
     *
     * @param text the file's; what follows the last line feed is incomplete and is left out
     * @return records; quoted cells may contain line feeds
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
                // A doubled quote stands for one.
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
     * Joins cells into a record.
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
     * @return quoted if necessary
     */
    public static String quoted(String text) {
        return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
