package io.phaseload.report.text;

import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;

/** The lines beside the failures by cause: requests that were sent again, and remarks about checks. */
public final class FailureLines {

    private FailureLines() {}

    /**
     * The lines, in the same words for text, summary and page.
     *
     * @param result of a run
     * @return one line each, without line ends; none if nothing was sent again and no check stands out
     */
    public static List<String> of(Result result) {
        Figures totals = result.totals();
        List<String> lines = new ArrayList<>();
        if (totals.resent() > 0) {
            lines.add(TextReport.format(
                    "Sent again: %d, %s; the server may have read these requests before",
                    totals.resent(), reason(result.plan())));
        }
        lines.addAll(WarningLines.of(result));
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
}
