package io.phaseload.report.text;

import io.phaseload.report.cells.Millis;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.Result;

/** The lines whose wording is fixed, since scripts read them, and their additions. */
final class ContractLines {

    private ContractLines() {}

    /** Adds the lines of all phases. */
    static void addTotals(Result result, Lines out) {
        Figures totals = result.totals();
        Latency response = totals.response();
        out.add("Total number of requests sent: " + totals.requests());
        out.add("Total number of Successful responses: " + totals.succeeded());
        out.format("Failed requests: %d (%.2f %%)", totals.failed(), totals.failedPercent());
        out.format("Test Wall Time: %.3f seconds", TextFormat.seconds(totals.wall()));
        out.format("Overall throughput across all phases: %.2f rps.", totals.requestsPerSecond());
        out.add("Mean Latency for all requests = " + inMillis(response.mean()));
        out.add("Median Latency = " + inMillis(response.p50()));
        out.add("P95 Latency = " + inMillis(response.p95()));
        out.add("P99 Latency = " + inMillis(response.p99()));
        if (totals.failed() > 0) {
            out.add("Throughput by outcome: " + RequestLines.outcomes(totals));
            out.add("Latency of successes (ms): " + latencies(totals.responseOfSuccesses()));
        }
    }

    /** Adds the same for the measured phases in different words, so that scripts find each line once. */
    static void addMeasured(Result result, Lines out) {
        if (result.measuredPhases().size() == result.phases().size()) {
            out.add("Measured phases: all");
            return;
        }
        Figures measured = result.measured();
        String names = String.join(", ", result.measuredPhases());
        if (measured.wall().isZero()) {
            out.add("Measured phases: " + names + " (not reached)");
            return;
        }
        out.format("Measured phases: %s (%.3f seconds)", names, TextFormat.seconds(measured.wall()));
        out.format(
                "  Requests: %d, succeeded %d, failed %d (%.2f %%)",
                measured.requests(), measured.succeeded(), measured.failed(), measured.failedPercent());
        out.format("  Throughput: %.2f rps", measured.requestsPerSecond());
        out.add("  Latency (ms): " + latencies(measured.response()));
        if (measured.failed() > 0) {
            out.add("  Throughput by outcome: " + RequestLines.outcomes(measured));
            out.add("  Latency of successes (ms): " + latencies(measured.responseOfSuccesses()));
        }
    }

    private static String latencies(Latency of) {
        return Millis.text(of, "mean", "median", "p95", "p99");
    }

    private static String inMillis(LatencyValue value) {
        return Millis.text(value) + (value instanceof Measured ? " ms." : ".");
    }
}
