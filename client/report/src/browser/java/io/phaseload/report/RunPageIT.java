package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a reader finds on the page of a run of 40 operations with an outage. */
class RunPageIT {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private static final int PHONE_COLUMN = 200;

    @TempDir
    private static Path folder;

    private static Visit desktop;
    private static Visit phone;

    @BeforeAll
    static void open() throws Exception {
        String[] operations = Stream.concat(
                        IntStream.range(0, 39).mapToObj(i -> "GET /items/" + i),
                        Stream.of("POST /a/path/that/is/longer/than/any/column/of/a/table"))
                .toArray(String[]::new);
        Path file = Files.writeString(
                folder.resolve("outage.html"),
                SyntheticRun.outage(SyntheticRun.plan(operations)).page());
        desktop = CHROMIUM.open(file, View.DESKTOP).drawn();
        desktop.screenshot("outage");
        phone = CHROMIUM.open(file, View.PHONE).drawn();
        phone.screenshot("outage-phone");
    }

    @AfterAll
    static void close() {
        for (Visit visit : new Visit[] {desktop, phone}) {
            if (visit != null) {
                visit.assertWhole();
                visit.close();
            }
        }
    }

    private static double number(Visit visit, String script) {
        return ((Number) visit.eval(script)).doubleValue();
    }

    @Test
    void axeFindsNothing() throws Exception {
        desktop.assertAccessible();
    }

    /** However many there are. */
    @Test
    void whatTheKeyboardHasForLegendsIsUnseenWithoutTheFocus() {
        assertThat(desktop.page().locator(".keys").count()).isPositive();
        assertThat(
                        number(
                                desktop,
                                "Math.max(...[...document.querySelectorAll('.keys')].map(of => of.getBoundingClientRect().width))"))
                .isLessThanOrEqualTo(1);
    }

    @Test
    void theFirstScreenHasTheFigures() {
        assertThat(number(desktop, "document.querySelector('dl.figures').getBoundingClientRect().bottom + scrollY"))
                .isLessThan(View.DESKTOP.height());
        assertThat((String) desktop.eval("document.querySelector('header').innerText"))
                .contains(
                        "made-up · localhost:8080 · up to 10 users",
                        "% of requests failed",
                        "measurement",
                        "http://localhost:8080/");
        assertThat(number(
                        desktop, "document.querySelector('#chart-overview').getBoundingClientRect().bottom + scrollY"))
                .isLessThan(View.DESKTOP.height());
        for (Visit visit : List.of(desktop, phone)) {
            assertThat(number(
                            visit,
                            "[...document.querySelectorAll('dl.figures div, dl.figures dd')]"
                                    + ".filter(of => of.scrollWidth > of.clientWidth + 1).length"))
                    .isZero();
        }
    }

    @Test
    void theOperationsTableIsWholeOnADesktopAndTellsFiguresOnAPhone() {
        String box = "document.querySelector('#operations [data-part]:not([hidden]) .scroll')";
        assertThat(number(desktop, box + ".scrollWidth - " + box + ".clientWidth"))
                .isLessThan(2);
        assertThat(number(phone, box + ".querySelector('tbody th').getBoundingClientRect().right"))
                .isLessThan(PHONE_COLUMN);
        // Its names stay where they are.
        phone.eval(box + ".scrollLeft = 300");
        assertThat(number(phone, box + ".querySelector('tbody th').getBoundingClientRect().left"))
                .isBetween(0.0, 30.0);
    }

    @Test
    void anOperationsNameIsWholeInTheTable() {
        for (Visit visit : List.of(desktop, phone)) {
            assertThat(
                            number(
                                    visit,
                                    """
                                    [...document.querySelectorAll('#operations [data-part]:not([hidden]) th[scope=row]')]
                                      .filter(cell => cell.textContent.endsWith('/column/of/a/table'))
                                      .map(cell => {
                                        cell.parentElement.hidden = false;
                                        const over = cell.scrollWidth - cell.clientWidth;
                                        cell.parentElement.hidden = true;
                                        return over;
                                      })[0]
                                    """))
                    .isLessThan(2);
        }
    }

    @Test
    void operationsAreSortedSearchedAndFewAtFirst() {
        Locator part = desktop.page().locator("#operations [data-part]").first();
        Locator rows = part.locator("tbody tr:visible");
        assertThat(rows.count()).isEqualTo(11);
        assertThat(rows.first().innerText()).startsWith("all operations");
        part.locator("thead button", new Locator.LocatorOptions().setHasText("p50"))
                .click();
        assertThat(part.locator("th[aria-sort=descending]").innerText()).contains("p50");
        assertThat(rows.first().innerText()).startsWith("all operations");
        List<?> medians = (List<?>) desktop.eval(
                "[...document.querySelectorAll('#operations [data-part]:not([hidden]) tbody tr:not([data-total])')]"
                        + ".map(of => Number(of.cells[5].dataset.v))");
        assertThat(medians.stream().map(of -> -((Number) of).doubleValue()).toList())
                .isSorted();

        part.locator("input[type=search]").fill("POST");
        assertThat(rows.allInnerTexts()).hasSize(2);
        part.locator("input[type=search]").fill("");
        part.getByText("Show all 40").click();
        assertThat(rows.count()).isEqualTo(41);
    }

