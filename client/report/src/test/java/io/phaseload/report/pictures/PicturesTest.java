package io.phaseload.report.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.SyntheticRun;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.pictures.Pictures.PictureFormat;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;

/** What is drawn of tables can be read, shows something, and stays small. */
@Tag("slow")
class PicturesTest {

    private static final String HOSTILE = "</svg><script>alert(1)</script>&\u0000";

    /** Of as many points as there may be. */
    private static final int MOST_BYTES = 500_000;

    private static final String ABOUT = "a run · http://localhost:8080/ · 2026-11-20 12:00 UTC";

    private static final int SATURATED = 60;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void aRunHasThoseOfItsPage(PictureFormat format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(run(300, true), ABOUT, folder.resolve("new/folder"), format),
                "overview",
                "throughput",
                "latency",
                "failures",
                "client",
                "server",
                "distribution",
                "percentiles",
                "operations");
    }

    @Test
    void responseTimesAreOverAHeatMapAndAFewLines() throws Exception {
        Pictures.draw(run(300, true), ABOUT, folder, PictureFormat.SVG);
        String picture = Files.readString(folder.resolve("latency.svg"));
        // In the colours of the light theme, and as faint as few requests are.
        assertThat(picture).containsPattern("fill=\"#7f93a8\" fill-opacity=\"0\\.");
        assertThat(count(picture, "stroke=\"#e3e3e3\"")).isBetween(3, 12);
    }

    /** Each series has its colour on a mark, and its name in the legend; phases and axes have their names. */
    @Test
    void allSeriesAreThere() throws Exception {
        for (List<Table> tables : List.of(run(60, true), sweep(5), comparison())) {
            Pictures.draw(tables, ABOUT, folder, PictureFormat.SVG);
        }
        assertDrawn(
                """
                overview     | #0072b2,#d55e00,#8a63c9,#3d0b73  | succeeded,failed,p50,p99,loading,peak
                throughput   | #0072b2,#d55e00                  | succeeded,failed,loading,peak,requests per second
                latency      | #8a63c9,#6a2fb0,#3d0b73,#767676  | p50,p95,p99,max,loading,peak,response time (ms)
                percentiles  | #008a63,#b5588f                  | response,service,90 %,99 %,percentile,time (ms)
                operations   | #8a63c9,#6a2fb0,#3d0b73          | p50,p95,p99,GET /,peak: response time (ms)
                distribution | #0072b2,#d55e00                         | succeeded,failed,time (ms),requests (%) of
                failures     | #cc3d4f                          | alert(1),failures per second
                scaling              | #0072b2,#d55e00                 | size=1,fitted law,1,64,threads,?
                bars                 | #8a63c9,#6a2fb0,#3d0b73         | p50,p95,p99,response time (ms)
                groups               | #0072b2,#d55e00                 | size=1,requests per second
                heatmap              | #440154,#fde725                 | requests per second: ,size=1
                trials               | #0072b2,#d55e00                 | size=1,threads
                changes              | #767676,#8a6d00                 | better,worse,p50 · peak,same,+3.00 % (−2.00 to +8.00)
                changes-points       | #b3261e                         | failed · peak,worse,+1.00 points (+0.500 to +1.50)
                compared-latency     | #0072b2,#d55e00                 | before,peak,median (ms)
                compared-percentiles | #0072b2,#d55e00                 | before,peak,99 %
                """);
    }

    /** Each line is a picture, its colours, and its texts. */
    private void assertDrawn(String expected) throws Exception {
        for (String line : expected.lines().toList()) {
            String[] parts = line.split("\\s*\\|\\s*");
            assertDrawn(parts[0], parts[1], parts[2]);
        }
    }

    private void assertDrawn(String name, String colors, String texts) throws Exception {
        String picture = Files.readString(folder.resolve(name + ".svg"));
        for (String color : colors.split(",")) {
            assertThat(picture)
                    .containsPattern(
                            "<path fill=\"none\" stroke=\"%1$s\"[^>]* d=\"M[^\"]{5,}|<circle [^>]*fill=\"%1$s\"|<path fill=\"%1$s\"[^>]* d=\"M[^\"]{9,}|<rect [^>]*height=\"27\" fill=\"%1$s\""
                                    .formatted(color));
        }
        for (String text : texts.split(",")) {
            assertThat(picture).containsPattern(">[^<]*" + Pattern.quote(text) + "[^<]*</text>");
        }
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void aLineHasGapsAndLonePointsAreDots() {
        Plot plot = new Plot("", "", Axis.time(0, 100), Axis.fromZero(DoubleStream.of(100)), 100).withoutLegend();
        plot.line("a", new double[] {0, 50, 60, 100}, new double[] {0, 0, Double.NaN, 0}, "red", Svg.DASHED);
        Svg svg = new Svg(Theme.light());
        plot.draw(svg);
        assertThat(svg.toString())
                .contains("stroke-dasharray=\"4 4\" d=\"M66,118L471,118M876,118\"")
                .contains("<circle cx=\"876\" cy=\"118\" r=\"3.5\" fill=\"red\"/>");
        assertThat(count(svg.toString(), "<circle")).isOne();
    }

    /** Of two bars that share a place, the second is on the first. */
    @Test
    void barsAreAsHighAsTheirNumbers() {
        Plot plot = new Plot("", "", Axis.names(List.of("a", "b")), Axis.fromZero(DoubleStream.of(100)), 108);
        plot.bars("x", new double[] {0, 1, 1, 2}, new double[] {0, 50, 50, 100}, "red");
        Svg svg = new Svg(Theme.light());
        plot.draw(svg);
        assertThat(svg.toString()).contains("d=\"M66,146V96H471V146ZM471,96V46H876V96Z\"");
    }

    @Test
    void barsOfTheSameColourAreLight() {
        Plot plot = new Plot("", "", Axis.names(List.of("a")), Axis.fromZero(DoubleStream.of(100)), 108);
        for (int i = 0; i < 4; i++) {
            plot.bars("x" + i, new double[] {0, 1}, new double[] {0, 50}, List.of("red", "blue"), i);
        }
        Svg svg = new Svg(Theme.light());
        plot.draw(svg);
        assertThat(svg.toString().lines().filter(line -> line.contains("fill=\"red\"")))
                .hasSize(4)
                .filteredOn(line -> line.contains("fill-opacity=\"0.400\""))
                .as("a bar, and its sample in the legend")
                .hasSize(2);
    }

    /** Names differ at their ends. */
    @Test
    void aNameThatIsTooLongKeepsItsEnds() {
        assertThat(Svg.fitted("GET /a/long/way/to/the/orders", 100))
                .startsWith("GET")
                .contains("…")
                .endsWith("ers");
        assertThat(Svg.fitted("GET /", 100)).isEqualTo("GET /");
    }

    @Test
    void seriesOfTheSameColourHaveAnotherShape() {
        Theme theme = Theme.light();
        Plot plot = new Plot("", "", Axis.time(0, 100), Axis.fromZero(DoubleStream.of(100)), 100).withoutLegend();
        for (int i = 0; i < 40; i++) {
            plot.points("series", new double[] {50}, new double[] {50}, theme.color(i), Shape.of(i));
        }
        Svg svg = new Svg(theme);
        plot.draw(svg);
        assertThat(svg.toString().lines().filter(line -> line.matches("<(circle|path fill=\"#).*")))
                .hasSize(40)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"scaling", "scaling-latency", "scaling-failures", "boxes"})
    void shapesOfSeriesAreThoseOfTheChart(String chart) {
        JsonNode range =
                Chart.of(chart).specification().findValue("shape").path("scale").path("range");
        assertThat(range.valueStream().map(JsonNode::asString))
                .containsExactlyElementsOf(IntStream.range(0, range.size())
                        .mapToObj(i ->
                                Shape.of(i).name().toLowerCase(Locale.ROOT).replaceFirst("^(up|down)$", "triangle-$1"))
                        .toList());
        assertThat(Shape.of(range.size())).isEqualTo(Shape.CIRCLE);
    }

    @ParameterizedTest
    @EnumSource
    void aSweepHasThoseOfItsPage(PictureFormat format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(sweep(5), ABOUT, folder, format),
                "scaling",
                "scaling-latency",
                "scaling-failures",
                "groups",
                "bars",
                "heatmap",
                "trials");
    }

    /** Without a load that is varied there is nothing to draw a curve over. */
    @ParameterizedTest
    @EnumSource
    void aSweepOverTextsHasBars(PictureFormat format) throws Exception {
        List<Table> tables = List.of(table(
                "steps",
                List.of("load", "across", "down", "operation", "figure", "median"),
                List.of(
                        row(10, "size=1", "tls=yes", "(all)", "throughput", 5.0),
                        row(10, HOSTILE, "tls=yes", "(all)", "throughput", 7.0),
                        row(10, HOSTILE, "tls=no", "(all)", "throughput", 9.0))));

        assertPictures(format, Pictures.draw(tables, ABOUT, folder, format), "groups");
    }

    @ParameterizedTest
    @EnumSource
    void aComparisonHasThoseOfItsPage(PictureFormat format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(comparison(), ABOUT, folder, format),
                "changes",
                "changes-points",
                "compared-percentiles",
                "compared-latency",
                "compared-throughput");
    }

    @Test
    void withoutDataThereIsNoPicture() throws Exception {
        assertThat(Pictures.draw(run(300, false), ABOUT, folder, PictureFormat.PNG))
                .extracting(file -> file.getFileName().toString())
                .containsExactly(
                        "overview.png",
                        "throughput.png",
                        "latency.png",
                        "client.png",
                        "server.png",
                        "distribution.png",
                        "percentiles.png",
                        "operations.png");
        assertThat(Pictures.draw(sweep(1), ABOUT, folder, PictureFormat.PNG))
                .extracting(file -> file.getFileName().toString())
                .doesNotContain("trials.png");
        assertThat(Pictures.draw(List.of(), ABOUT, folder, PictureFormat.PNG)).isEmpty();
    }

    /** A run of less than a second, and one of which nobody answered. */
    @Test
    void oneIntervalAndNoPercentilesAreEnough() throws Exception {
        assertThat(Pictures.draw(run(1, true), ABOUT, folder, PictureFormat.PNG))
                .hasSize(9);
        List<Table> tables = new ArrayList<>(run(3, true));
        tables.removeIf(table -> table.name().equals("percentiles"));
        assertThat(Pictures.draw(tables, ABOUT, folder, PictureFormat.PNG)).hasSize(8);
    }

    private static void assertPictures(PictureFormat format, List<Path> files, String... names) throws Exception {
        String end = format == PictureFormat.PNG ? ".png" : ".svg";
        assertThat(files)
                .extracting(file -> file.getFileName().toString())
                .containsExactly(Arrays.stream(names).map(n -> n + end).toArray(String[]::new));
        for (Path file : files) {
            assertThat(Files.size(file)).as(file.toString()).isLessThan(MOST_BYTES);
            if (format == PictureFormat.PNG) {
                assertHasLines(file, ImageIO.read(file.toFile()));
            } else {
                Element root = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(file.toFile())
                        .getDocumentElement();
                assertThat(root.getElementsByTagName("script").getLength()).isZero();
                assertThat(root.getElementsByTagName("title").item(0).getTextContent())
                        .contains(" – " + ABOUT)
                        .isEqualTo(root.getAttribute("aria-label"));
                assertThat(Files.readString(file))
                        .containsPattern("<path|<rect")
                        .doesNotContain("NaN");
            }
        }
    }

    private static void assertHasLines(Path file, BufferedImage image) {
        assertThat(image.getWidth()).isEqualTo(2 * Svg.WIDTH);
        int coloured = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                Color color = new Color(image.getRGB(x, y));
                int[] parts = {color.getRed(), color.getGreen(), color.getBlue()};
                Arrays.sort(parts);
                coloured += parts[2] - parts[0] > SATURATED ? 1 : 0;
            }
        }
        assertThat(coloured).as(file.toString()).isGreaterThan(100);
    }

    /** Two halves of this many seconds, the second of which has failures or not. */
    private static List<Table> run(int seconds, boolean failures) {
        return SyntheticRun.run(
                        SyntheticRun.plan("GET /", HOSTILE.replace("\u0000", "")),
                        seconds,
                        100,
                        HOSTILE,
                        failures ? 10 : 0)
                .tables();
    }

    private static List<Table> sweep(int trials) {
        List<List<Object>> steps = new ArrayList<>();
        List<List<Object>> values = new ArrayList<>();
        for (int load = 1; load <= 64; load *= 2) {
            for (String group : List.of("size=1", "size=" + HOSTILE)) {
                for (String figure : List.of("throughput", "p50", "p95", "p99", "failed")) {
                    for (String operation : List.of("(all)", "GET /")) {
                        double median = 100.0 * load * figure.length() + steps.size();
                        steps.add(row(
                                load,
                                "threads",
                                Integer.toString(load),
                                group,
                                group,
                                group,
                                operation,
                                figure,
                                "",
                                "?",
                                median,
                                0.9 * median,
                                1.1 * median));
                    }
                }
                for (int trial = 1; trial <= trials; trial++) {
                    values.add(row(trial, group, load, "(all)", "throughput", 100.0 * load + trial));
                }
            }
        }
        return List.of(
                table(
                        "steps",
                        List.of(
                                "load",
                                "swept",
                                "across",
                                "group",
                                "down",
                                "series",
                                "operation",
                                "figure",
                                "unit",
                                "mark",
                                "median",
                                "low",
                                "high"),
                        steps),
                table("trials", List.of("trial", "group", "threads", "operation", "figure", "value"), values),
                table(
                        "usl",
                        List.of("group", "threads", "requests_per_second"),
                        List.of(row("size=1", 1, 100.0), row("size=1", 64, 4000.0))));
    }

    private static List<Table> comparison() {
        List<List<Object>> curves = new ArrayList<>();
        List<List<Object>> course = new ArrayList<>();
        for (String side : List.of("before", HOSTILE)) {
            for (int i = 0; i < 60; i++) {
                curves.add(row(side, "peak", Math.pow(10, i / 20.0), 1.0 + i));
                course.add(row(side, "peak", i, 100.0 + i, 5.0 + i));
            }
        }
        return List.of(
                table(
                        "changes",
                        List.of(
                                "after",
                                "phase",
                                "operation",
                                "figure",
                                "change",
                                "low",
                                "high",
                                "change_unit",
                                "tolerance",
                                "word"),
                        List.of(
                                row(HOSTILE, "peak", HOSTILE, "p50", 3.0, -2.0, 8.0, "%", 5.0, "same"),
                                row(HOSTILE, "peak", "(all)", "p99", 9.0, -90.0, 4e4, "%", 5.0, "undecided"),
                                row(HOSTILE, "peak", "(all)", "failed", 1.0, 0.5, 1.5, "points", 0.1, "worse"))),
                table("curves", List.of("side", "phase", "one_in", "ms"), curves),
                table("course", List.of("side", "phase", "at_s", "requests_per_second", "p50_ms"), course));
    }

    private static List<Object> row(Object... cells) {
        return Arrays.asList(cells);
    }

    private static Table table(String name, List<String> columns, List<List<Object>> rows) {
        return new Table(name, columns.stream().map(c -> Column.of(c, c, "")).toList(), rows);
    }
}
