package io.phaseload.result;

/** The failures by cause. */
final class FailureLines {

    private final Result result;
    private final Lines out;

    private FailureLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the table. */
    static void add(Result result, Lines out) {
        new FailureLines(result, out).failures();
    }

    private void failures() {
        out.add("");
        if (result.totals().failures().isEmpty()) {
            out.add("Failures: none");
            return;
        }
        out.add("Failures by cause:");
        TextTable table = new TextTable(1, "  cause", "count", "percent");
        result.totals()
                .failures()
                .forEach(
                        (cause, count) ->
                                table.row(
                                        "  " + cause,
                                        count.toString(),
                                        TextReport.format(
                                                "%.2f",
                                                100.0 * count / result.totals().requests())));
        out.add(table);
        result.totals()
                .failureDetails()
                .forEach((cause, detail) -> out.add("  the first '" + cause + "' said: " + detail));
    }
}
