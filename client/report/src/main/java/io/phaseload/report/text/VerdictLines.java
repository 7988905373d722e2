package io.phaseload.report.text;

import io.phaseload.result.Result;

/** The verdict on the measurement, and what became of the thresholds. */
final class VerdictLines {

    private final Result result;
    private final Lines out;

    private VerdictLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the lines. */
    static void add(Result result, Lines out) {
        VerdictLines of = new VerdictLines(result, out);
        of.verdict();
        of.thresholds();
    }

    private void verdict() {
        out.add("");
        out.add("Verdict: " + result.verdict().status());
        result.verdict().reasons().forEach(reason -> out.add("  " + reason));
    }

    private void thresholds() {
        if (result.thresholds().isEmpty()) {
            return;
        }
        long failed = result.thresholds().stream().filter(of -> !of.passed()).count();
        out.format("Thresholds: %d of %d failed", failed, result.thresholds().size());
        TextTable table = new TextTable(3, "  ", "threshold", "observed");
        result.thresholds()
                .forEach(of -> table.row("  " + of.outcome(), of.expression(), of.observedText()));
        out.add(table);
    }
}
