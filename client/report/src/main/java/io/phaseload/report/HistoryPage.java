package io.phaseload.report;

import io.phaseload.history.History;
import io.phaseload.history.History.HistoryRun;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.tables.runs.HistoryTables;
import io.phaseload.stats.Effect.Word;
import io.phaseload.verdict.Verdict;
import java.util.List;
import java.util.Locale;

/** The page of a history, or of several. */
public final class HistoryPage {

    private HistoryPage() {}

    /**
     * Writes the page.
     *
     * @param histories at least one
     * @return HTML that loads nothing
     */
    public static String write(List<History> histories) {
        String title = histories.size() == 1 ? histories.get(0).title() : histories.size() + " plans";
        Page page = new Page("History of " + title + " – Phaseload", List.of(HistoryTables.of(histories)));
        for (History history : histories) {
            page.header(header(history));
        }
        page.charts("charts", "Charts", List.of(Chart.of("history", "history")), "");
        for (int i = 0; i < histories.size(); i++) {
            History history = histories.get(i);
            String of = histories.size() == 1 ? "" : " of " + history.title();
            page.section(
                    "changes-" + (i + 1),
                    "Changes" + of,
                    Html.tableIfAny("Changes" + of, HistoryTables.changes(history)));
            page.section("runs-" + (i + 1), "Runs" + of, Html.sortable("Runs" + of, HistoryTables.runs(history)));
        }
        return page.write();
    }

    private static String header(History history) {
        List<HistoryRun> runs = history.runs();
        String badges = changes("INVALID", Word.WORSE, history) + changes("VALID", Word.BETTER, history);
        for (Verdict.Status status : List.of(Verdict.Status.SUSPECT, Verdict.Status.INVALID)) {
            badges += Html.count(
                    status.name(),
                    status + " measurements",
                    runs.stream().filter(of -> of.status() == status).count());
        }
        String last = Html.minute(runs.get(runs.size() - 1).startedAt());
        return Html.header(
                        "History of " + history.title(),
                        Html.paragraph("sentence", HistoryTables.sentence(history)) + "<p>" + badges + "</p>\n",
                        List.of(
                                List.of("Runs", String.valueOf(runs.size())),
                                List.of("First", Html.minute(runs.get(0).startedAt())),
                                List.of("Last", last),
                                List.of(
                                        "Machines",
                                        String.valueOf(history.machines().size()))))
                + Html.fold("Machines and remarks", Html.list(HistoryTables.notes(history)));
    }

    private static String changes(String status, Word word, History history) {
        return Html.count(
                status,
                word.name().toLowerCase(Locale.ROOT),
                history.changes().stream()
                        .filter(of -> of.change().word() == word)
                        .count());
    }
}
