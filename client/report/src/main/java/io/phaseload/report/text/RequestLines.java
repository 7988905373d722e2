package io.phaseload.report.text;

import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What became of the requests, and what their responses say of the target. */
final class RequestLines {

    private final Result result;
    private final Lines out;

    private RequestLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the lines. */
    static void add(Result result, Lines out) {
        RequestLines of = new RequestLines(result, out);
        of.responses();
        of.notSent();
    }

    private void responses() {
        Figures totals = result.totals();
        if (!totals.statuses().isEmpty()) {
            out.add("Status codes: " + ResponseText.statuses(totals));
        }
        if (!totals.redirects().isEmpty()) {
            out.add(ResponseText.redirects(totals));
        }
        out.add("Received: " + ResponseText.received(totals));
        if (totals.censored() > 0) {
            out.format(
                    "Timeouts: %d; they are counted with their limit, which is a lower bound.",
                    totals.censored());
        }
    }

    private void notSent() {
        Map<String, Long> reasons = new TreeMap<>();
        for (PhaseResult phase : result.phases()) {
            phase.notSent().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        }
        if (!reasons.isEmpty()) {
            long asked = result.phases().stream().mapToLong(PhaseResult::asked).sum();
            long missing = reasons.values().stream().mapToLong(Long::longValue).sum();
            String causes =
                    reasons.entrySet().stream()
                            .map(reason -> reason.getKey() + " " + reason.getValue())
                            .collect(Collectors.joining(", "));
            out.format("Not sent: %d of %d (%s)", missing, asked, causes);
        }
    }
}
