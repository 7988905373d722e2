package io.phaseload.report;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.runs.SweepAxes;
import io.phaseload.report.tables.runs.SweepTables;
import io.phaseload.report.text.Headline;
import io.phaseload.report.text.runs.SweepRemarks;
import io.phaseload.report.text.runs.SweepReport;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.summary.SweepSummary.OperationSummary;
import io.phaseload.sweep.summary.SweepSummary.Spread;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a sweep. */
public final class SweepPage {

    private static final String THROUGHPUT = "ops_per_second";

    private static final List<String> FIRST_FIGURES =
            List.of(TrialRow.P50_MS, TrialRow.P95_MS, TrialRow.P99_MS, TrialRow.FAILED_PERCENT);

    private final SweepResult sweep;
    private final List<TrialRow> rows;
    private final SweepSummary summary;
    private final SweepAxes varied;

    /** Of a sweep that nobody named. */
    private static final String DEFAULT_NAME = "sweep";

    private static final int MOST_NAMES = 3;

    private SweepPage(SweepResult sweep) {
        this.sweep = sweep;
        this.rows = sweep.rows();
        this.summary = sweep.summary();
        this.varied = SweepAxes.of(sweep);
    }

    /**
     * Writes the page.
     *
     * @param sweep the sweep
     * @param pages the place where a trial's own page is, seen from this one; empty where there is none
     * @return HTML that loads nothing
     */
    public static String write(SweepResult sweep, Function<TrialRow, Optional<String>> pages) {
        return new SweepPage(sweep).write(pages);
    }

    /**
     * The subject of a picture.
     *
     * @param sweep the sweep
     * @return its name, target if the sweep itself had one, and time
     */
    public static String about(SweepResult sweep) {
        return TextFormat.joined(
                " · ", sweep.name(), target(sweep), Html.minute(sweep.info().startedAt()));
    }

    /** As it was asked for; empty for merged sweeps, and where a plan's file has it. */
    private static String target(SweepResult sweep) {
        List<String> arguments = sweep.info().arguments();
        return Stream.of("--url", "--target")
                .map(arguments::indexOf)
                .filter(at -> at >= 0 && at + 1 < arguments.size())
                .findFirst()
                .map(at -> arguments.get(at + 1))
                .orElse("");
    }

    private String write(Function<TrialRow, Optional<String>> pages) {
        Page page = new Page(title() + " – Phaseload", SweepTables.of(sweep));
        return page.header(header())
                .first("figures", best().map(this::heading).orElse("Figures"), figures())
                .first("reasons", "Why not all are VALID", list(SweepRemarks.reasons(sweep)))
                .section("charts", "Charts", charts(page))
                .section("steps", "Steps", steps(pages))
                .section("not-run", "Not measured", list(SweepRemarks.notMeasured(sweep)))
                .section("environment", "Environment", environment())
                .write();
    }

    /** The charts that suit what was varied; those over a number also as bars. */
    private String charts(Page page) {
        List<Chart> first = new ArrayList<>();
        List<Chart> lines = new ArrayList<>();
        List<Chart> bars = List.of(Chart.of("groups", "steps"), Chart.of("bars", "steps"));
        List<Chart> last = new ArrayList<>();
        if (!sweep.metrics().isEmpty()) {
            first.add(Chart.of("metrics", "steps"));
        }
        if (differ(varied::load)) {
            lines.add(Chart.of("scaling", "steps"));
            lines.add(Chart.of("scaling-latency", "steps"));
            if (operations().anyMatch(SweepPage::hasPercent)) {
                lines.add(Chart.of("scaling-failures", "steps"));
            }
        }
        if (differ(of -> varied.across(of.step())) && differ(of -> varied.down(of.step()))) {
            last.add(Chart.of("heatmap", "steps"));
        }
        if (sweep.info().trials() > 1) {
            last.add(Chart.of("boxes", "trials"));
        }
        String figures =
                figures(page, first) + Html.looks(figures(page, lines), figures(page, bars)) + figures(page, last);
        return figures.isEmpty() ? "" : figures + Page.NO_SCRIPT;
    }

    private String figures(Page page, List<Chart> charts) {
        return page.figures(charts.stream().map(of -> of.in(varied.words())).toList());
    }

    private static boolean hasPercent(OperationSummary of) {
        return of.failed() > 0 || of.figures().containsKey(TrialRow.SERVER_CPU_PERCENT);
    }

    private boolean differ(Function<StepSummary, Object> property) {
        return summary.steps().stream().map(property).distinct().count() > 1;
    }

    private Stream<OperationSummary> operations() {
        return SweepTables.operations(summary);
    }

    /** Its name, or what it sent, and what it varied. */
    private String title() {
        List<String> names = sweep.name().equals(DEFAULT_NAME)
                ? operations().map(OperationSummary::name).distinct().toList()
                : List.of(sweep.name());
        String swept = varied.names().stream()
                .map(of -> of.equals(Step.THREADS) ? varied.words().text("[users]") : of)
                .collect(Collectors.joining(", "));
        return TextFormat.joined(
                " · ",
                names.size() > MOST_NAMES ? names.size() + " operations" : String.join(", ", names),
                Headline.host(target(sweep)),
                TextFormat.format("%d steps of %s", sweep.steps().size(), swept));
    }