    @Test
    void aChoiceOfPhaseChangesTilesAndOperations() {
        Locator labels = desktop.page().locator(".scope .choice").first().locator("label");
        assertThat(labels.allInnerTexts().stream().map(String::strip)).containsExactly("All phases", "loading", "peak");
        labels.nth(1).click();
        for (String section : List.of("#figures", "#operations")) {
            assertThat(desktop.page().locator(section + " [data-part]:visible").count())
                    .isEqualTo(1);
            assertThat(desktop.page().locator(section + " [data-part='1']").isVisible())
                    .isTrue();
        }
        assertThat(desktop.page().locator("#figures [data-part='1']").innerText())
                .contains("0 of 72,000 requests");
        PlaywrightAssertions.assertThat(
                        desktop.page().locator("#chart-distribution select").first())
                .hasValue("loading");
        labels.first().click();
        assertThat(desktop.page().locator("#figures [data-part='0']").isVisible())
                .isTrue();
    }

    /** In tiles and tables at once, and under the same name. */
    @Test
    void timesAreOfSuccessesOrOfAll() {
        Locator outcomes = desktop.page().locator(".scope .choice").nth(1).locator("label");
        Locator tiles = desktop.page().locator("#figures [data-part='0'] dt:visible");
        Locator times = desktop.page().locator("#operations [data-part='0'] td[data-all]");
        assertThat(tiles.allInnerTexts()).contains("p99 of successes").doesNotContain("p99 of all");
        List<String> ofSuccesses = times.allInnerTexts();
        outcomes.nth(1).click();
        assertThat(tiles.allInnerTexts()).contains("p99 of all").doesNotContain("p99 of successes");
        assertThat(times.allInnerTexts())
                .isEqualTo(times.evaluateAll("cells => cells.map(cell => cell.dataset.all)"))
                .isNotEqualTo(ofSuccesses);
        outcomes.first().click();
        assertThat(times.allInnerTexts()).isEqualTo(ofSuccesses);
    }

    /** Tiles and charts follow; figures are those of its row. */
    @Test
    void anOperationIsShownOnItsOwn() {
        Locator chart = desktop.page().locator("#chart-operation");
        Locator all = desktop.page().locator("#chart-overview");
        Locator tiles = desktop.page().locator(".brushed-figures");
        assertThat(chart.isVisible()).isFalse();
        Locator row = desktop.page()
                .locator("#operations [data-part]:visible tbody tr")
                .filter(new Locator.FilterOptions()
                        .setHas(desktop.page().getByText("GET /items/3", new Page.GetByTextOptions().setExact(true))));
        row.locator("button").click();
        PlaywrightAssertions.assertThat(chart.locator("h3")).hasText("GET /items/3");
        PlaywrightAssertions.assertThat(chart.locator("svg .mark-line path").first())
                .isAttached();
        assertThat(all.isVisible()).isFalse();
        List<String> cells = row.locator("td").allInnerTexts();
        assertThat(tiles.innerText()).contains("20 of " + cells.get(0), cells.get(3) + "\u00a0rps", cells.get(4));
        PlaywrightAssertions.assertThat(
                        desktop.page().locator("#chart-distribution select").nth(1))
                .hasValue("GET /items/3");
        desktop.screenshot("outage-operation");

        desktop.page().keyboard().press("Escape");
        PlaywrightAssertions.assertThat(all).isVisible();
        assertThat(chart.isVisible()).isFalse();
        assertThat(tiles.isVisible()).isFalse();
    }

    @Test
    void theDistributionIsOfAnyPhaseAndOperation() {
        Locator chart = desktop.page().locator("#chart-distribution");
        Locator marks = chart.locator("svg .mark-rect path");
        int before = marks.count();
        assertThat(chart.locator("select").nth(0).locator("option").allTextContents())
                .containsExactly("(measured)", "loading", "peak");
        // One of two timed out in the outage: failures are beside successes.
        assertThat(chart.locator("svg text").allTextContents()).contains("succeeded", "failed");
        chart.locator("select").nth(0).selectOption("loading");
        chart.locator("select").nth(1).selectOption("GET /items/0");
        PlaywrightAssertions.assertThat(marks).not().hasCount(before);
        chart.locator("select").nth(0).selectOption("(measured)");
        chart.locator("select").nth(1).selectOption("(all)");
        PlaywrightAssertions.assertThat(marks).hasCount(before);
    }

