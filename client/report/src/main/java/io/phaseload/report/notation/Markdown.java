package io.phaseload.report.notation;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import java.util.List;
import java.util.stream.Collectors;

/** Builds Markdown. */
public final class Markdown {

    private Markdown() {}

    /**
     * Escapes text for one line and one cell of a table.
     *
     * @param text any
     * @return the text with backslashes
     */
    public static String text(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_<>|#~\\[&])", "\\\\$1");
    }

    /** A list, one item per line. */
    public static String list(List<String> items) {
        return items.stream().map(item -> "- " + text(item) + "\n").collect(Collectors.joining());
    }

    /** The beginning of a summary: its subject, and its outcome in a sentence. */
    public static String head(String subject, String outcome) {
        return "## Phaseload: %s\n\n**%s**\n\n".formatted(text(subject), text(outcome));
    }

    /**
     * A table with numbers right-aligned.
     *
     * @param table any
     * @return lines that each end in a line feed
     */
    public static String table(Table table) {
        StringBuilder out = new StringBuilder();
        out.append(row(
                table.columns().stream().map(of -> text(TextTable.heading(of))).toList()));
        table.columns().forEach(column -> out.append(column.isText() ? "|---" : "|---:"));
        out.append("|\n");
        table.cells(Markdown::cell).forEach(row -> out.append(row(row)));
        return out.toString();
    }

    private static String cell(Column column, Object cell) {
        String text = text(column.write(cell));
        return cell instanceof Strong ? "**" + text + "**" : text;
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
