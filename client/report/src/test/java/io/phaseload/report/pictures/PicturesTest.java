package io.phaseload.report.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.pictures.Pictures.Format;
import io.phaseload.report.tables.Column;
import io.phaseload.report.tables.Table;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;

/** What is drawn of tables can be read, shows something, and stays small. */
class PicturesTest {

    private static final String HOSTILE = "</svg><script>alert(1)</script>&\u0000";

    /** Of as many points as there may be; XChart draws each line between two on its own. */
    private static final int MOST_BYTES = 500_000;

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource
    void aRunHasFourPictures(Format format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(run(600, true), folder.resolve("new/folder"), format),
                "throughput",
                "latency",
                "failures",
                "percentiles");
    }

    @ParameterizedTest
    @EnumSource
    void aSweepHasThreePictures(Format format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(sweep(5), folder, format),
                "scaling",
                "scaling-latency",
                "trials");
    }

    /** Without a load that is varied there is nothing to draw a curve over. */
    @ParameterizedTest
    @EnumSource
    void aSweepOverTextsHasBars(Format format) throws Exception {
        List<Table> tables =
                List.of(
                        table(
                                "steps",
                                List.of("load", "across", "down", "operation", "figure", "median"),
                                List.of(
                                        row(10, "size=1", "tls=yes", "(all)", "throughput", 5.0),
                                        row(10, HOSTILE, "tls=yes", "(all)", "throughput", 7.0),
                                        row(10, HOSTILE, "tls=no", "(all)", "throughput", 9.0))));

        assertPictures(format, Pictures.draw(tables, folder, format), "groups");
    }

    @ParameterizedTest
    @EnumSource
    void aComparisonHasThreePictures(Format format) throws Exception {
        assertPictures(
                format,
                Pictures.draw(comparison(), folder, format),
                "compared-percentiles",
                "compared-latency",
                "compared-throughput");
    }

    @Test
    void withoutDataThereIsNoPicture() throws Exception {
        assertThat(Pictures.draw(run(600, false), folder, Format.PNG))
                .extracting(file -> file.getFileName().toString())
                .containsExactly("throughput.png", "latency.png", "percentiles.png");
        assertThat(Pictures.draw(sweep(1), folder, Format.PNG))
                .extracting(file -> file.getFileName().toString())
                .containsExactly("scaling.png", "scaling-latency.png");
        assertThat(Pictures.draw(List.of(), folder, Format.PNG)).isEmpty();
    }

    /** A run of less than a second, and one of which nobody answered. */
    @Test
    void oneIntervalAndNoPercentilesAreEnough() throws Exception {
        assertThat(Pictures.draw(run(1, true), folder, Format.PNG)).hasSize(4);
        List<Table> tables = new ArrayList<>(run(3, true));
        tables.removeIf(table -> table.name().equals("percentiles"));
        assertThat(Pictures.draw(tables, folder, Format.PNG)).hasSize(3);
    }

    private static void assertPictures(Format format, List<Path> files, String... names)
            throws Exception {
        String end = format == Format.PNG ? ".png" : ".svg";
        assertThat(files)
                .extracting(file -> file.getFileName().toString())
                .containsExactly(Arrays.stream(names).map(n -> n + end).toArray(String[]::new));
        for (Path file : files) {
            assertThat(Files.size(file)).as(file.toString()).isLessThan(MOST_BYTES);
            if (format == Format.PNG) {
                assertHasLines(file, ImageIO.read(file.toFile()));
            } else {
                Element root =
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(file.toFile())
                                .getDocumentElement();
                assertThat(root.getElementsByTagName("script").getLength()).isZero();
                assertThat(root.getElementsByTagName("title").item(0).getTextContent())
                        .isNotBlank()
                        .isEqualTo(root.getAttribute("aria-label"));
                assertThat(Files.readString(file))
                        .containsAnyOf("rgb(0,114,178)", "rgb(138,99,201)")
                        .doesNotContain("NaN");
            }
        }
    }

    private static void assertHasLines(Path file, BufferedImage image) {
        assertThat(image.getWidth()).isEqualTo(2 * ChartStyle.WIDTH);
        Set<Integer> colors = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                colors.add(image.getRGB(x, y) & 0xFFFFFF);
            }
        }
        assertThat(colors)
                .as(file.toString())
                .contains(0xFFFFFF)
                .containsAnyElementsOf(
                        IntStream.range(0, 8)
                                .mapToObj(
                                        i ->
                                                i == 0
                                                        ? ChartStyle.ofTime(0)
                                                        : ChartStyle.color(i - 1))
                                .map(color -> color.getRGB() & 0xFFFFFF)
                                .toList());
    }

    private static List<Table> run(int seconds, boolean failures) {
        return List.of(
                table(
                        "phases",
                        List.of("phase", "start_s", "end_s"),
                        List.of(
                                row("warmup", 0, seconds / 2.0),
                                row(HOSTILE, seconds / 2.0, seconds))),
                table(
                        "percentiles",
                        List.of("phase", "operation", "kind", "outcome", "one_in", "ms"),
                        IntStream.range(0, 60)
                                .mapToObj(
                                        i ->
                                                row(
                                                        i % 2 == 0 ? "warmup" : HOSTILE,
                                                        "(all)",
                                                        "response",
                                                        "all",
                                                        Math.pow(10, i / 20.0),
                                                        0.0 + i))
                                .toList()),
                table(
                        "intervals",
                        List.of(
                                "phase",
                                "operation",
                                "start_s",
                                "at_s",
                                "requests_per_second",
                                "p50_ms",
                                "p95_ms",
                                "p99_ms",
                                "max_ms"),
                        IntStream.range(0, 2 * seconds)
                                .mapToObj(
                                        i ->
                                                row(
                                                        i < seconds ? "warmup" : HOSTILE,
                                                        i % 2 == 0 ? "(all)" : HOSTILE,
                                                        i / 2,
                                                        i / 2 + 0.5,
                                                        100.0 + i % 7,
                                                        2.0,
                                                        5.0 + i % 3,
                                                        i == 9 ? null : 8.0 + i % 5,
                                                        20.0 + i % 11))
                                .toList()),
                table(
                        "failures",
                        List.of("phase", "cause", "start_s", "per_second"),
                        failures ? List.of(row("warmup", HOSTILE, 0, 3.0)) : List.of()));
    }

    private static List<Table> sweep(int trials) {
        List<List<Object>> steps = new ArrayList<>();
        List<List<Object>> values = new ArrayList<>();
        for (int load = 1; load <= 64; load *= 2) {
            for (String group : List.of("size=1", "size=" + HOSTILE)) {
                for (String figure : List.of("throughput", "p50", "p95", "p99", "failed")) {
                    double median =
                            100.0 * load * figure.hashCode() / "p50".hashCode() + steps.size();
                    steps.add(
                            row(
                                    load,
                                    "threads",
                                    group,
                                    "(all)",
                                    figure,
                                    median,
                                    0.9 * median,
                                    1.1 * median));
                }
                for (int trial = 1; trial <= trials; trial++) {
                    values.add(
                            row(trial, group, load, "(all)", "throughput", 100.0 * load + trial));
                }
            }
        }
        return List.of(
                table(
                        "steps",
                        List.of(
                                "load",
                                "swept",
                                "group",
                                "operation",
                                "figure",
                                "median",
                                "low",
                                "high"),
                        steps),
                table(
                        "trials",
                        List.of("trial", "group", "threads", "operation", "figure", "value"),
                        values),
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
                table("curves", List.of("side", "phase", "one_in", "ms"), curves),
                table(
                        "course",
                        List.of("side", "phase", "at_s", "requests_per_second", "p50_ms"),
                        course));
    }

    private static List<Object> row(Object... cells) {
        return Arrays.asList(cells);
    }

    private static Table table(String name, List<String> columns, List<List<Object>> rows) {
        return new Table(name, columns.stream().map(c -> Column.of(c, c, "")).toList(), rows);
    }
}
