package io.phaseload.report;

import io.phaseload.report.cells.Significant;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.Part;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.verdict.rules.Wording;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The operations of a part of a run, all together first, to three significant digits; a dash is a percentile of too few
 * requests. A script sorts and searches it; without one it is whole.
 */
final class OperationsTable {

    private static final List<String> HEADINGS = List.of(
            "requests",
            "failed",
            "failed (%)",
            "rps",
            "p50 (ms)",
            "p90 (ms)",
            "p95 (ms)",
            "p99 (ms)",
            "p99.9 (ms)",
            "max (ms)",
            "kB/s");

    private static final List<Function<Latency, LatencyValue>> TIMES =
            List.of(Latency::p50, Latency::p90, Latency::p95, Latency::p99, Latency::p999, Latency::max);

    private static final int SPARK_WIDTH = 80;
    private static final int SPARK_HEIGHT = 18;

    private final Wording words;
    private final boolean statuses;
    private final StringBuilder out = new StringBuilder();

    /** A status that all responses have is said below. */
    private OperationsTable(Figures all, Wording words) {
        this.words = words;
        this.statuses = all.statuses().size() > 1;
    }

    static String of(Part part, Wording words) {
        OperationsTable table = new OperationsTable(part.figures(), words);
        table.write(part);
        return table.out.toString();
    }

    private void write(Part part) {
        out.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Operations: ")
                .append(Html.text(part.title()))
                .append("\">\n<table class=\"operations\" data-sortable>\n<thead><tr>");
        out.append("<th scope=\"col\">operation</th>");
        HEADINGS.forEach(heading -> out.append("<th scope=\"col\" class=\"n\">")
                .append(words.heading(heading))
                .append("</th>"));
        out.append("<th scope=\"col\" data-plain>").append(words.heading("rps")).append(" over time</th>");
        out.append(statuses ? "<th scope=\"col\">status</th>" : "");
        out.append("</tr></thead>\n<tbody>\n");
        if (part.operations().size() != 1) {
            row("all operations", true, part.figures(), sum(part.courses()));
        }
        for (int i = 0; i < part.operations().size(); i++) {
            OperationResult operation = part.operations().get(i);
            row(
                    operation.name(),
                    false,
                    operation.figures(),
                    part.courses().isEmpty() ? new double[0] : part.courses().get(i));
        }
        out.append("</tbody>\n</table>\n</div>\n");
    }

    private static double[] sum(List<double[]> courses) {
        return courses.isEmpty()
                ? new double[0]
                : IntStream.range(0, courses.get(0).length)
                        .mapToDouble(
                                i -> courses.stream().mapToDouble(of -> of[i]).sum())
                        .toArray();
    }

    private void row(String name, boolean total, Figures of, double[] course) {
        out.append(total ? "<tr data-total>" : of.failed() > 0 ? "<tr data-failed>" : "<tr>");
        out.append("<th scope=\"row\"><bdi>").append(Html.text(name)).append("</bdi></th>");
        number(of.requests(), grouped(of.requests()));
        String look = of.failed() == 0 ? "" : " bad";
        cell(of.failed(), grouped(of.failed()), look);
        cell(of.failedPercent(), Significant.text(of.failedPercent()), look);
        number(of.requestsPerSecond());
        for (Function<Latency, LatencyValue> time : TIMES) {
            time(time.apply(of.failed() == 0 || of.allFailed() ? of.response() : of.responseOfSuccesses()), time, of);
        }
        number(of.bytesReceivedPerSecond() / 1_000);
        out.append("<td>").append(spark(course)).append("</td>");
        if (statuses) {
            out.append("<td>").append(Html.text(statuses(of.statuses()))).append("</td>");
        }
        out.append("</tr>\n");
    }

    /** Of successes; a script changes it to that of all requests. */
    private void time(LatencyValue value, Function<Latency, LatencyValue> figure, Figures of) {
        String all = "";
        if (of.failed() > 0 && figure.apply(of.response()) instanceof Measured other) {
            double ms = other.time().toNanos() / 1e6;
            all = " data-all=\"%s\" data-all-exact=\"%s\"".formatted(Significant.text(ms), exact(ms));
        }
        if (value instanceof Measured measured) {
            double ms = measured.time().toNanos() / 1e6;
            out.append("<td class=\"n\" data-v=\"%s\"%s>%s</td>".formatted(exact(ms), all, Significant.text(ms)));
        } else {
            out.append("<td class=\"n few\"%s>–</td>".formatted(all));
        }
    }

    private static String exact(double value) {
        return value == Math.rint(value) ? TextFormat.format("%.0f", value) : TextFormat.format("%.3f", value);
    }

    private void number(double value) {
        number(value, Significant.text(value));
    }

    /** With all its places for sorting and for copies, unless the text has them. */
    private void number(double value, String text) {
        cell(value, text, "");
    }

    private void cell(double value, String text, String look) {
        String exact = exact(value);
        out.append("<td class=\"n%s\"".formatted(look))
                .append(exact.equals(text.replace(",", "")) ? ">" : " data-v=\"" + exact + "\">")
                .append(text)
                .append("</td>");
    }

    private static String spark(double[] course) {
        double most = DoubleStream.of(course).max().orElse(0);
        if (course.length < 2 || most == 0) {
            return "";
        }
        int last = course.length - 1;
        String points = IntStream.rangeClosed(0, last)
                // Between two that are as high, a point changes nothing.
                .filter(i -> i == 0 || i == last || course[i] != course[i - 1] || course[i] != course[i + 1])
                .mapToObj(i -> TextFormat.format(
                        "%d,%.1f", i * SPARK_WIDTH / last, SPARK_HEIGHT - 1 - (SPARK_HEIGHT - 2) * course[i] / most))
                .collect(Collectors.joining(" "));
        return "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><polyline points=\"%s\"/></svg>"
                .formatted(SPARK_WIDTH, SPARK_HEIGHT, points);
    }

    private static String statuses(Map<Integer, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + ": " + grouped(count.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String grouped(long count) {
        return TextFormat.format("%,d", count);
    }
}
