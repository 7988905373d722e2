package io.phaseload.report.pictures;

import io.phaseload.report.cells.Rows;
import io.phaseload.report.cells.Rows.Row;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.tables.Operations;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import tools.jackson.databind.JsonNode;

/** The pictures of a run. */
final class RunPictures {

    private static final int PANEL = 110;
    private static final int CARD = 84;
    private static final int COLUMNS = 3;
    private static final double ALL_PERCENT = 100;

    /** In seconds; less is not seen. */
    private static final double GAP = 0.01;

    private final List<Table> tables;
    private final Rows phases;
    private final Rows intervals;
    private final Theme theme;
    private final boolean small;

    private RunPictures(List<Table> tables, Theme theme, boolean small) {
        this.theme = theme;
        this.small = small;
        this.tables = tables;
        this.phases = Rows.of(tables, "phases");
        this.intervals = Rows.of(tables, "intervals");
    }

    /** {@code small} ones have no heat map. */
    static List<Picture> of(List<Table> tables, Theme theme, boolean small) {
        RunPictures run = new RunPictures(tables, theme, small);
        DistributionPictures distributions = new DistributionPictures(tables, theme);
        return List.of(
                Picture.of("overview", run::overview),
                Picture.of("throughput", run::throughput),
                Picture.of("users", run::users),
                Picture.of("latency", run::latency),
                Picture.of("streams", run::streams),
                Picture.of("failures", run::failures),
                Picture.of("client", () -> run.panels("client")),
                Picture.of("server", () -> run.panels("server")),
                Picture.of("distribution", distributions::distribution),
                Picture.of("percentiles", distributions::percentiles),
                Picture.of("operations", () -> OperationRows.of(tables, theme)));
    }

    /** Over a heat map: the darker, the more requests took so long. */
    private List<Panel> latency() {
        Rows times = Rows.of(tables, "latencies").where("outcome", "all");
        Rows heat = small ? new Rows(List.of()) : Rows.of(tables, "heat");
        if (times.stream("ms").noneMatch(ms -> ms > 0)) {
            return List.of();
        }
        DoubleStream shown = DoubleStream.concat(times.stream("ms"), heat.stream("low_ms", "high_ms"));
        Plot chart = withNames("response time (ms)", Axis.logarithmic(shown));
        Heat cells = Heat.of(Chart.of("latency"));
        for (Row cell : heat.all()) {
            chart.cell(
                    new double[] {cell.number("start_s"), cell.number("end_s")},
                    new double[] {cell.number("low_ms"), cell.number("high_ms")},
                    theme.color("style", "heat", "color"),
                    cells.opacity(cell.number("percent")));
        }
        List<String> colors = theme.colors("ordinal");
        times.each("figure", (i, name, rows) -> steps(chart, name, rows, colors.get(i), Svg.dashes(i)));
        return chart.panel();
    }

    /** Colours are times; dashes are the p95. */
    private List<Panel> streams() {
        Rows events = Rows.of(tables, "events");
        if (events.isEmpty()) {
            return List.of();
        }
        Rows shown = events.where(row -> List.of("p50", "p95").contains(row.text("figure")));
        Plot chart = withNames("time (ms)", Axis.logarithmic(shown.stream("ms")));
        events.each("time", (color, time, rows) -> {
            Rows p95 = rows.where("figure", "p95");
            steps(chart, time + " · p50", rows.where("figure", "p50"), theme.color(color), Svg.PLAIN);
            steps(chart, time + " · p95", p95, theme.color(color), Svg.DASHED);
        });
        return chart.panel();
    }

    /** The panels of the first chart, in the height of a card. */
    static List<Panel> overview(List<Table> tables, Theme theme) {
        return new RunPictures(tables, theme, true).overview(CARD);
    }

    private List<Panel> overview() {
        return overview(PANEL);
    }

    /** The load and the response times, one below the other. */
    private List<Panel> overview(int height) {
        if (intervals.isEmpty()) {
            return List.of();
        }
        List<Plot> plots = new ArrayList<>(List.of(rates(height)));
        Rows all = Rows.of(tables, "latencies");
        Rows succeeded = all.where("outcome", "succeeded");
        Rows times = (succeeded.isEmpty() ? all : succeeded)
                .where(row ->
                        row.text("figure").equals("p50") || row.text("figure").equals("p99"));
        if (times.stream("ms").anyMatch(ms -> ms > 0)) {
            Plot chart = overTime("", "response time (ms)", Axis.logarithmic(times.stream("ms")), height, row -> "");
            List<String> colors = theme.colors("ordinal");
            times.each("figure", (i, name, rows) -> steps(chart, name, rows, colors.get(2 * i), Svg.PLAIN));
            plots.add(chart);
        }
        return Plot.stacked(plots);
    }

    private List<Panel> throughput() {
        return intervals.isEmpty() ? List.of() : rates(Plot.HEIGHT).panel();
    }

    /** Requests that succeeded, those that failed, and the requested rate. */
    private Plot rates(int height) {
        Rows offered = Rows.of(tables, "offered");
        Rows all = intervals.where("operation", "(all)");
        String perSecond = Table.named(tables, "intervals").title("requests") + " per second";
        DoubleStream shown = DoubleStream.concat(all.stream("requests_per_second"), offered.stream("per_second"));
        Plot chart = overTime("", perSecond, Axis.fromZero(shown), height, this::withUsers);
        List<String> colors = theme.colors(Chart.of("throughput"));
        Rows succeeded =
                all.with("succeeded", row -> row.number("requests_per_second") - row.number("failed_per_second"));
        boolean failed = all.stream("failed_per_second").anyMatch(rate -> rate > 0);
        Wording words = Wording.of(Rows.of(tables, "operations").by("operation").keySet().stream()
                .filter(name -> !name.equals(Operations.ALL))
                .toList());
        course(chart, words.heading("succeeded"), succeeded, "succeeded", colors.get(1), Svg.PLAIN);
        if (failed) {
            course(chart, words.heading("failed"), all, "failed_per_second", colors.get(2), Svg.dashes(1));
        }
        Rows middles = offered.with("at_s", row -> (row.number("start_s") + row.number("end_s")) / 2);
        course(chart, "offered", middles, "per_second", theme.color("axis", "labelColor"), Svg.DASHED);
        if (!failed && offered.isEmpty()) {
            chart.withoutLegend();
        }
        return chart;
    }