    @Test
    void failuresSayWhenTheyCame() {
        Locator cause = desktop.page().locator("#failures tbody tr").first();
        assertThat(cause.innerText()).contains("timeout", "800", "40 operations", "0:40.0", "0:49.0");
        Locator each = desktop.page().locator("#failures details").first();
        each.locator("summary").click();
        assertThat(each.locator("tbody tr")
                        .filter(new Locator.FilterOptions().setHasText("GET /items/7"))
                        .first()
                        .innerText())
                .contains("timeout", "peak", "0:40.0", "0:49.0");
        each.locator("input[type=search]").fill("items/31");
        assertThat(each.locator("tbody tr:visible").count()).isEqualTo(1);
        each.locator("input[type=search]").fill("");
        each.locator("summary").click();
        Locator requests = desktop.page().locator("#failures details").nth(1);
        assertThat(requests.locator("table").isVisible()).isFalse();
        requests.locator("summary").click();
        assertThat(requests.locator("tbody tr").first().innerText())
                .containsPattern("0:0[0-4][.]\\d{3}\\s+12:00:0.*peak.*GET /a.*5[.]00.*timeout");
        requests.locator("summary").click();
    }

    @Test
    void theSlowestRequestsAreTheFirstAndCanBeSearched() {
        Locator part = desktop.page().locator("#slowest");
        List<Double> times = part.locator("tbody th").all().stream()
                .map(cell -> Double.valueOf(cell.getAttribute("data-v")))
                .toList();
        assertThat(times.stream().map(of -> -of)).hasSize(50).isSorted();
        part.locator("input[type=search]").fill("items/3");
        assertThat(part.locator("tbody tr:visible").allInnerTexts())
                .isNotEmpty()
                .allMatch(row -> row.contains("GET /items/3"));
        part.locator("input[type=search]").fill("");
    }

    @Test
    void phasesAreShadedInEveryPanelAndTellTheirUsers() {
        for (String name : List.of("client", "server")) {
            Locator chart = desktop.page().locator("#chart-" + name);
            assertThat(chart.locator("svg .mark-rect").count())
                    .isEqualTo(chart.locator("svg .mark-line").count() / 2)
                    .isPositive();
        }
        assertThat(desktop.page().locator("#chart-throughput svg text").allTextContents())
                .contains("loading · 5 users", "peak · 10 users");
    }

    @Test
    void figuresOfTheClientAreFewAtFirst() {
        Locator chart = desktop.page().locator("#chart-client");
        Locator panels = chart.locator("svg .mark-line");
        assertThat(panels.count()).isEqualTo(4);
        chart.getByText("Show all 3 figures").click();
        PlaywrightAssertions.assertThat(panels).hasCount(6);
        chart.getByText("Show the first 2").click();
        PlaywrightAssertions.assertThat(panels).hasCount(4);
    }

    @Test
    void aTableIsCopiedWithAllItsPlaces() throws Exception {
        Download csv = desktop.page().waitForDownload(() -> desktop.page()
                .locator("#operations [data-part='0'] .tools button")
                .filter(new Locator.FilterOptions().setHasText("CSV"))
                .click());
        List<String> lines = Files.readAllLines(csv.path());
        assertThat(csv.suggestedFilename()).isEqualTo("Operations-All-phases.csv");
        assertThat(lines).hasSize(42);
        assertThat(lines.get(0)).startsWith("operation,requests,failed");
        assertThat(lines.get(1)).startsWith("all operations,120800,800,");
    }

    @Test
    void chartsOverTimeHaveTheSameAxis() {
        List<?> edges = (List<?>)
                desktop.eval(
                        """
                                () => ['throughput', 'latency', 'failures'].flatMap(name => {
                                  const chart = document.querySelector('#chart-' + name);
                                  const box = (chart.querySelector('.role-scope.cell > g > path.background')
                                    ?? chart.querySelector('.role-frame > g > path.background')).getBoundingClientRect();
                                  return [box.left, box.right];
                                })
                                """);
        for (int i = 0; i < edges.size(); i++) {
            assertThat(((Number) edges.get(i)).doubleValue())
                    .isCloseTo(((Number) edges.get(i % 2)).doubleValue(), within(1.5));
        }
        assertThat(edges).hasSize(6);
    }

