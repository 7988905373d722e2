package io.phaseload.files;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Comma-separated values as in RFC 4180, but with line feeds as line ends. A text that a spreadsheet would take for a
 * formula has an apostrophe before it; readers of this class don't see it.
 */
public final class Csv {

    private static final char APOSTROPHE = '\'';

    /** Apostrophes of its own count, so that each text has exactly one form. */
    private static final Pattern FORMULA = Pattern.compile("(?s)'*[=+\\-@\t\r].*");

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

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
                cells.add(plain(cell));
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(plain(cell));
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
     * @return quoted if necessary, and never a formula; numbers stay numbers
     */
    public static String quoted(String text) {
        boolean formula =
                FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches();
        String inert = formula ? APOSTROPHE + text : text;
        return inert.matches("[^\",\r\n]*") ? inert : '"' + inert.replace("\"", "\"\"") + '"';
    }

    private static String plain(CharSequence cell) {
        boolean marked = cell.length() > 1 && cell.charAt(0) == APOSTROPHE;
        return marked && FORMULA.matcher(cell).matches()
                ? cell.subSequence(1, cell.length()).toString()
                : cell.toString();
    }
}
