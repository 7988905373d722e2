package io.phaseload.report;

import io.phaseload.measure.Interval;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.pictures.Card;
import io.phaseload.report.tables.AgentTables;
import io.phaseload.report.tables.FailureMatrix;
import io.phaseload.report.tables.JourneySteps;
import io.phaseload.report.tables.Operations;
import io.phaseload.report.tables.Part;
import io.phaseload.report.tables.RequestTables;
import io.phaseload.report.tables.ResultTables;
import io.phaseload.report.tables.RunTables;
import io.phaseload.report.tables.StreamTable;
import io.phaseload.report.text.ConnectionLines;
import io.phaseload.report.text.DiagnosisLines;
import io.phaseload.report.text.FailureLines;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.Reasons;
import io.phaseload.report.text.RequestLines;
import io.phaseload.report.text.SetUpLines;
import io.phaseload.report.text.TextReport;
import io.phaseload.result.Agents;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The page of a run. */
public final class RunPage {

    /** Its name in a results folder. */
    public static final String FILE = "report.html";

    private static final List<String> OF_FAILURES = List.of("throughput", "users", "failures");

    /** More are folded. */
    private static final int MOST_CAUSES = 2;

    /** The most used columns come first, so that a phone shows them. */
    private static final List<String> PHASE_COLUMNS = List.of(
            "phase",
            "requests_per_second",
            "p50_ms",
            "p95_ms",
            "p99_ms",
            "max_ms",
            "mean_ms",
            "failed_percent",
            "failed",
            "requests",
            "threads");

    private final Result result;
    private final List<Interval> intervals;
    private final Wording words;

