package io.phaseload.report.text;

import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.CheckRemark;
import io.phaseload.result.Figures;
import io.phaseload.result.Figures.Warning;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines beside the failures by cause: requests that were sent again, and remarks about checks. */
public final class FailureLines {

    /** A soft check of an operation, over all phases. */
    private record SoftCheck(String operation, String cause) {}

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
            lines.add(TextFormat.format(
                    "Sent again: %d, %s; the server may have read these requests before",
                    totals.resent(), reason(result.plan())));
        }
        lines.addAll(warnings(result));
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

    /** The soft checks that didn't hold, and the checks that said nothing about a run. */
    private static List<String> warnings(Result result) {
        List<String> lines = new ArrayList<>();
        result.checks().forEach(remark -> lines.add(line(remark)));
        Map<String, Long> succeeded = new LinkedHashMap<>();
        Map<SoftCheck, Warning> warnings = new LinkedHashMap<>();
        result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .forEach(operation -> add(operation, succeeded, warnings));
        for (CheckRemark remark : result.checks()) {
            warnings.remove(new SoftCheck(remark.operation(), remark.check()));
        }
        warnings.forEach((soft, warning) -> lines.add(line(soft, warning, succeeded.get(soft.operation()))));
        return lines;
    }

    private static void add(OperationResult operation, Map<String, Long> succeeded, Map<SoftCheck, Warning> warnings) {
        succeeded.merge(operation.name(), operation.figures().succeeded(), Long::sum);
        operation
                .figures()
                .warnings()
                .forEach(warning ->
                        warnings.merge(new SoftCheck(operation.name(), warning.cause()), warning, FailureLines::plus));
    }

    private static Warning plus(Warning first, Warning later) {
        return new Warning(
                first.cause(),
                first.count() + later.count(),
                first.detail().isEmpty() ? later.detail() : first.detail());
    }

    private static String line(CheckRemark remark) {
        String text = remark.finding() == CheckRemark.Reason.NEVER_HELD
                ? "never held in %d responses"
                : "never had anything to check in %d responses";
        return line(remark.operation(), remark.check(), text.formatted(remark.requests()), remark.detail());
    }

    private static String line(SoftCheck soft, Warning warning, long succeeded) {
        String extent = "didn't hold for %d of %d successful requests".formatted(warning.count(), succeeded);
        return line(soft.operation(), soft.cause(), extent, warning.detail());
    }

    private static String line(String operation, String check, String extent, String detail) {
        return "Warning: %s: %s: %s%s"
                .formatted(operation, check, extent, detail.isEmpty() ? "" : "; the first: " + detail);
    }
}
