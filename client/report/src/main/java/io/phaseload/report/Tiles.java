package io.phaseload.report;

import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Times;
import io.phaseload.report.tables.Part;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.timing.MessageTimings;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The figures of a part of a run that are read first, to three significant digits. */
final class Tiles {

    /** More don't fit below a figure; the table of failures has all. */
    private static final int FIRST_CAUSES = 2;

    private final Figures figures;
    private final boolean messages;
    private final String rate;
    private final StringBuilder out = new StringBuilder("<dl class=\"figures\">\n");

    private Tiles(Figures figures) {
        this.figures = figures;
        this.messages = figures.has(MessageTimings.SECTION);
        this.rate = messages ? "/s" : "rps";
    }

    static String of(Part part) {
        Tiles tiles = new Tiles(part.figures());
        tiles.throughput();
        tiles.failed();
        part.targetPerSecond().ifPresent(target -> tiles.offered(part, target));
        tiles.time("p50", Latency::p50);
        tiles.time("p95", Latency::p95);
        tiles.time("p99", Latency::p99);
        tiles.time("Max", Latency::max);
        tiles.add(tiles.messages ? "Pairs" : "Users", "%,d".formatted(part.users()), "", "");
        return tiles.out.append("</dl>\n").toString();
    }

    private void throughput() {
        boolean all = figures.failed() == 0;
        add(
                all ? "Throughput" : "Throughput, " + (messages ? "delivered" : "succeeded"),
                Significant.text(figures.succeededPerSecond()),
                rate,
                all
                        ? ""
                        : "%s: %s %s"
                                .formatted(
                                        messages ? "lost" : "failed",
                                        Significant.text(figures.failedPerSecond()),
                                        rate));
    }

    /** Of the successes, with that of all requests beside it; if none succeeded, of the failures. */
    private void time(String name, Function<Latency, LatencyValue> figure) {
        LatencyValue value = figure.apply(figures.responseOfSuccesses());
        LatencyValue all = figure.apply(figures.response());
        String note = "";
        if (figures.failed() > 0 && all instanceof Measured measured) {
            note = (figures.allFailed() ? "failures: " : "all: ") + millis(measured) + " ms";
        } else if (value instanceof TooFewSamples few && few.samples() > 0) {
            note = few.shortfall();
        }
        if (value instanceof Measured measured) {
            add(name, millis(measured), "ms", note);
        } else {
            add(name, Times.text(value), "", note);
        }
    }

    private static String millis(Measured value) {
        return Significant.text(value.time().toNanos() / 1e6);
    }

    private void failed() {
        String causes = figures.failures().entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(FIRST_CAUSES)
                .map(cause -> grouped(cause.getValue()) + " × " + cause.getKey())
                .collect(Collectors.joining(", "));
        int more = figures.failures().size() - FIRST_CAUSES;
        add(
                messages ? "Lost" : "Failed",
                Significant.text(figures.failedPercent()),
                "%",
                outOf(figures.failed(), figures.requests())
                        + (causes.isEmpty() ? "" : ": " + causes)
                        + (more > 0 ? ", and " + more + " more" : ""));
    }

    private void offered(Part part, double target) {
        add(
                "Offered",
                Significant.text(target),
                rate,
                "sent: " + Significant.text(figures.requestsPerSecond()) + " " + rate);
        add(
                "Not sent",
                Significant.text(part.asked() == 0 ? 0 : 100.0 * part.notSent() / part.asked()),
                "%",
                outOf(part.notSent(), part.asked()));
        LatencyValue slip = figures.slip().p99();
        add(
                "Sent late, p99",
                slip instanceof Measured measured ? millis(measured) : Times.text(slip),
                slip instanceof Measured ? "ms" : "",
                "");
    }

    private String outOf(long some, long all) {
        return "%s of %s %s".formatted(grouped(some), grouped(all), messages ? "messages" : "requests");
    }

    private void add(String name, String value, String unit, String note) {
        out.append(Html.figure(name, value, unit, note));
    }

    private static String grouped(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
