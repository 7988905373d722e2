package io.phaseload.report;

import io.phaseload.report.cells.Millis;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.pictures.Card;
import io.phaseload.report.tables.Part;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The figures of a part of a run that are read first, to three significant digits. */
final class Tiles {

    /** More don't fit below a figure; the table of failures has all. */
    private static final int FIRST_CAUSES = 2;

    /** From here on, failures aren't rare. */
    private static final double LEAST_BAD_PERCENT = 5;

    private final Figures figures;
    private final boolean messages;
    private final String rate;
    private final StringBuilder out = new StringBuilder();

    private Tiles(Figures figures, Wording words) {
        this.figures = figures;
        this.messages = words != Wording.REQUESTS;
        this.rate = messages ? "/s" : "rps";
    }

    static String of(Part part, Wording words) {
        Tiles tiles = new Tiles(part.figures(), words);
        tiles.throughput(part);
        tiles.failed();
        part.targetPerSecond().ifPresent(target -> tiles.offered(part, target));
        tiles.time("p50", Latency::p50);
        tiles.time("p99", Latency::p99);
        tiles.time("Max", Latency::max);
        part.journeys().forEach(of -> tiles.failed("Journeys failed: " + of.name(), of.failed(), of.all(), "journeys"));
        return Html.figures(tiles.out.toString());
    }

    /** The first of them, for a picture. */
    static List<Card.Figure> card(Part part, Wording words) {
        Figures figures = part.figures();
        String of = figures.failed() == 0 ? "" : figures.allFailed() ? " of failures" : " of successes";
        Latency times = figures.allFailed() ? figures.response() : figures.responseOfSuccesses();
        boolean messages = words != Wording.REQUESTS;
        List<Card.Figure> all = new ArrayList<>();
        all.add(new Card.Figure(
                messages ? "delivered" : "succeeded",
                text(part.succeededPerSecond()) + (messages ? "/s" : " rps"),
                false));
        all.add(new Card.Figure(
                messages ? "lost" : "failed", text(figures.failedPercent()) + " %", figures.failed() > 0));
        Map<String, LatencyValue> shown = new LinkedHashMap<>();
        shown.put("p50", times.p50());
        shown.put("p99", times.p99());
        shown.put("max", times.max());
        shown.forEach((name, value) -> all.add(new Card.Figure(name + of, Millis.brief(value), false)));
        return all;
    }

    private void throughput(Part part) {
        boolean all = figures.failed() == 0;
        add(
                messages ? "Delivered" : "Throughput" + (all ? "" : ", succeeded"),
                figures.requests() == 0 ? Missing.NOT_MEASURED.toString() : text(part.succeededPerSecond()),
                figures.requests() == 0 ? "" : rate,
                all ? "" : "%s: %s %s".formatted(messages ? "lost" : "failed", text(part.failedPerSecond()), rate));
    }

    /** Of the successes, which a script changes to those of all requests; if none succeeded, of the failures. */
    private void time(String name, Function<Latency, LatencyValue> figure) {
        LatencyValue value = figure.apply(figures.responseOfSuccesses());
        LatencyValue all = figure.apply(figures.response());
        if (figures.failed() == 0) {
            time("", name, value, value instanceof TooFewSamples few && few.samples() > 0 ? few.shortfall() : "");
        } else if (figures.allFailed()) {
            time("", name + " of failures", all, "");
        } else {
            time("succeeded", name + " of successes", value, "");
            time("all", name + " of all", all, "");
        }
    }

    private void time(String outcome, String name, LatencyValue value, String note) {
        out.append(Html.figure(outcome, name, Millis.number(value), Millis.unit(value), note, ""));
    }

    private static String text(double number) {
        return Significant.text(number);
    }

    private void failed() {
        if (figures.requests() == 0) {
            add(messages ? "Lost" : "Failed", Missing.NOT_MEASURED.toString(), "", "nothing was sent");
            return;
        }
        String causes = figures.failures().entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(FIRST_CAUSES)
                .map(cause -> grouped(cause.getValue()) + " × " + cause.getKey())
                .collect(Collectors.joining(", "));
        int more = figures.failures().size() - FIRST_CAUSES;
        failed(
                messages ? "Lost" : "Failed",
                figures.failed(),
                figures.requests(),
                (messages ? "messages" : "requests")
                        + (causes.isEmpty() ? "" : ": " + causes + (more > 0 ? ", and " + more + " more" : "")));
    }

    private void failed(String name, long failed, long all, String what) {
        double percent = 100.0 * failed / all;
        out.append(Html.figure(
                name,
                text(percent),
                "%",
                "%s of %s %s".formatted(grouped(failed), grouped(all), what),
                failed == 0 ? "" : percent < LEAST_BAD_PERCENT ? "doubt" : "bad"));
    }

    private void offered(Part part, double target) {
        add("Offered", text(target), rate, "sent: " + text(part.sentPerSecond()) + " " + rate);
        if (part.notSent() > 0) {
            out.append(Html.figure(
                    "Not sent",
                    text(100.0 * part.notSent() / part.asked()),
                    "%",
                    "%s of %s %s"
                            .formatted(
                                    grouped(part.notSent()), grouped(part.asked()), messages ? "messages" : "requests"),
                    "bad"));
        }
        LatencyValue slip = figures.slip().p99();
        add("Sent late, p99", Millis.number(slip), Millis.unit(slip), "a part of the response time");
    }

    private void add(String name, String value, String unit, String note) {
        out.append(Html.figure(name, value, unit, note));
    }

    private static String grouped(long count) {
        return TextFormat.format("%,d", count);
    }
}
