package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Theme;
import io.phaseload.verdict.rules.Wording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChartsTest {

    private static final Path CHARTS = Path.of("../../charts");
    private static final Pattern NOUN = Pattern.compile("(?i)(?<![\\w-])(?:requests?|users?)(?![\\w-])");
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final Pattern COLOR = Pattern.compile("#[0-9a-f]{6}");

    private static final Set<String> TABLES = Set.of(
            "phases",
            "load_changes",
            "operations",
            "percentiles",
            "intervals",
            "latencies",
            "events",
            "heat",
            "distribution",
            "marks",
            "parts",
            "offered",
            "users",
            "courses",
            "failures",
            "client",
            "server",
            "steps",
            "trials",
            "usl",
            "changes",
            "curves",
            "course",
            "servers",
            "capacity",
            "history",
            "runs",
            "clock");

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(CHARTS)) {
            return files.filter(file -> file.toString().endsWith(".vl.json"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void aChartHasADescriptionAndNamesExistingTables(Path file) throws IOException {
        JsonNode chart = MAPPER.readTree(Files.readString(file));

        assertThat(chart.path("$schema").asString()).isEqualTo("https://vega.github.io/schema/vega-lite/v6.json");
        assertThat(chart.path("title").asString()).isNotBlank();
        assertThat(chart.path("description").asString()).endsWith(".");
        assertThat(chart.findValues("data")).isNotEmpty().allSatisfy(data -> assertThat(TABLES)
                .contains(data.path("name").asString()));
        assertThat(Files.readString(CHARTS.resolve("README.md")))
                .contains("`" + file.getFileName().toString().replace(".vl.json", "") + "`");
    }

    /** The throughput's lines are delivered and lost; columns of tables keep their names. */
    @Test
    void linesOfMessagesHaveTheirOwnNames() {
        Wording messages = Wording.of(List.of("message"));
        for (String name : List.of("overview", "throughput")) {
            String chart = Chart.of(name).in(messages).specification().toString();
            assertThat(chart).contains("\"delivered\"", "\"lost\"").doesNotContain("\"succeeded\"", "\"failed\"");
        }
        assertThat(Chart.of("distribution").in(messages).specification().toString())
                .contains("\"succeeded\"");
    }

    /** After as many as there are colours. */
    @Test
    void barsOfTheSameColourAreLight() {
        List<Double> opacities = Chart.of("groups")
                .specification()
                .findValue("opacity")
                .path("scale")
                .path("range")
                .valueStream()
                .map(JsonNode::asDouble)
                .toList();
        int colors = Theme.light().colors("category").size();

        assertThat(opacities.subList(0, colors)).containsOnly(1.0);
        assertThat(opacities.subList(colors, opacities.size())).hasSize(colors).containsOnly(0.4);
    }

    /** Texts that differ for messages are in a file of their own, which must have all of them, and no others. */
    @Test
    void textsOnRequestsAndUsersHaveOthersForMessages() throws IOException {
        Set<String> texts = new TreeSet<>();
        for (Path file : files()) {
            JsonNode chart = MAPPER.readTree(Files.readString(file));
            for (String part : List.of("title", "description")) {
                chart.findValues(part).forEach(text -> texts.add(text.asString("")));
            }
            chart.findValues("calculate").stream()
                    .map(JsonNode::asString)
                    .filter(text -> text.contains("'"))
                    .forEach(texts::add);
        }
        texts.removeIf(text -> !NOUN.matcher(text).find());

        assertThat(MAPPER.readTree(Files.readString(CHARTS.resolve("messages.json")))
                        .propertyNames())
                .containsExactlyInAnyOrderElementsOf(texts);
    }

    /** Else the page would have colours that only one of them knows. */
    @Test
    void lightAndDarkHaveTheSameKeys() throws IOException {
        JsonNode light = MAPPER.readTree(Files.readString(CHARTS.resolve("light.json")));
        JsonNode dark = MAPPER.readTree(Files.readString(CHARTS.resolve("dark.json")));

        assertThat(shape(dark)).isEqualTo(shape(light));
        assertThat(new Theme().css()).contains("--chart-0:", "prefers-color-scheme: dark");
    }

    /** WCAG's least for shapes, on both backgrounds. */
    @Test
    void everyMarkStandsOut() throws IOException {
        for (String look : List.of("light", "dark")) {
            JsonNode theme = MAPPER.readTree(Files.readString(CHARTS.resolve(look + ".json")));
            String behind = theme.path("background").asString();
            List<String> colors = new ArrayList<>();
            theme.path("range").forEach(range -> range.forEach(color -> colors.add(color.asString())));
            for (Path chart : files()) {
                Matcher fixed = COLOR.matcher(Files.readString(chart));
                while (fixed.find()) {
                    colors.add(fixed.group());
                }
            }
            assertThat(colors)
                    .hasSizeGreaterThan(30)
                    .filteredOn(color -> COLOR.matcher(color).matches())
                    .allSatisfy(color -> assertThat(contrast(color, behind))
                            .as("%s on %s", color, behind)
                            .isGreaterThan(3));
        }
    }

    private static double contrast(String one, String other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(String color) {
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            double part = Integer.parseInt(color.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static String shape(JsonNode node) {
        return node.toString().replaceAll("#[0-9a-f]{6}", "colour");
    }

    /** What comes from elsewhere is what was looked at. */
    @Test
    void theLibrariesMatchTheirChecksums() throws IOException, NoSuchAlgorithmException {
        Path vendor = CHARTS.resolve("vendor");
        List<String> sums = Files.readAllLines(vendor.resolve("SHA256SUMS"));

        assertThat(sums).hasSize(4);
        for (String line : sums) {
            String[] sumAndName = line.split(" +");
            byte[] file = Files.readAllBytes(vendor.resolve(sumAndName[1]));
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(file);
            assertThat(HexFormat.of().formatHex(sum)).as(sumAndName[1]).isEqualTo(sumAndName[0]);
        }
        JsonNode wanted = MAPPER.readTree(Files.readString(vendor.resolve("package.json")));
        JsonNode locked = MAPPER.readTree(Files.readString(vendor.resolve("package-lock.json")));
        for (String library : List.of("vega", "vega-lite")) {
            String version = wanted.path("dependencies").path(library).asString();
            assertThat(Files.readString(vendor.resolve(library + ".min.js"))).contains(version);
            assertThat(locked.path("packages")
                            .path("node_modules/" + library)
                            .path("version")
                            .asString())
                    .isEqualTo(version);
            assertThat(Files.readString(vendor.resolve("LICENSES"))).contains("== " + library + " " + version);
        }
    }
}
