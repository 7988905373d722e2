package io.phaseload.report.text;

import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;

/** Connections, first bytes, and what responses say of instances and metrics. */
final class ConnectionLines {

    private final Result result;
    private final Lines out;

    private ConnectionLines(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the lines. */
    static void add(Result result, Lines out) {
        ConnectionLines of = new ConnectionLines(result, out);
        of.connections();
        of.firstByte();
        of.instances();
        of.metrics();
    }

    private void connections() {
        Figures totals = result.totals();
        Latency setUp = totals.connectionSetUp();
        out.format(
                "Connections made: %d (mean %s, max %s ms each, not part of a closed"
                        + " model's latencies); %d reopened after the server had closed them.",
                setUp.samples(),
                TextReport.millis(setUp.mean()),
                TextReport.millis(setUp.max()),
                totals.reconnects());
        if (totals.resent() > 0) {
            out.add(ResponseText.resent(totals));
        }
        if (setUp.samples() > 0) {
            out.format(
                    "  Of that, mean (max) ms: DNS %s, TCP %s%s.",
                    meanAndMax(totals.dnsLookup()),
                    meanAndMax(totals.tcpConnect()),
                    totals.tlsHandshake().samples() == 0
                            ? ""
                            : ", TLS " + meanAndMax(totals.tlsHandshake()));
        }
    }

    private void firstByte() {
        Latency first = result.totals().timeToFirstByte();
        Latency rest = result.totals().transfer();
        if (first.samples() > 0) {
            out.format(
                    "First byte after sending (ms): mean %s, p99 %s; from there to the end:"
                            + " mean %s, p99 %s.",
                    TextReport.millis(first.mean()),
                    TextReport.millis(first.p99()),
                    TextReport.millis(rest.mean()),
                    TextReport.millis(rest.p99()));
        }
    }

    private void instances() {
        Figures.Instances instances = result.totals().instances();
        if (instances != null) {
            Latency started = instances.coldStart();
            out.format(
                    "Instances: %d cold and %d restored starts, %d warm; response times of"
                            + " the starts (ms): mean %s, max %s.",
                    instances.cold(),
                    instances.restored(),
                    instances.warm(),
                    TextReport.millis(started.mean()),
                    TextReport.millis(started.max()));
        }
    }

    private void metrics() {
        for (Figures.Metered metric : result.totals().metrics()) {
            out.format(
                    "Metric %s%s: mean %.3f, min %.3f, max %.3f of %d.",
                    metric.name(),
                    metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")",
                    metric.mean(),
                    metric.min(),
                    metric.max(),
                    metric.count());
        }
    }

    private static String meanAndMax(Latency times) {
        return TextReport.millis(times.mean()) + " (" + TextReport.millis(times.max()) + ")";
    }
}
