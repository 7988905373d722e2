package io.phaseload.report;

import io.phaseload.measure.Interval;
import io.phaseload.plan.Load;
import io.phaseload.plan.Plan;
import io.phaseload.report.tables.ResultTables;
import io.phaseload.report.tables.RunTables;
import io.phaseload.report.tables.Table;
import io.phaseload.report.tables.Times;
import io.phaseload.report.text.RequestLines;
import io.phaseload.report.text.SetUpLines;
import io.phaseload.report.text.TextReport;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The page of a run. */
public final class RunPage {

    /** Its name in a results folder. */
    public static final String FILE = "report.html";

    private final Result result;
    private final List<Interval> intervals;

    private RunPage(Result result, List<Interval> intervals) {
        this.result = result;
        this.intervals = intervals;
    }

    /**
     * Writes the page.
     *
     * @param result of the run, or of the part to show
     * @param intervals the intervals that the result covers
     * @return HTML that loads nothing
     */
    public static String write(Result result, List<Interval> intervals) {
        return new RunPage(result, intervals).write();
    }

    /**
     * The charts of a run.
     *
     * @return in the page's order
     */
    public static List<Chart> charts() {
        return List.of(
                Chart.of("percentiles", "percentiles"),
                Chart.of("latency", "intervals"),
                Chart.of("throughput", "intervals"),
                Chart.of("failures", "failures"),
                Chart.of("client", "client"),
                Chart.of("server", "server"),
                Chart.of("operations", "operations"));
    }

    private String write() {
        List<Table> tables = RunTables.of(result, intervals);
        Page page = new Page(result.plan().name() + " – Phaseload", tables);
        boolean allFailed = result.totals().allFailed();
        page.add(header()).add(allFailed ? failures() : "").add(figures()).add(thresholds());
        page.charts(charts()).add(binning());
        page.add(operations()).add(allFailed ? "" : failures()).add(environment());
        return page.write();
    }

    private String header() {
        Plan plan = result.plan();
        return Html.header(
                plan.name(),
                "%s · %s · %s · %s"
                        .formatted(
                                SetUpLines.url(result),
                                Html.minute(result.startedAt()),
                                model(plan),
                                Html.machine(result.environment())),
                verdict());
    }

    private static String model(Plan plan) {
        boolean open = plan.phases().stream().anyMatch(p -> p.load() instanceof Load.Open);
        boolean closed = plan.phases().stream().anyMatch(p -> p.load() instanceof Load.Closed);
        String model =
                open && closed ? "open and closed model" : open ? "open model" : "closed model";
        return "%s, %d threads".formatted(model, plan.threads());
    }

    private String verdict() {
        String status = result.verdict().status().toString();
        String badges =
                result.totals().allFailed() ? Html.badge("FAIL", "no request succeeded") : "";
        badges += Html.badge(unlessAllFailed(status), "measurement " + status);
        int thresholds = result.thresholds().size();
        long failed = result.thresholds().stream().filter(of -> !of.passed()).count();
        if (failed > 0) {
            badges += Html.badge("FAIL", "thresholds failed: " + failed + " of " + thresholds);
        } else if (thresholds > 0) {
            badges += Html.badge(unlessAllFailed("PASS"), "thresholds held: " + thresholds);
        }
        List<String> reasons = result.verdict().texts();
        return "<p>" + badges + "</p>\n" + (reasons.isEmpty() ? "" : Html.list(reasons));
    }

    /**
     * Nothing must look good in a run without a success: neither thresholds nor an older verdict.
     */
    private String unlessAllFailed(String status) {
        boolean good = status.equals("VALID") || status.equals("PASS");
        return good && result.totals().allFailed() ? "" : status;
    }

    private String figures() {
        Figures measured = result.measured();
        StringBuilder out = new StringBuilder("<dl class=\"figures\">\n");
        out.append(throughput(measured));
        Latency response = measured.response();
        Latency successes = measured.responseOfSuccesses();
        time(out, "Median", Latency::p50, response, successes);
        time(out, "p95", Latency::p95, response, successes);
        time(out, "p99", Latency::p99, response, successes);
        time(out, "Mean", Latency::mean, response, successes);
        out.append(
                Html.figure(
                        "Failed",
                        number("%.2f", measured.failedPercent()),
                        "%",
                        number("%,d of %,d requests", measured.failed(), measured.requests())));
        out.append(Html.figure("Time", number("%,.1f", measured.wall().toNanos() / 1e9), "s", ""));
        out.append("</dl>\n");
        return Html.section("figures", phases(), out + notes());
    }

    private static String throughput(Figures of) {
        return of.failed() == 0
                ? Html.figure("Throughput", number("%,.1f", of.requestsPerSecond()), "rps", "")
                : Html.figure(
                        "Throughput, succeeded",
                        number("%,.1f", of.succeededPerSecond()),
                        "rps",
                        number("failed: %,.1f rps", of.failedPerSecond()));
    }

    /** What the figures cover. */
    private String phases() {
        List<String> measured = result.measuredPhases();
        return measured.size() == result.phases().size()
                ? "All phases"
                : "Measured phases: " + String.join(", ", measured);
    }

    /**
     * Of all requests, with that of successes beside it; if none succeeded, the other way round.
     */
    private static void time(
            StringBuilder out,
            String name,
            Function<Latency, LatencyValue> figure,
            Latency all,
            Latency successes) {
        boolean none = successes.samples() == 0;
        LatencyValue value = figure.apply(none ? successes : all);
        LatencyValue other = figure.apply(none ? all : successes);
        String note = "";
        if (all.samples() > successes.samples() && other instanceof Measured) {
            note = (none ? "failures: " : "successes: ") + other;
        } else if (value instanceof TooFewSamples few && few.samples() > 0) {
            note = few.shortfall();
        }
        String unit = value instanceof Measured ? "ms" : "";
        out.append(Html.figure(name, Times.text(value), unit, note));
    }

    private String notes() {
        List<String> notes = new ArrayList<>(RequestLines.of(result));
        notes.addAll(SetUpLines.sources(result));
        return Html.list(notes);
    }

    private String thresholds() {
        return result.thresholds().isEmpty()
                ? ""
                : Html.section(
                        "thresholds",
                        "Thresholds",
                        Html.table("Thresholds", ResultTables.thresholds(result)));
    }

    private String binning() {
        long seconds = RunTables.bin(intervals).toSeconds();
        return seconds <= 1
                ? ""
                : "<p class=\"about\">Over time, each point is %d seconds: their histograms are added, no percentile is averaged.</p>\n"
                        .formatted(seconds);
    }

    private String operations() {
        return Html.section(
                "operations",
                "Phases and operations",
                Html.table("Phases and operations", ResultTables.operations(result)));
    }

    private String failures() {
        Table causes = ResultTables.causes(result);
        return Html.section(
                "failures",
                "Failures",
                causes.isEmpty()
                        ? "<p>No request failed.</p>\n"
                        : Html.table("Failures by cause", causes));
    }

    private String environment() {
        return Html.section(
                "environment",
                "Environment",
                Html.environment(
                                result.environment(),
                                List.of(
                                        List.of("Engine", result.engine().name()),
                                        List.of("Seed", Long.toString(result.plan().seed())),
                                        List.of("Labels", SetUpLines.labels(result.plan()))))
                        + Html.details("The report as text", TextReport.write(result)));
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