    /** Where those of a phase begin one after another; else the phases' names tell all. */
    private List<Panel> users() {
        Rows users = Rows.of(tables, "users");
        if (users.by("phase").values().stream().noneMatch(of -> of.by("users").size() > 1)) {
            return List.of();
        }
        String title = Table.named(tables, "users").title("users");
        Plot chart = withNames(title, Axis.fromZero(users.stream("users"))).withoutLegend();
        course(chart, "users", users, "users", theme.color("axis", "labelColor"), Svg.PLAIN);
        return chart.panel();
    }

    private List<Panel> failures() {
        Rows failures = Rows.of(tables, "failures");
        if (failures.isEmpty()) {
            return List.of();
        }
        Plot chart = withNames("failures per second", Axis.fromZero(failures.stream("per_second")));
        Rows all = intervals.where("operation", "(all)");
        List<String> colors = theme.colors(Chart.of("failures"));
        failures.each("cause", (i, cause, rows) -> {
            Map<String, Rows> at = rows.by("start_s");
            Rows rates = all.with("rate", row -> rate(at, row));
            course(chart, cause, rates, "rate", colors.get(i % colors.size()), Svg.dashes(i));
        });
        return chart.panel();
    }

    /** One of each figure that the chart shows first. */
    private List<Panel> panels(String table) {
        JsonNode of = Chart.of(table).specification().path("usermeta");
        List<String> first =
                of.path("first").valueStream().map(JsonNode::asString).toList();
        List<String> later =
                of.path("later").valueStream().map(JsonNode::asString).toList();
        Map<String, Rows> figures = Rows.of(tables, table).by("figure");
        List<String> chosen = figures.keySet().stream()
                .filter(name -> first.isEmpty() || first.contains(name))
                .filter(name -> later.stream().noneMatch(end -> name.equals(end) || name.endsWith(": " + end)))
                .toList();
        List<Plot> panels = new ArrayList<>();
        for (String figure : chosen.isEmpty() ? List.copyOf(figures.keySet()) : chosen) {
            Rows rows = figures.get(figure);
            // All of a machine's CPU is 100 %.
            DoubleStream shown =
                    figure.endsWith("CPU (%)") ? DoubleStream.of(ALL_PERCENT / Axis.HEADROOM) : rows.stream("mean");
            Plot chart =
                    overTime(figure, "", Axis.fromZero(shown), PANEL, row -> "").withoutLegend();
            rows.each("client", (i, name, own) -> course(chart, figure, own, "mean", theme.color(i), Svg.PLAIN));
            panels.add(chart);
        }
        return Plot.grid(panels, COLUMNS);
    }

    /** There are rows only where there were failures. */
    private static double rate(Map<String, Rows> byStart, Row interval) {
        Rows own = byStart.get(interval.text("start_s"));
        return own == null ? 0 : own.numbers("per_second")[0];
    }

    /** Over the time of the run, with the phases' names. */
    private Plot withNames(String yTitle, Axis y) {
        return overTime("", yTitle, y, Plot.HEIGHT, row -> row.text("phase"));
    }

    private Plot overTime(String title, String yTitle, Axis y, int height, Function<Row, String> name) {
        double[] ends = phases.numbers("end_s");
        Axis x = Axis.time(phases.numbers("start_s")[0], ends[ends.length - 1]);
        Plot chart = new Plot(title, yTitle, x, y, height);
        for (Row of : phases.all()) {
            chart.part(name.apply(of), of.number("start_s"), of.number("end_s"), of.number("measured") == 0);
        }
        return chart;
    }

    private String withUsers(Row phase) {
        long count = Math.round(phase.number("threads"));
        String users = Table.named(tables, "phases").title("threads");
        return "%s · %d %s"
                .formatted(phase.text("phase"), count, count == 1 ? users.substring(0, users.length() - 1) : users);
    }

    /** Adds a line with gaps between phases. */
    private static void course(Plot chart, String name, Rows rows, String column, String color, String dashes) {
        line(chart, name, rows, column, color, dashes, List.of("at_s"));
    }

    /** The same as steps: each value stands for a stretch of time, and there are gaps where nothing was received. */
    private static void steps(Plot chart, String name, Rows rows, String color, String dashes) {
        line(chart, name, rows, "ms", color, dashes, List.of("start_s", "end_s"));
    }

    private static void line(
            Plot chart, String name, Rows rows, String column, String color, String dashes, List<String> places) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (Rows phase : rows.by("phase").values()) {
            double end = Double.NEGATIVE_INFINITY;
            for (Row row : phase.all()) {
                boolean first = end == Double.NEGATIVE_INFINITY;
                if (!x.isEmpty() && (first || places.size() > 1 && row.number("start_s") - end > GAP)) {
                    x.add(x.get(x.size() - 1));
                    y.add(Double.NaN);
                }
                for (String place : places) {
                    x.add(row.number(place));
                    y.add(row.number(column));
                }
                end = row.number("end_s");
            }
        }
        chart.line(name, array(x), array(y), color, dashes);
    }

    private static double[] array(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
