package io.phaseload.report.text;

import io.phaseload.audit.Audit;
import io.phaseload.audit.Check;
import io.phaseload.audit.Check.Outcome;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The audit of another tool's result, for people. */
public final class AuditReport {

    private AuditReport() {}

    /**
     * Writes an audit, with its worst outcomes first.
     *
     * @param audit the audit
     * @param columns the width, see {@link TextTable#write}
     * @return lines that end in line feeds
     */
    public static String text(Audit audit, int columns) {
        Lines out = new Lines(columns);
        out.add(audit.tool() + ": " + String.join(", ", figures(audit)));
        out.add("");
        audit.checks().stream()
                .sorted(Comparator.comparing(Check::outcome).reversed())
                .forEach(check -> {
                    out.format("%-8s%s: %s", check.outcome(), check.id(), check.text());
                    if (!check.advice().isEmpty()) {
                        out.add(" ".repeat(8) + check.advice());
                    }
                });
        out.add("");
        out.add("This file can't show:");
        audit.hidden().forEach(fact -> out.add("- " + fact));
        out.add("");
        out.format(
                "Wrong: %d, doubtful: %d, unknown: %d, passed: %d.",
                audit.count(Outcome.WRONG),
                audit.count(Outcome.DOUBT),
                audit.count(Outcome.UNKNOWN),
                audit.count(Outcome.PASSED));
        return out.toString();
    }

    private static List<String> figures(Audit audit) {
        List<String> figures = new ArrayList<>();
        audit.requests().ifPresent(number -> figures.add(TextFormat.format("%,.0f requests", number)));
        add(figures, audit.seconds(), "in %s s");
        audit.seconds()
                .flatMap(seconds -> audit.requests().map(number -> number / seconds))
                .ifPresent(rate -> figures.add(Significant.text(rate) + "/s"));
        audit.users().ifPresent(number -> figures.add(TextFormat.format("%.0f users", number)));
        add(figures, audit.meanMs(), "mean %s ms");
        add(figures, audit.p99Ms(), "p99 %s ms");
        audit.failed().ifPresent(number -> figures.add(TextFormat.format("%,.0f failed", number)));
        return figures;
    }

    private static void add(List<String> figures, Optional<Double> value, String pattern) {
        value.map(Significant::text).map(pattern::formatted).ifPresent(figures::add);
    }
}
