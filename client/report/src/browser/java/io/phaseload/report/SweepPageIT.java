package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a reader finds on the page of two merged sweeps of 13 steps, of three trials each. */
class SweepPageIT {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path folder;

    private static Visit visit;

    @BeforeAll
    static void open() throws Exception {
        Path file = Files.writeString(
                folder.resolve("sweep.html"), SyntheticSweep.published().page());
        visit = CHROMIUM.open(file, View.DESKTOP).drawn();
        visit.screenshot("published");
    }

    @AfterAll
    static void close() {
        visit.assertWhole();
        visit.close();
    }

    private static List<String> texts(String chart) {
        return visit.page().locator("#chart-" + chart + " svg text").allTextContents();
    }

    /** Of both workloads in one chart, over numbers, none of which is a duration. */
    @Test
    void sweepsShareAnAxisOfNumbers() {
        assertThat(texts("scaling"))
                .contains("threads", "10", "100", "10,000", "workload=write", "workload=read")
                .noneMatch(text -> text.contains("duration") || text.contains("10k"));
        assertThat(texts("scaling-latency")).contains("p50 (ms)", "p95 (ms)", "p99 (ms)", "mean (ms)");
        assertThat(texts("scaling-failures")).contains("failed (%)", "server CPU (%)");
    }

    @Test
    void axeFindsNothing() throws Exception {
        visit.assertAccessible();
    }

    @Test
    void aStepThatIsNotToBeTrustedIsMarked() {
        assertThat(texts("scaling")).contains("?", "✗ failed");
        assertThat(visit.page().locator("#steps").innerText()).contains("! SUSPECT", "✗ FAILED", "trial 1 (failed)");
    }

    @Test
    void aLawThatFitsSaysHowWell() {
        assertThat(texts("scaling")).anyMatch(text -> text.matches("fitted law, R² 0\\.9.*"));
    }

    /** Of several, each has its line; none is cut off, on a phone either. */
    @Test
    void lawsAreToldWhole() {
        try (Visit phone =
                CHROMIUM.open(folder.resolve("sweep.html"), View.PHONE).drawn()) {
            phone.screenshot("published-phone");
            for (Visit each : List.of(visit, phone)) {
                Locator laws = each.page().locator("#chart-scaling svg").getByText("fitted law");
                assertThat(laws.allTextContents())
                        .hasSize(2)
                        .allMatch(text -> text.matches("fitted law, R² 0\\.\\d+ \\(workload=\\w+\\)"));
                double edge = each.page().locator("#chart-scaling .chart").boundingBox().x;
                double width = each.page().locator("#chart-scaling .chart").boundingBox().width;
                for (Locator law : laws.all()) {
                    assertThat(law.boundingBox().x + law.boundingBox().width).isLessThan(edge + width);
                }
            }
            theFirstFiguresAreInSight(phone);
        }
    }

    /** What is asked first, beside the step that it is of. */
    private static void theFirstFiguresAreInSight(Visit phone) {
        Locator table = phone.page().locator("#steps table").first();
        Locator heads = table.locator("thead th");
        assertThat(heads.allTextContents()).startsWith("step", "operation", "elapsed", "throughput (rps)", "p50 (ms)");
        assertThat(heads.nth(0).boundingBox().width).isLessThan(110);
        assertThat(heads.nth(3).boundingBox().x + heads.nth(3).boundingBox().width)
                .isLessThan(View.PHONE.width());
        assertThat(table.locator("tbody tr").first().locator("td").nth(2).innerText())
                .matches("[\\d,.]+\\s+[\\d,.]+ – [\\d,.]+");
    }

