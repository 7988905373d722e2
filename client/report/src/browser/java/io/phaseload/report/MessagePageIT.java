package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.phaseload.compare.Comparison;
import io.phaseload.compare.Side;
import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run of messages, of which some were lost, and half weren't sent. */
class MessagePageIT {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path folder;

    private static Visit desktop;
    private static Visit phone;

    @BeforeAll
    static void open() throws Exception {
        Path file = Files.writeString(
                folder.resolve("messages.html"), SyntheticRun.messages().page());
        desktop = CHROMIUM.open(file, View.DESKTOP).drawn();
        desktop.screenshot("messages");
        phone = CHROMIUM.open(file, View.PHONE).drawn();
        phone.screenshot("messages-phone");
    }

    @AfterAll
    static void close() {
        for (Visit visit : List.of(desktop, phone)) {
            visit.assertWhole();
            visit.close();
        }
    }

    @Test
    void axeFindsNothing() throws Exception {
        desktop.assertAccessible();
        phone.assertAccessible();
    }

    /** Everything but the text report, whose first lines are the same for all runs. */
    @Test
    void itSpeaksOfMessagesAndPairs() {
        assertThat((String) desktop.eval("[...document.querySelectorAll('header, section:not(#environment)')]"
                        + ".map(of => of.innerText).join('\\n')"))
                .contains("% of messages were lost", "load was sent late or not at all: loading 50.0 %, peak 50.0 %")
                .contains("messages per second", "peak · 10 pairs", "Messages per second")
                .doesNotContainPattern("(?i)\\b(requests?|threads|rps|users)\\b(?! sent|, connections)");
        for (String table : List.of("#operations", "#phases")) {
            assertThat(desktop.page()
                            .locator(table + " thead")
                            .first()
                            .locator("th")
                            .allInnerTexts())
                    .contains("messages", "lost", "lost (%)", "per s")
                    .doesNotContain("status");
        }
        assertThat(desktop.page().locator("#phases thead").innerText()).contains("pairs");
    }

    /** What is at an end of an axis is seen as well as the rest. */
    @Test
    void marksKeepOffTheEdges() {
        String edges =
                """
                (() => {
                  const chart = document.querySelector('#chart-%s .chart > svg');
                  const plot = chart.querySelector('.role-frame > g > path.background').getBoundingClientRect();
                  return [...chart.querySelectorAll('%s')].map(of => of.getBoundingClientRect())
                    .filter(box => box.left <= plot.left - %d || box.top <= plot.top + 2).length;
                })()
                """;
        for (List<Object> marks : List.<List<Object>>of(
                List.of("operations", ".mark-symbol.role-mark path", 0),
                List.of("percentiles", ".mark-line path", 1),
                List.of("throughput", ".mark-line path", 1))) {
            assertThat(desktop.page()
                            .locator("#chart-%s %s".formatted(marks.get(0), marks.get(1)))
                            .count())
                    .as(marks.toString())
                    .isPositive();
            assertThat(desktop.eval(edges.formatted(marks.toArray())))
                    .as(marks.toString())
                    .isEqualTo(0);
        }
    }

    /** The headings of what charts show, which a reader may open. */
    @Test
    void dataSpeaksOfThemToo() {
        assertThat((String) desktop.eval("Object.values(phaseload.columns).flatMap(Object.values).join('\\n')"))
                .contains("messages", "pairs", "per s")
                .doesNotContainPattern("(?i)\\b(requests?|threads|rps|users)\\b");
    }

    @Test
    void aComparisonSpeaksOfThemToo() throws Exception {
        Side side = new Side(
                "side", List.of(new Side.Trial("side", SyntheticRun.messages().stored(folder.resolve("run")))));
        Comparison same = Comparison.of(side, side, Optional.empty(), new Comparison.Tolerance(0.05, 0.1));
        speaksOfMessages(ComparisonPage.write(List.of(same)), "compared-throughput");
    }

    @Test
    void aSweepSpeaksOfThemToo() throws Exception {
        SyntheticSweep sweep = new SyntheticSweep("pairs", List.of());
        for (String pairs : List.of("1", "2", "4")) {
            for (String size : List.of("1k", "2k")) {
                sweep.step(
                        2,
                        Integer.parseInt(pairs),
                        List.of("message"),
                        Map.of("threads", pairs, "size", size),
                        "VALID");
            }
        }
        String page = sweep.page();
        speaksOfMessages(page, "scaling");
        assertThat(page).contains("pairs=4");
    }

    private void speaksOfMessages(String page, String throughput) throws Exception {
        Path file = Files.writeString(folder.resolve(throughput + ".html"), page);
        try (Visit visit = CHROMIUM.open(file, View.DESKTOP).drawn()) {
            assertThat(visit.page().locator("#chart-" + throughput + " svg").allTextContents())
                    .anyMatch(text -> text.contains("messages per second"));
            assertThat((String) visit.eval("document.querySelector('main').innerText"))
                    .contains("per s", "lost")
                    .doesNotContainPattern("(?i)\\b(threads|rps)\\b");
            visit.assertWhole();
        }
    }

    @Test
    void loadThatWasNotSentIsSeenFirst() {
        assertThat(desktop.page().locator("header .bad").allInnerTexts())
                .anyMatch(text -> text.contains("50.0 % of the load wasn't sent"));
    }

    @Test
    void aPhoneShowsTheFirstFiguresOfPhases() {
        Locator heads = phone.page().locator("#phases thead th");
        int median = heads.allTextContents().indexOf("p50 (ms)");
        assertThat(heads.nth(median).boundingBox().x + heads.nth(median).boundingBox().width)
                .isLessThan(View.PHONE.width());
    }
}
