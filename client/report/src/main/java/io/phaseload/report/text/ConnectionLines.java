package io.phaseload.report.text;

import io.phaseload.report.cells.Times;
import io.phaseload.report.tables.StreamTable;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines about connections, messages, streams, first bytes, instances and metrics. */
public final class ConnectionLines {

    private final Figures totals;
    private final List<String> lines = new ArrayList<>();

    private ConnectionLines(Figures totals) {
        this.totals = totals;
    }

    /** The lines, without their ends. */
    static List<String> of(Result result) {
        ConnectionLines of = new ConnectionLines(result.totals());
        of.connections();
        of.messages();
        of.totals.roundTrip().ifPresent(trip -> of.times("Round trips over WebSocket", trip));
        result.totals().streams().ifPresent(streams -> of.streams(streams, StreamTable.word(result)));
        of.lease();
        of.firstByte();
        of.instances();
        of.metrics();
        return of.lines;
    }

    /**
     * What became of messages.
     *
     * @param result of a run
     * @return one line each, without line ends; none for requests
     */
    public static List<String> messages(Result result) {
        ConnectionLines of = new ConnectionLines(result.totals());
        of.messages();
        return of.lines.stream().map(String::strip).toList();
    }

    private void connections() {
        Latency setUp = totals.connectionSetUp();
        line("Connections: %d opened, %d reopened after the server closed them", setUp.samples(), totals.reconnects());
        if (setUp.samples() > 0) {
            line("  Set-up, mean (max) ms: %s", meanAndMax(setUp));
            line(
                    "  Of that DNS %s, TCP %s%s",
                    meanAndMax(totals.dnsLookup()),
                    meanAndMax(totals.tcpConnect()),
                    totals.tlsHandshake().samples() == 0 ? "" : ", TLS " + meanAndMax(totals.tlsHandshake()));
        }
        totals.messages()
                .map(Figures.Messages::handshake)
                .ifPresent(of -> line("  Of that WebSocket handshake %s", meanAndMax(of)));
    }

    private void lease() {
        totals.lease()
                .ifPresent(lease -> line(
                        "Waiting for a connection of the pool (ms): mean %s, p99" + " %s, max %s",
                        Times.text(lease.mean()), Times.text(lease.p99()), Times.text(lease.max())));
    }

    private void messages() {
        totals.messages().ifPresent(this::messages);
    }

    private void messages(Figures.Messages messages) {
        Latency delivery = messages.delivery();
        line(
                "Messages: %d sent, %d of them delivered to all, in %d deliveries",
                totals.requests(), totals.succeeded(), delivery.samples());
        times("Delivery", delivery);
        line(
                "  Duplicated: %d, reordered: %d, late: %d",
                messages.duplicated().samples(),
                messages.reordered().samples(),
                messages.late().samples());
        messages.clocks()
                .ifPresent(clocks -> line(
                        "  From agent to agent, give or take (ms): median %s, max"
                                + " %s; %d deliveries took less than that",
                        Times.text(clocks.bound().p50()),
                        Times.text(clocks.bound().max()),
                        clocks.belowBound()));
    }

    private void streams(Figures.Streams streams, String one) {
        line(
                "%ss: %d in %d streams, %.1f a second",
                one.substring(0, 1).toUpperCase(Locale.ROOT) + one.substring(1),
                streams.events(),
                streams.firstEvent().samples(),
                streams.eventsPerSecond());
        times("First " + one, streams.firstEvent());
        times("First output", streams.firstOutput());
        times("Gap between %ss".formatted(one), streams.eventGap());
        times("Delivery of events", streams.eventDelivery());
        if (streams.reconnect().samples() + streams.repeated() > 0) {
            line(
                    "  Reconnects: %d, mean (max) ms %s; events repeated: %d",
                    streams.reconnect().samples(), meanAndMax(streams.reconnect()), streams.repeated());
        }
    }

    private void times(String name, Latency times) {
        if (times.samples() > 0) {
            line(
                    "%s (ms): mean %s, median %s, p99 %s, max %s",
                    name,
                    Times.text(times.mean()),
                    Times.text(times.p50()),
                    Times.text(times.p99()),
                    Times.text(times.max()));
        }
    }

    private void firstByte() {
        Latency first = totals.timeToFirstByte();
        Latency rest = totals.transfer();
        if (first.samples() > 0) {
            line(
                    "First byte (ms): mean %s, p99 %s; the rest: mean %s, p99 %s",
                    Times.text(first.mean()), Times.text(first.p99()), Times.text(rest.mean()), Times.text(rest.p99()));
        }
    }

    private void instances() {
        totals.instances().ifPresent(this::instances);
    }

    private void instances(Figures.Instances instances) {
        Latency started = instances.coldStart();
        line(
                "Instances: %d cold and %d restored starts, %d warm",
                instances.cold(), instances.restored(), instances.warm());
        line(
                "  Response times of the starts (ms): mean %s, max %s",
                Times.text(started.mean()), Times.text(started.max()));
    }

    private void metrics() {
        for (Figures.Metered metric : totals.metrics()) {
            line(
                    "Metric %s%s: mean %.3f, min %.3f, max %.3f of %d",
                    metric.name(),
                    metric.unit().isEmpty() ? "" : " (" + metric.unit() + ")",
                    metric.mean(),
                    metric.min(),
                    metric.max(),
                    metric.count());
        }
    }

    private void line(String pattern, Object... values) {
        lines.add(String.format(Locale.ROOT, pattern, values));
    }

    private static String meanAndMax(Latency times) {
        return Times.text(times.mean()) + " (" + Times.text(times.max()) + ")";
    }
}
