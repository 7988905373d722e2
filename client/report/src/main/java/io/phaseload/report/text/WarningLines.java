package io.phaseload.report.text;

import io.phaseload.result.CheckRemark;
import io.phaseload.result.Figures.Warning;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The soft checks that didn't hold, and the checks that said nothing about a run. */
final class WarningLines {

    /** A soft check of an operation, over all phases. */
    private record Soft(String operation, String cause) {}

    private WarningLines() {}

    /**
     * Writes them.
     *
     * @param result of a run
     * @return one line each, without line ends; none if all held
     */
    static List<String> of(Result result) {
        List<String> lines = new ArrayList<>();
        result.checks().forEach(remark -> lines.add(line(remark)));
        Map<String, Long> succeeded = new LinkedHashMap<>();
        Map<Soft, Warning> warnings = new LinkedHashMap<>();
        result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .forEach(operation -> add(operation, succeeded, warnings));
        for (CheckRemark remark : result.checks()) {
            warnings.remove(new Soft(remark.operation(), remark.check()));
        }
        warnings.forEach((soft, warning) -> lines.add(line(soft, warning, succeeded.get(soft.operation()))));
        return lines;
    }

    private static void add(OperationResult operation, Map<String, Long> succeeded, Map<Soft, Warning> warnings) {
        succeeded.merge(operation.name(), operation.figures().succeeded(), Long::sum);
        operation
                .figures()
                .warnings()
                .forEach(warning ->
                        warnings.merge(new Soft(operation.name(), warning.cause()), warning, WarningLines::plus));
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

    private static String line(Soft soft, Warning warning, long succeeded) {
        String extent = "didn't hold for %d of %d successful requests".formatted(warning.count(), succeeded);
        return line(soft.operation(), soft.cause(), extent, warning.detail());
    }

    private static String line(String operation, String check, String extent, String detail) {
        return "Warning: %s: %s: %s%s"
                .formatted(operation, check, extent, detail.isEmpty() ? "" : "; the first: " + detail);
    }
}