    /** Times that hardly differ are on a linear axis, all of whose numbers are written. */
    @Test
    void aLinearAxisHasItsNumbers() throws Exception {
        SyntheticSweep sweep = new SyntheticSweep("narrow", List.of());
        for (int count : List.of(10, 12, 14)) {
            sweep.step(1, count, List.of("GET /"), Map.of("threads", Integer.toString(count)), "VALID");
        }
        Path file = Files.writeString(folder.resolve("narrow.html"), sweep.page());
        try (Visit narrow = CHROMIUM.open(file, View.DESKTOP).drawn()) {
            for (String chart : List.of("scaling-latency", "bars")) {
                narrow.page().locator("input[name=look][value=bars]").check();
                narrow.page().locator("#chart-bars").scrollIntoViewIfNeeded();
                PlaywrightAssertions.assertThat(narrow.page()
                                .locator("#chart-bars .chart > svg .role-mark")
                                .first())
                        .isAttached();
                assertThat(narrow.page()
                                .locator("#chart-" + chart + " svg .role-axis .role-axis-label text")
                                .allTextContents())
                        .as(chart)
                        .contains("0")
                        .doesNotContain("");
            }
            // One trial each: no interval to be confident of.
            assertThat(narrow.page().locator("#steps thead").first().innerText())
                    .doesNotContain("confidence");
        }
    }

    @Test
    void namesOfStepsDontOverlapOnAPhone() throws Exception {
        SyntheticSweep sweep = new SyntheticSweep("sizes", List.of());
        for (String size : List.of("1k", "2k")) {
            for (int count = 100; count < 113; count++) {
                sweep.step(
                        1, count, List.of("GET /"), Map.of("threads", Integer.toString(count), "size", size), "VALID");
            }
        }
        Path file = Files.writeString(folder.resolve("sizes.html"), sweep.page());
        try (Visit phone = CHROMIUM.open(file, View.PHONE).drawn()) {
            Locator label = phone.page()
                    .locator("#chart-heatmap .chart > svg .role-axis-label text")
                    .filter(new Locator.FilterOptions().setHasText("112"));
            assertThat(label.getAttribute("transform")).contains("rotate(320)");
        }
    }

    /** What is at an edge of a chart is seen. */
    @Test
    void pointsKeepOffTheAxes() {
        assertThat(
                        (Boolean)
                                visit.eval(
                                        """
                                        (() => {
                                          const panels = [...document.querySelectorAll('#chart-scaling-latency .chart > svg .role-scope.cell > g')];
                                          return panels.length === 4 && panels.every(panel => {
                                            const plot = panel.querySelector('path.background').getBoundingClientRect();
                                            const points = [...panel.querySelectorAll('.mark-symbol path')];
                                            return points.length > 0 && points.map(of => of.getBoundingClientRect()).every(box =>
                                              box.left > plot.left && box.right < plot.right && box.top > plot.top);
                                          });
                                        })()
                                        """))
                .isTrue();
    }

    @Test
    void aStepLinksToItsTrials() {
        assertThat(visit.page().locator("#steps a").first().getAttribute("href"))
                .isEqualTo("step-1/trial-1/report.html");
    }

    @Test
    void barsShowAnyFigureAndMetricsFirst() {
        visit.page().locator("input[name=look][value=bars]").check();
        var bars = visit.page().locator("#chart-groups");
        PlaywrightAssertions.assertThat(bars.locator("svg")).isAttached();
        assertThat(bars.locator("option").allTextContents())
                .startsWith("elapsed", "throughput (rps)")
                .contains("server CPU (%)");
        bars.locator("select").selectOption("server CPU");
        PlaywrightAssertions.assertThat(bars.locator("svg .role-mark path").first())
                .isAttached();
        visit.screenshot("published-bars");
        assertThat(texts("groups")).containsSubsequence("10", "100", "200", "10000");
        visit.page().locator("input[name=look][value=lines]").check();
        assertThat(bars.isVisible()).isFalse();
    }

    /** A box of three values would hide how few they are. */
    @Test
    void threeTrialsAreDots() {
        assertThat(visit.page()
                        .locator("#chart-boxes svg .role-mark.mark-symbol path")
                        .count())
                .isEqualTo(25 * 3);
        assertThat(visit.page().locator("#chart-boxes svg .mark-rect path").count())
                .isZero();
    }
}
