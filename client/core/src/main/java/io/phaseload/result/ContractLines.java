package io.phaseload.result;

import java.time.Duration;

/** The lines that keep their wording, since scripts read them. */
final class ContractLines {

    private final Result result;
    private final Lines out;

    private ContractLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the lines. */
    static void add(Result result, Lines out) {
        new ContractLines(result, out).totals();
    }

    private void totals() {
        Figures totals = result.totals();
        Latency response = totals.response();
        out.add("=====");
        out.add("Total number of requests sent: " + totals.requests());
        out.add("Total number of Successful responses: " + totals.succeeded());
        out.format("Failed requests: %d (%.2f %%)", totals.failed(), totals.failedPercent());
        out.format("Test Wall Time: %.3f seconds", TextReport.seconds(totals.wall()));
        out.format("Overall throughput across all phases: %.2f rps.", totals.requestsPerSecond());
        out.add("Mean Latency for all requests = " + inMillis(response.mean(), response));
        out.add("Median Latency = " + inMillis(response.p50(), response));
        out.add("P95 Latency = " + inMillis(response.p95(), response));
        out.add("P99 Latency = " + inMillis(response.p99(), response));
    }

    private static String inMillis(Duration duration, Latency of) {
        return TextReport.millis(duration, of) + (duration == null ? "." : " ms.");
    }
}
