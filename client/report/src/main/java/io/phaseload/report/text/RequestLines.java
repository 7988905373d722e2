package io.phaseload.report.text;

import io.phaseload.plan.Plan;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The lines about how requests ended. */
public final class RequestLines {

    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    private final Figures totals;
    private final List<String> lines = new ArrayList<>();

    private RequestLines(Figures totals) {
        this.totals = totals;
    }

    /**
     * The lines, in the same words for text, summary and page.
     *
     * @param result of a run
     * @return one line each, without line ends
     */
    public static List<String> of(Result result) {
        RequestLines of = new RequestLines(result.totals());
        of.responses(follows(result.plan()));
        of.exceptions();
        of.notSent(result);
        return of.lines;
    }

    /** Whether a session does, which may be that of one journey of several. */
    private static boolean follows(Plan plan) {
        return plan.scenario().journeys().stream()
                .flatMap(journeys -> journeys.all().stream())
                .anyMatch(journey -> journey.session().redirects() > 0);
    }

    private void responses(boolean followed) {
        if (!totals.statuses().isEmpty()) {
            lines.add("Status codes: " + counts(totals.statuses(), ": "));
        }
        Map<Integer, Long> redirects = totals.redirects();
        if (!redirects.isEmpty()) {
            lines.add(TextFormat.format(
                    followed
                            ? "Redirects, followed where the session says so: %d (%s)"
                            : "Redirects not followed: %d (%s)",
                    sum(redirects),
                    redirects.keySet().stream().map(Object::toString).collect(Collectors.joining(", "))));
        }
        lines.add(TextFormat.format(
                "Received: %s, %s/s", bytes(totals.bytesReceived()), bytes(totals.bytesReceivedPerSecond())));
    }

    private void exceptions() {
        if (totals.censored() > 0) {
            lines.add(TextFormat.format("Timeouts: %,d, counted with the time limit", totals.censored()));
        }
    }

    private void notSent(Result result) {
        Map<String, Long> reasons = new TreeMap<>();
        for (PhaseResult phase : result.phases()) {
            phase.notSent().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        }
        if (!reasons.isEmpty()) {
            long asked = result.phases().stream().mapToLong(PhaseResult::asked).sum();
            lines.add(TextFormat.format("Not sent: %,d of %,d (%s)", sum(reasons), asked, counts(reasons, " ")));
        }
    }

    /** The requests per second that succeeded, and that failed. */
    static String outcomes(Figures figures) {
        return TextFormat.format(
                "%.2f rps succeeded, %.2f rps failed", figures.succeededPerSecond(), figures.failedPerSecond());
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String counts(Map<?, Long> counts, String separator) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + separator + TextFormat.format("%,d", count.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String bytes(double count) {
        if (count < 1_000) {
            return TextFormat.format("%.0f B", count);
        }
        int unit = 0;
        double scaled = count / 1_000;
        while (scaled >= 999.9995 && unit < UNITS.length - 1) {
            scaled /= 1_000;
            unit++;
        }
        return TextFormat.format("%.3f %s", scaled, UNITS[unit]);
    }
}
