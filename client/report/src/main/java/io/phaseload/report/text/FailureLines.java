package io.phaseload.report.text;

import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;

/** The lines beside the failures by cause: requests that were sent again, and soft checks that didn't hold. */
public final class FailureLines {

    private FailureLines() {}

    /**
     * The lines, in the same words for text, summary and page.
     *
     * @param result of a run
     * @return one line each, without line ends; none if nothing was sent again and all checks held
     */
    public static List<String> of(Result result) {
        Figures totals = result.totals();
        List<String> lines = new ArrayList<>();
        if (totals.resent() > 0) {
            lines.add(TextReport.format(
                    "Sent again: %d, %s; the server may have read these requests before",
                    totals.resent(), reason(result.plan())));
        }
        totals.warnings().forEach(warning -> lines.add(line(warning, totals.succeeded())));
        return lines;
    }

    private static String reason(Plan plan) {
        if (plan.engine().client().isPresent()) {
            return "by retries and redirects";
        }
        return plan.scenario().streams().stream().noneMatch(EventStream::reconnect)
                ? "after a connection ended without a response"
                : "for streams that ended early, or after a connection ended without a response";
    }

    private static String line(Figures.Warning warning, long succeeded) {
        String extent = warning.count() == succeeded ? "never held in %d" : "didn't hold for %d of %d";
        return "Warning: %s: %s successful requests%s"
                .formatted(
                        warning.cause(),
                        extent.formatted(warning.count(), succeeded),
                        warning.detail().isEmpty() ? "" : "; the first: " + warning.detail());
    }
}
