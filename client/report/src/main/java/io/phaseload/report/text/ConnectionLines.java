package io.phaseload.report.text;

import io.phaseload.plan.engine.Protocol;
import io.phaseload.report.cells.Millis;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.StreamTable;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
        of.connections(
                result.plan().engine().protocol() instanceof Protocol.WebSocket messages
                                && messages.mqtt().isPresent()
                        ? "MQTT"
                        : "WebSocket");
        of.messages();
        of.times("Round trips over WebSocket", MessageTimings.ROUND_TRIP);
        of.times("Delivery of messages over WebSocket", MessageTimings.MESSAGE_DELIVERY);
        of.streams(StreamTable.word(result));
        of.lease();
        of.firstByte();
        of.instances();
        of.metrics();
        return of.lines;
    }

    /**
     * The outcomes of messages.
     *
     * @param result of a run
     * @return one line each, without line ends; none for requests
     */
    public static List<String> messages(Result result) {
        ConnectionLines of = new ConnectionLines(result.totals());
        of.messages();
        return of.lines.stream().map(String::strip).toList();
    }

    private void connections(String protocol) {
        Latency setUp = totals.connectionSetUp();
        line("Connections: %d opened, %d reopened after the server closed them", setUp.samples(), totals.reconnects());
        if (setUp.samples() > 0) {
            Latency tls = totals.time(Timing.TLS);
            line("  Set-up, mean (max) ms: %s", meanAndMax(setUp));
            line(
                    "  Of that DNS %s, TCP %s%s",
                    meanAndMax(totals.time(Timing.DNS)),
                    meanAndMax(totals.time(Timing.TCP)),
                    tls.samples() == 0 ? "" : ", TLS " + meanAndMax(tls));
        }
        if (totals.has(MessageTimings.SECTION)) {
            line("  Of that %s handshake %s", protocol, meanAndMax(totals.time(MessageTimings.HANDSHAKE)));
        }
    }

    private void lease() {
        Latency lease = totals.time(Timing.LEASE);
        if (lease.samples() > 0) {
            line("Waiting for a connection of the pool (ms): %s", Millis.text(lease, "mean", "p99", "max"));
        }
    }

    private void messages() {
        if (!totals.has(MessageTimings.SECTION)) {
            return;
        }
        line(
                "Messages: %d sent, %d of them delivered to all, in %d deliveries",
                totals.requests(), totals.succeeded(), samples(MessageTimings.DELIVERY));
        times("Delivery", MessageTimings.DELIVERY);
        line(
                "  Duplicated: %d, reordered: %d, late: %d",
                samples(MessageTimings.DUPLICATED), samples(MessageTimings.REORDERED), samples(MessageTimings.LATE));
        if (samples(MessageTimings.IGNORED) > 0) {
            line("  Other messages that were received: %d", samples(MessageTimings.IGNORED));
        }
        Latency bound = totals.time(MessageTimings.CLOCK_BOUND);
        if (bound.samples() > 0) {
            line(
                    "  From agent to agent, give or take (ms): %s; %d deliveries took less than that",
                    Millis.text(bound, "median", "max"), samples(MessageTimings.BELOW_BOUND));
        }
    }

    private void streams(String one) {
        long events = totals.total(StreamTimings.SECTION);
        if (events == 0) {
            return;
        }
        line(
                "%ss: %d in %d streams, %.1f a second",
                one.substring(0, 1).toUpperCase(Locale.ROOT) + one.substring(1),
                events,
                samples(StreamTimings.FIRST_EVENT),
                totals.perSecond(events));
        times("First " + one, StreamTimings.FIRST_EVENT);
        times("First output", StreamTimings.FIRST_OUTPUT);
        times("Gap between %ss".formatted(one), StreamTimings.EVENT_GAP);
        times("Delivery of events", StreamTimings.EVENT_DELIVERY);
        Latency reconnect = totals.time(StreamTimings.EVENT_RECONNECT);
        long repeated = samples(StreamTimings.EVENT_REPEATED);
        if (reconnect.samples() + repeated > 0) {
            line(
                    "  Reconnects: %d, mean (max) ms %s; events repeated: %d",
                    reconnect.samples(), meanAndMax(reconnect), repeated);
        }
    }

    private long samples(Timing timing) {
        return totals.time(timing).samples();
    }

    private void times(String name, Timing timing) {
        Latency times = totals.time(timing);
        if (times.samples() > 0) {
            line("%s (ms): %s", name, Millis.text(times, "mean", "median", "p99", "max"));
        }
    }

    private void firstByte() {
        Latency first = totals.time(Timing.FIRST_BYTE);
        Latency rest = totals.time(Timing.TRANSFER);
        if (first.samples() > 0) {
            line(
                    "First byte (ms): %s; the rest: %s",
                    Millis.text(first, "mean", "p99"), Millis.text(rest, "mean", "p99"));
        }
    }

    private void instances() {
        Map<InstanceState, Long> instances = totals.counters().instances();
        if (instances.isEmpty()) {
            return;
        }
        Latency started = totals.time(InstanceTimings.COLD_START);
        line(
                "Instances: %d cold and %d restored starts, %d warm",
                instances.getOrDefault(InstanceState.COLD, 0L),
                instances.getOrDefault(InstanceState.RESTORED, 0L),
                instances.getOrDefault(InstanceState.WARM, 0L));
        line("  Response times of the starts (ms): %s", Millis.text(started, "mean", "max"));
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
        lines.add(TextFormat.format(pattern, values));
    }

    private static String meanAndMax(Latency times) {
        return Millis.text(times.mean()) + " (" + Millis.text(times.max()) + ")";
    }
}
