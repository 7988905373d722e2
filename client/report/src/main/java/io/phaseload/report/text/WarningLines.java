package io.phaseload.report.text;

import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import java.util.List;

/** The soft checks that didn't hold. */
public final class WarningLines {

    private WarningLines() {}

    /**
     * Writes them.
     *
     * @param result of a run
     * @return one line each, without line ends; none if all held
     */
    public static List<String> of(Result result) {
        Figures totals = result.totals();
        return totals.warnings().stream()
                .map(warning -> line(warning, totals.succeeded()))
                .toList();
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
