package io.phaseload.report.text.runs;

import io.phaseload.history.History;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.HistoryTables;

/** A history for people: as text, and as Markdown. */
public final class HistoryReport {

    private HistoryReport() {}

    /**
     * Writes a history as text.
     *
     * @param history the history
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(History history, int columns) {
        Lines out = new Lines(columns);
        out.format("%s: %d runs", history.title(), history.runs().size());
        out.add(HistoryTables.sentence(history));
        HistoryTables.notes(history).forEach(out::add);
        Table changes = HistoryTables.changes(history);
        if (!changes.isEmpty()) {
            out.add("");
            out.add(changes);
        }
        out.add("");
        out.add(HistoryTables.runs(history));
        return out.toString();
    }

    /**
     * Writes a history as Markdown, for a pull request.
     *
     * @param history the history
     * @return lines that end in line feeds
     */
    public static String markdown(History history) {
        Table changes = HistoryTables.changes(history);
        return Markdown.head("history of " + history.title(), HistoryTables.sentence(history))
                + (changes.isEmpty() ? "" : Markdown.table(changes) + "\n")
                + Markdown.list(HistoryTables.notes(history))
                + "\n"
                + Markdown.table(HistoryTables.runs(history));
    }
}
