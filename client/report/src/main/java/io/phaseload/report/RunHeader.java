package io.phaseload.report;

import io.phaseload.report.cells.Significant;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.Part;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.ProofLines;
import io.phaseload.report.text.SetUpLines;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.timing.MessageTimings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The header of a run's page: how the target did, whether the figures can be trusted, and the run itself.
 *
 * @param measured the measured phases
 */
record RunHeader(Result result, Part measured) {

    /** From here on, failures aren't rare. */
    private static final double LEAST_BAD_PERCENT = 5;

    /** A load of which most is missing is another one. */
    private static final double MOST_PERCENT = 50;

    /** As the verdict has it. */
    private static final double LEAST_NOT_SENT_PERCENT = 1;

    static String of(Result result, Part measured) {
        return new RunHeader(result, measured).header();
    }

    private String header() {
        return Html.header(
                Headline.title(result),
                Html.paragraph("sentence", Headline.sentence(result)) + proof() + status(),
                List.of(
                        List.of("Target", SetUpLines.url(result)),
                        List.of("Started", Html.minute(result.startedAt())),
                        List.of("Phases", Headline.phases(result)),
                        List.of("Duration", duration()),
                        List.of("Client", Html.machine(result.environment())),
                        List.of("Labels", SetUpLines.labels(result.plan()))));
    }

    private String duration() {
        Duration wall = result.totals().wall();
        String minutes = wall.toMinutes() == 0
                ? ""
                : TextFormat.format(" (%d:%02d min)", wall.toMinutes(), wall.toSecondsPart());
        return TextFormat.format("%,.1f s", wall.toNanos() / 1e9) + minutes;
    }

    /** How the target did, then whether the figures can be trusted. */
    private String status() {
        String status = result.verdict().status().toString();
        int thresholds = result.thresholds().size();
        long failed = outcomes(Outcome.FAIL);
        long undecided = outcomes(Outcome.UNDECIDED);
        return "<p>"
                + requests()
                + notSent()
                + Html.badge(unlessAllFailed(status), "measurement " + status)
                + (Headline.isUnsteady(result) ? Html.badge("SUSPECT", "not steady") : "")
                + result.steady().stream()
                        .map(of -> Html.badge(of.reached() ? "" : "SUSPECT", of.text()))
                        .collect(Collectors.joining())
                + (failed == 0 ? "" : Html.badge("FAIL", "thresholds failed: " + failed + " of " + thresholds))
                + (undecided == 0
                        ? ""
                        : Html.badge("SUSPECT", "thresholds undecided: " + undecided + " of " + thresholds))
                + (failed + undecided > 0 ? "" : Html.count(unlessAllFailed("PASS"), "thresholds held", thresholds))
                + "</p>\n";
    }

    private long outcomes(Outcome outcome) {
        return result.thresholds().stream()
                .filter(of -> of.outcome() == outcome)
                .count();
    }

    private String requests() {
        Figures figures = result.measured();
        boolean messages = result.totals().has(MessageTimings.SECTION);
        String one = messages ? "message" : "request";
        if (result.totals().allFailed()) {
            return Html.badge("FAIL", "no " + one + " succeeded");
        }
        if (figures.allFailed()) {
            return Html.badge("FAIL", "no measured " + one + " succeeded");
        }
        if (figures.requests() == 0) {
            return Html.badge("", "no measured " + one + " was sent");
        }
        double percent = figures.failedPercent();
        return percent == 0
                ? Html.badge("PASS", messages ? "no message was lost" : "no request failed")
                : Html.badge(
                        percent < LEAST_BAD_PERCENT ? "SUSPECT" : "FAIL",
                        "%s %% of %ss %s".formatted(Significant.text(percent), one, messages ? "were lost" : "failed"));
    }

    /** That nothing failed must not look well where most of the load is missing. */
    private String notSent() {
        double percent = measured.asked() == 0 || measured.targetPerSecond().isEmpty()
                ? 0
                : 100.0 * measured.notSent() / measured.asked();
        return percent < LEAST_NOT_SENT_PERCENT
                ? ""
                : Html.badge(
                        percent < MOST_PERCENT ? "SUSPECT" : "FAIL",
                        "%s %% of the load wasn't sent".formatted(Significant.text(percent)));
    }

    private String proof() {
        return result.proof()
                .map(proof -> Html.paragraph("", ProofLines.sentence(proof))
                        + (ProofLines.details(proof).isEmpty() ? "" : Html.list(ProofLines.details(proof))))
                .orElse("");
    }

    /** Nothing must look good in a run without a success: neither thresholds nor an older verdict. */
    private String unlessAllFailed(String status) {
        boolean good = status.equals("VALID") || status.equals("PASS");
        return good && result.totals().allFailed() ? "" : status;
    }
}