    /** A percentile must not look like a phase, an operation or a cause. */
    @Test
    void aColourMeansOneThing() {
        List<?> twice = (List<?>)
                desktop.eval(
                        """
                                () => {
                                  const meaning = new Map(), twice = [];
                                  // Of legends that tell by dashes or shapes.
                                  const base = JSON.parse(document.getElementById('charts-json').textContent)
                                    .config.legend.symbolBaseStrokeColor;
                                  for (const symbol of document.querySelectorAll('.chart .role-legend-symbol > path')) {
                                    const paint = ['stroke', 'fill'].map(of => symbol.getAttribute(of))
                                      .find(of => of && !['none', 'transparent'].includes(of));
                                    if (paint === base) continue;
                                    const entry = symbol.closest('.role-legend-entry').parentElement;
                                    const index = [...entry.querySelectorAll('.role-legend-symbol')].indexOf(symbol.parentElement);
                                    const label = entry.querySelectorAll('.role-legend-label text')[index].textContent;
                                    if ((meaning.get(paint) ?? label) !== label) twice.push(paint + ' ' + label + ' ' + meaning.get(paint));
                                    meaning.set(paint, label);
                                  }
                                  return meaning.size < 10 ? ['only ' + meaning.size] : twice;
                                }
                                """);
        assertThat(twice).isEmpty();
    }

    @Test
    void logarithmicAxesHaveRoundNumbers() {
        List<String> labels = desktop
                .page()
                .locator("#chart-latency .role-axis")
                .last()
                .locator(".role-axis-label text")
                .allTextContents()
                .stream()
                .filter(label -> !label.isEmpty())
                .toList();
        assertThat(labels).hasSizeGreaterThan(2).allMatch(label -> label.matches("0?[.,0]*[125][0,]*"));
    }

    @Test
    void percentileCurvesAreOfSuccessesAndFailuresToo() {
        Locator chart = desktop.page().locator("#chart-percentiles");
        Locator outcome = chart.locator("select").nth(1);
        assertThat(outcome.locator("option").allTextContents()).containsExactly("all", "succeeded", "failed");
        outcome.selectOption("all");
        Locator curves = chart.locator("svg .mark-line path");
        // Of two phases, response and service times; of failures, of one phase, response times.
        PlaywrightAssertions.assertThat(curves).hasCount(4);
        outcome.selectOption("failed");
        PlaywrightAssertions.assertThat(curves).hasCount(1);
        outcome.selectOption("all");
        PlaywrightAssertions.assertThat(curves).hasCount(4);
    }

    /** In the outage there are 80 requests a second: a p99 takes eight of them. */
    @Test
    void theOutageHasItsPercentilesAndAMomentTellsAll() {
        desktop.page().locator("#chart-latency .chart").scrollIntoViewIfNeeded();
        desktop.eval(
                """
                () => {
                  const place = document.querySelector('#chart-latency .chart');
                  const box = place.querySelector('.role-frame > g > path.background').getBoundingClientRect();
                  place.dispatchEvent(new PointerEvent('pointermove',
                    {clientX: box.left + box.width * 45.5 / 60, clientY: box.top + 20, bubbles: true}));
                }
                """);
        assertThat((String) desktop.eval("document.querySelector('.tooltip').innerText"))
                .containsPattern("peak\\s+0:45[.]0–0:46[.]0")
                .containsPattern("failed/s\\s+80")
                .doesNotContain("null", "CPU", "p50");
        assertThat(number(desktop, "document.querySelectorAll('.tooltip dt').length"))
                .isBetween(2.0, 8.0);
        assertThat(desktop.page().locator(".cursor:visible").count()).isEqualTo(6);
        desktop.eval("document.querySelector('#chart-latency .chart').dispatchEvent(new PointerEvent('pointerleave'))");
        assertThat(desktop.page().locator(".tooltip").isVisible()).isFalse();
    }

    @Test
    void aPartOfTheTimeIsShownInAllCharts() {
        Locator axis = desktop.page().locator("#chart-throughput").getByText(Pattern.compile("^0:00$"));
        Locator chip = desktop.page().locator(".chip");
        PlaywrightAssertions.assertThat(axis).isAttached();
        desktop.page().locator("#chart-throughput .chart").scrollIntoViewIfNeeded();
        desktop.eval(
                """
                () => {
                  const place = document.querySelector('#chart-throughput .chart');
                  const box = place.querySelector('.role-frame > g > path.background').getBoundingClientRect();
                  for (const [kind, part] of [['down', 40.2], ['move', 45], ['up', 49.8]]) {
                    place.dispatchEvent(new PointerEvent('pointer' + kind,
                      {clientX: box.left + box.width * part / 60, clientY: box.top + 20, bubbles: true}));
                  }
                }
                """);
        PlaywrightAssertions.assertThat(axis).not().isAttached();
        PlaywrightAssertions.assertThat(chip).hasText(Pattern.compile("0:40[.]\\d–0:49[.]\\d ✕"));
        // The outage: ten seconds, less the one that the part doesn't begin with, in which all fail.
        assertThat(desktop.page().locator(".brushed-figures").innerText()).contains("100\u00a0%", "720 of 720");
        desktop.page().keyboard().press("Escape");
        PlaywrightAssertions.assertThat(axis).isAttached();
        PlaywrightAssertions.assertThat(chip).isHidden();
    }
}