    /** Such as {@code Most throughput: 364 requests/s at threads=16, p50 42.9 ms, none failed.} */
    private String sentence() {
        return best().flatMap(best -> SweepTables.throughput(rows, best)
                        .map(rate -> TextFormat.format(
                                "Most throughput: %s %s/s at %s, %s%s.",
                                Significant.text(rate.median()),
                                varied.words().text("[requests]"),
                                varied.text(best.step()),
                                best.operations().size() > 1
                                        ? ""
                                        : times(best.operations().get(0)),
                                best.operations().stream().allMatch(of -> of.failed() == 0)
                                        ? "none " + varied.words().heading("failed")
                                        : "some " + varied.words().heading("failed"))))
                .orElse("No trial was measured.");
    }

    private static String times(OperationSummary operation) {
        return Stream.of(TrialRow.P50_MS, TrialRow.P99_MS)
                .filter(operation.figures()::containsKey)
                .map(of -> TextFormat.format(
                        "%s %s ms, ",
                        of.replace("_ms", ""),
                        Significant.text(operation.figures().get(of).median())))
                .collect(Collectors.joining());
    }

    private String header() {
        Map<String, Set<String>> verdicts = new TreeMap<>();
        rows.stream().filter(TrialRow::isOk).forEach(row -> verdicts.computeIfAbsent(
                        row.text(TrialRow.VERDICT), status -> new TreeSet<>())
                .add(row.step() + "/" + row.trial()));
        StringBuilder badges = new StringBuilder();
        verdicts.forEach(
                (status, trials) -> badges.append(Html.count(status, status + " measurements", trials.size())));
        badges.append(sweep.missing().isPresent() ? Html.badge("INVALID", "incomplete") : "");
        badges.append(sweep.finished() ? "" : Html.badge("SUSPECT", "not finished"));
        return Html.header(
                title(),
                Html.paragraph("sentence", sentence()) + "<p>" + badges + "</p>\n",
                List.of(
                        List.of("Target", target(sweep)),
                        List.of("Started", Html.minute(sweep.info().startedAt())),
                        List.of(
                                "Sweep",
                                "%d steps, %d %s each"
                                        .formatted(
                                                sweep.steps().size(),
                                                sweep.info().trials(),
                                                sweep.info().trials() == 1 ? "trial" : "trials")),
                        List.of("Client", Html.machine(sweep.info().environment()))));
    }

    /** The step with the most throughput. */
    private Optional<StepSummary> best() {
        return summary.steps().stream()
                .filter(step -> !step.operations().isEmpty())
                .max(Comparator.comparing(SweepPage::throughput));
    }

    private String heading(StepSummary best) {
        String step = varied.text(best.step());
        return "Most throughput" + (step.isEmpty() ? "" : ": " + step);
    }

    /** Of that step, and what the law says of more load. */
    private String figures() {
        if (best().isEmpty()) {
            return "<p>No trial was measured.</p>\n";
        }
        StepSummary best = best().orElseThrow();
        StringBuilder out = new StringBuilder();
        boolean several = best.operations().size() > 1;
        SweepTables.throughput(rows, best).ifPresent(all -> out.append(figure(THROUGHPUT, "", all)));
        for (OperationSummary operation : best.operations()) {
            String of = several ? " of " + operation.name() : "";
            for (String column : firstFigures(operation)) {
                out.append(figure(column, of, operation.figures().get(column)));
            }
            Optional.ofNullable(operation.figures().get(TrialRow.SERVER_CPU_PERCENT))
                    .ifPresent(cpu -> out.append(figure(TrialRow.SERVER_CPU_PERCENT, of, cpu)));
        }
        List<String> laws = new ArrayList<>(SweepRemarks.laws(sweep));
        SweepTables.throughput(rows, best)
                .filter(of -> of.trials() > 1)
                .ifPresent(of ->
                        laws.add(0, TextFormat.format("Intervals have %.0f %% confidence.", 100 * of.coverage())));
        return Html.figures(out.toString()) + list(laws);
    }

    /** Where there are metrics, they come first, and times of too few requests don't come at all. */
    private List<String> firstFigures(OperationSummary operation) {
        Set<String> known = operation.figures().keySet();
        return sweep.metrics().isEmpty()
                ? FIRST_FIGURES
                : Stream.concat(sweep.metrics().stream(), FIRST_FIGURES.stream())
                        .filter(known::contains)
                        .toList();
    }

    private static double throughput(StepSummary step) {
        return step.operations().stream()
                .mapToDouble(operation -> operation.median(THROUGHPUT))
                .filter(Double::isFinite)
                .sum();
    }

    private String figure(String column, String of, Spread spread) {
        Column named = varied.column(column);
        String title = named.title() + of;
        if (spread == null) {
            return Html.figure(title, Missing.TOO_FEW.toString(), "", "");
        }
        String interval = spread.trials() == 1
                ? "one trial"
                : spread.low() == spread.high()
                        ? "the same in all trials"
                        : TextFormat.format(
                                "%s to %s", Significant.text(spread.low()), Significant.text(spread.high()));
        return Html.figure(title, Significant.text(spread.median()), named.unit(), interval);
    }

    private String steps(Function<TrialRow, Optional<String>> pages) {
        return (sweep.info().trials() == 1
                        ? ""
                        : "<p class=\"about\">Median of the trials' figures; below it, its"
                                + " confidence interval.</p>\n")
                + StepFigures.of(sweep, varied, pages);
    }

    private static String list(List<String> lines) {
        return lines.isEmpty() ? "" : Html.list(lines);
    }

    private String environment() {
        return Html.environment(
                        sweep.info().environment(),
                        List.of(
                                List.of("Seed", Long.toString(sweep.info().seed())),
                                List.of(
                                        "Arguments",
                                        String.join(" ", sweep.info().arguments()))))
                + Html.details("The report as text", SweepReport.write(sweep));
    }
}
