package io.phaseload.report.text;

import io.phaseload.result.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The failures by cause, and where they were. */
final class FailureLines {

    private FailureLines() {}

    /** Adds the table. */
    static void add(Result result, Lines out) {
        List<FailureCount> failures = FailureCount.of(result);
        if (failures.isEmpty()) {
            out.add("Failures: none");
            return;
        }
        out.add("Failures by cause:");
        TextTable table = new TextTable(3, "  cause", "phase", "operation", "count", "percent");
        Map<String, FailureCount> first = new LinkedHashMap<>();
        for (FailureCount failure : failures) {
            table.row(
                    "  " + failure.cause(),
                    failure.phase(),
                    failure.operation(),
                    Long.toString(failure.count()),
                    TextReport.format("%.2f", failure.percent()));
            if (!failure.first().isEmpty()) {
                first.putIfAbsent(failure.cause(), failure);
            }
        }
        out.add(table);
        first.forEach(
                (cause, failure) ->
                        out.format(
                                "  The first '%s' (%s, %s): %s",
                                cause, failure.phase(), failure.operation(), failure.first()));
    }
}