    private RunPage(Result result, List<Interval> intervals) {
        this.result = result;
        this.intervals = intervals;
        this.words = Wording.of(result.plan());
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
     * The subject of a picture.
     *
     * @param result of a run
     * @return its name, target and time
     */
    public static String about(Result result) {
        return "%s · %s · %s"
                .formatted(
                        Headline.title(result),
                        Html.minute(result.startedAt()),
                        result.verdict().status());
    }

    /**
     * The summary of a run as a picture.
     *
     * @param result of a run
     * @return its title, verdict and first figures
     */
    public static Card card(Result result) {
        return new Card(
                Headline.title(result),
                Html.minute(result.startedAt()) + " · " + Headline.sentence(result),
                Tiles.card(Part.of(result, List.of()).get(0), Wording.of(result.plan())));
    }

    /**
     * The charts of a run.
     *
     * @return in the page's order
     */
    public static List<Chart> charts() {
        return List.of(
                Chart.of("overview", "intervals"),
                Chart.of("throughput", "intervals"),
                Chart.of("users", "users"),
                Chart.of("latency", "latencies"),
                Chart.of("streams", "events"),
                Chart.of("failures", "failures"),
                Chart.of("client", "client"),
                Chart.of("server", "server"),
                Chart.of("distribution", "distribution"),
                Chart.of("percentiles", "percentiles"),
                Chart.of("parts", "parts"),
                Chart.of("operations", "operations"));
    }

    private String write() {
        Page page = new Page(Headline.title(result) + " – Phaseload", RunTables.of(result, intervals));
        List<Part> parts = Part.of(result, intervals);
        Figures totals = result.totals();
        page.header(RunHeader.of(result, parts.get(0)))
                .header(Html.scope(
                        parts.stream().map(Part::title).toList(),
                        totals.failed() > 0 && !totals.allFailed()
                                ? List.of("successes", words.text("all [requests]"))
                                : List.of(),
                        parts.get(0).operations().stream()
                                .map(OperationResult::name)
                                .toList()))
                .first("figures", "Figures", parts(page, parts, part -> Tiles.of(part, words)) + overview(page))
                .first("broke", "What broke it", broke())
                .first("doubts", why(), doubts())
                .section("thresholds", "Thresholds", Html.tableIfAny("Thresholds", ResultTables.thresholds(result)))
                .section("journeys", "Journeys", journeys(parts))
                .section(
                        "operations",
                        "Operations",
                        parts(page, parts, part -> OperationsTable.of(part, words))
                                + page.later(Chart.of("operation", "courses").in(words))
                                + Html.tableIfAny("Streams", StreamTable.of(result)));
        if (totals.failed() > 0) {
            page.section("failures", "Failures", failures());
        }
        return page.section("charts", "Charts", charts(page))
                .section("slowest", words.text("Slowest [requests]"), slowest())
                .section(
                        "phases",
                        "Phases",
                        Html.table("Phases", ResultTables.summary(result).with(PHASE_COLUMNS)) + segments())
                .section("agents", "Agents", agents())
                .section("whole", "The whole run", notes())
                .section("environment", "Environment", environment())
                .write();
    }

    /** Load, response times and failures over time. */
    private String overview(Page page) {
        return page.figures(List.of(Chart.of("overview", "intervals").in(words)));
    }

    /** The distribution and its percentiles stand side by side. */
    private String charts(Page page) {
        List<Chart> shown = shown();
        List<Chart> beside = shown.stream().filter(RunPage::isDistribution).toList();
        int at = beside.isEmpty() ? shown.size() : shown.indexOf(beside.get(0));
        String charts = page.figures(shown.subList(0, at))
                + Html.beside(page.figures(beside))
                + page.figures(shown.subList(at + beside.size(), shown.size()));
        return charts.isEmpty() ? "" : charts + Page.NO_SCRIPT + binning();
    }

    private static boolean isDistribution(Chart chart) {
        return chart.table().equals("distribution") || chart.table().equals("percentiles");
    }

    /** Many operations are easier to read, and to find, in their table. */
    private List<Chart> shown() {
        boolean few = result.plan().scenario().operations().size() <= Operations.MOST_DRAWN;
        boolean ramps = result.plan().phases().stream().anyMatch(RunPage::ramps)
                || result.changes().stream().anyMatch(of -> of.change().equals("users"));
        return charts().stream()
                .filter(chart -> !chart.name().equals("overview"))
                // The times of failures alone say nothing.
                .filter(chart -> !result.totals().allFailed() || OF_FAILURES.contains(chart.name()))
                .filter(chart -> few || !chart.table().equals("operations"))
                .filter(chart -> ramps || !chart.table().equals("users"))
                .map(chart -> chart.in(words))
                .toList();
    }

    /** Else the phases' names tell all about users. */
    private static boolean ramps(Phase phase) {
        return phase.load() instanceof Load.Closed closed && !closed.ramp().isZero();
    }

    private static String parts(Page page, List<Part> parts, Function<Part, String> body) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            String own = body.apply(parts.get(i));
            out.append(Html.part(i, parts.get(i).title(), i == 0 ? own : page.later(own)));
        }
        return out.toString();
    }

    /** The explanations of failures and slow responses, the largest first. */
    private String broke() {
        List<String> found = DiagnosisLines.of(result).stream()
                .map(line -> Html.lead(line.headline(), "")
                        + Html.paragraph("", line.evidence())
                        + Html.command("Do: " + line.action())
                        + (line.check().isEmpty() ? "" : Html.command("Check: " + line.check())))
                .toList();
        String none = DiagnosisLines.none(result, "below");
        return found.isEmpty()
                ? Html.paragraph("", Character.toUpperCase(none.charAt(0)) + none.substring(1))
                : Html.first(MOST_CAUSES, "findings", found);
    }

    private String why() {
        Verdict.Status status = result.verdict().status();
        return status == Verdict.Status.VALID ? "Remarks" : "Why " + status;
    }

    /** The findings of the verdict, the most severe first. */
    private String doubts() {
        List<String> reasons = Reasons.of(result).stream()
                .map(line -> Html.lead(line.claim() + (line.claim().endsWith(".") ? "" : "."), line.advice()))
                .toList();
        return reasons.isEmpty() ? "" : Html.first(MOST_CAUSES, "reasons", reasons);
    }

    private String notes() {
        List<String> notes = new ArrayList<>(RequestLines.of(result));
        notes.addAll(ConnectionLines.messages(result));
        notes.addAll(FailureLines.of(result));
        notes.addAll(SetUpLines.sources(result));
        return Html.list(notes);
    }

    private String binning() {
        long seconds = RunTables.bin(intervals).toSeconds();
        return seconds <= 1
                ? ""
                : "<p class=\"about\">Over time, each point is %d seconds: their histograms are added, no percentile is averaged.</p>\n"
                        .formatted(seconds);
    }

    private String journeys(List<Part> parts) {
        Table journeys = ResultTables.journeys(result);
        return journeys.isEmpty()
                ? ""
                : Html.paragraph("about", "From when its first request is due to the end of its last.")
                        + Html.table("Journeys and groups of steps", journeys)
                        + Html.paragraph(
                                "about", "Steps of the measured phases, in order: how many of the journeys got there.")
                        + Html.table("Steps of journeys", JourneySteps.of(parts.get(0)));
    }

    private String failures() {
        Table matrix = FailureMatrix.of(result);
        return Html.table("Failures by cause", ResultTables.failures(result, intervals))
                + (matrix.rows().size() < 2 ? "" : Html.sortable("Failures by operation and cause", matrix))
                + Html.fold(
                        "By cause, phase and operation",
                        Html.sortable(
                                "Failures by phase and operation",
                                ResultTables.causes(result, intervals).without("first_message")))
                + failedRequests();
    }

    /** Under a line for each cause, since few readers look at all. */
    private String failedRequests() {
        StringBuilder out = new StringBuilder();
        for (String cause : result.totals().failures().keySet()) {
            Table requests = RequestTables.failed(result, cause);
            if (!requests.isEmpty()) {
                String title = "Sample requests: " + cause;
                out.append(Html.fold(title, Html.table(title, requests)));
            }
        }
        return out.toString();
    }

    private String slowest() {
        Table slowest = RequestTables.slowest(
                result, result.phases().stream().map(PhaseResult::name).toList());
        return slowest.isEmpty()
                ? ""
                : "<p class=\"about\">The slowest that succeeded, of each phase and operation at most ten. Response = slip +"
                        + " wait for a connection + first byte + transfer.</p>\n"
                        + Html.sortable(words.text("Slowest [requests]"), slowest);
    }

    private String segments() {
        Table segments = ResultTables.segments(result);
        return segments.isEmpty()
                ? ""
                : Html.paragraph(
                                "about",
                                "The load was changed while it ran. Of each load, the requests that ended in it:")
                        + Html.table("Loads", segments.without("threads"));
    }

    private String agents() {
        return result.agents().map(RunPage::agents).orElse("");
    }

    private static String agents(Agents agents) {
        return Html.table("Agents", AgentTables.agents(agents))
                + Html.fold(
                        "Starts and clocks",
                        Html.table("Starts", AgentTables.starts(agents))
                                + Html.tableIfAny("Clocks of agents", AgentTables.peerClocks(agents)));
    }

    private String environment() {
        return Html.environment(
                        result.environment(),
                        List.of(
                                List.of("Engine", result.engine().name()),
                                List.of("Seed", Long.toString(result.plan().seed()))))
                + Html.details("The report as text", TextReport.write(result));
    }
}
