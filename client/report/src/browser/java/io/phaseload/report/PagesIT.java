package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Media;
import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages in a real browser that has no network. */
class PagesIT {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    /** One of a PDF. */
    private static final Pattern PAGE = Pattern.compile("/Type\\s*/Page\\b");

    private static final double READABLE_CONTRAST = 4.5;

    /** The ratio of WCAG 2 between a colour and what is behind an element. */
    private static final String CONTRAST =
            """
            const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const parse = text => text.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
            const behind = e => {
              for (; e; e = e.parentElement) {
                const color = parse(getComputedStyle(e).backgroundColor);
                if (color.length < 4 || color[3] > 0.99) return color;
              }
              return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
            };
            const contrast = (color, e) => {
              const a = light(parse(color)), b = light(behind(e));
              return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            };
            const known = new Map();
            const resolved = color => {
              if (!known.has(color)) {
                const holder = document.createElement('i');
                holder.style.color = color;
                document.body.append(holder);
                known.set(color, getComputedStyle(holder).color);
                holder.remove();
              }
              return known.get(color);
            };
            """;

    private static final String TEXTS = "() => {"
            + CONTRAST
            + """
                      const all = [];
                      for (const e of document.querySelectorAll('h1,h2,h3,p,td,th,dt,dd,li,summary,figcaption')) {
                        if (!e.innerText?.trim() || !e.offsetParent) continue;
                        all.push(contrast(getComputedStyle(e).color, e));
                      }
                      for (const e of document.querySelectorAll('.chart svg text')) {
                        if (e.closest('[opacity="0"]') || !e.textContent.trim()) continue;
                        const fill = e.getAttribute('fill') ?? getComputedStyle(e).fill;
                        all.push(contrast(resolved(fill), e.closest('.chart')));
                      }
                      return Math.min(...all);
                    }
                    """;

    /**
     * Marks and the symbols of legends. What is behind others, such as phases and intervals, is faint; a heat map's
     * cells tell by their differences.
     */
    private static final String MARKS = "() => {"
            + CONTRAST
            + """
                      const faint = [];
                      let seen = 0;
                      for (const chart of document.querySelectorAll('figure:not(#chart-heatmap) .chart')) {
                        for (const e of chart.querySelectorAll(
                            '.role-mark:not([aria-hidden=true]) > :is(path, rect, line), .role-legend-symbol > path')) {
                          const part = name => Number(e.getAttribute(name) ?? 1);
                          const told = e.closest('.role-legend-symbol') !== null;
                          if (part('opacity') < 0.5) {
                            if (told) faint.push(chart.closest('figure').id + ' legend');
                            continue;
                          }
                          const paints = ['fill', 'stroke'].filter(of => part(of + '-opacity') >= 0.5)
                            .map(of => e.getAttribute(of)).filter(of => of && !['none', 'transparent'].includes(of));
                          if (paints.length === 0) continue;
                          seen++;
                          const most = Math.max(...paints.map(of => contrast(resolved(of), chart)));
                          if (most < 3) faint.push(chart.closest('figure').id + ' ' + paints + ' ' + most.toFixed(2));
                        }
                      }
                      return seen < 20 ? ['only ' + seen + ' marks'] : [...new Set(faint)];
                    }
                    """;

    @TempDir
    private static Path folder;

    /** A page is drawn once for each width: tests leave it as it was, but for what they open. */
    private static final Map<String, Visit> VISITS = new HashMap<>();

    private static final Set<String> LOOKED_AT = new HashSet<>();

    enum Kind {
        RUN,
        SWEEP,
        COMPARISON;

        String page(Path folder) throws IOException {
            return switch (this) {
                case RUN -> HostilePages.run();
                case SWEEP -> HostilePages.sweep();
                case COMPARISON -> HostilePages.comparison(folder);
            };
        }
    }

    static Stream<Arguments> views() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(View.DESKTOP, View.DARK, View.PHONE, View.DARK_PHONE)
                .map(view -> Arguments.of(kind, view)));
    }

    @AfterAll
    static void close() {
        VISITS.values().forEach(Visit::close);
        VISITS.clear();
    }

    private static Path file(Kind kind) throws IOException {
        Path file = folder.resolve(kind + ".html");
        return Files.exists(file) ? file : Files.writeString(file, kind.page(folder));
    }

    private static Visit open(Kind kind, View view) throws Exception {
        String width = kind + " " + view.width();
        if (!VISITS.containsKey(width)) {
            VISITS.put(width, CHROMIUM.open(file(kind), view).drawn());
        }
        Visit visit = VISITS.get(width);
        // Charts are drawn once for light and dark. A test that printed may have failed.
        visit.page()
                .emulateMedia(new Page.EmulateMediaOptions()
                        .setColorScheme(view.scheme())
                        .setMedia(null));
        String name = kind.name().toLowerCase(Locale.ROOT) + "-" + view;
        if (LOOKED_AT.add(name)) {
            visit.screenshot(name);
        }
        return visit;
    }

    @ParameterizedTest
    @MethodSource("views")
    void everyChartIsDrawnWithoutANetwork(Kind kind, View view) throws Exception {
        Visit visit = open(kind, view);
        visit.assertWhole();
        assertThat(figures(visit)).hasSizeGreaterThan(2).allSatisfy(figure -> {
            assertThat(figure.get("error")).isNull();
            assertThat((int) figure.get("marks")).isPositive();
            assertThat(figure.get("numbers")).isEqualTo(0);
        });
        // Nothing sticks out; what is wider than a phone scrolls in its own box.
        assertThat((int) visit.eval("document.documentElement.scrollWidth")).isLessThanOrEqualTo(view.width());
        assertThat(
                        (List<?>)
                                visit.eval(
                                        """
                                        [...document.querySelectorAll('.chart > svg .role-legend')].filter(legend =>
                                          legend.getBoundingClientRect().right > legend.closest('.chart').getBoundingClientRect().right + 1)
                                          .map(legend => legend.textContent)
                                        """))
                .as("legends that are cut")
                .isEmpty();
    }

    /** Marks that show data, and how many of the numbers in them aren't any. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> figures(Visit visit) {
        return (List<Map<String, Object>>)
                visit.eval(
                        """
                        () => [...document.querySelectorAll('figure[data-chart]:not([hidden], [hidden] *)')].map(figure => ({
                          name: figure.dataset.chart,
                          error: figure.dataset.error ?? null,
                          marks: [...figure.querySelectorAll(
                              '.chart svg .role-mark > path, .chart svg .role-mark > rect, .chart svg .role-mark > line')]
                              .filter(mark => { const b = mark.getBBox(); return b.width > 0 || b.height > 0; }).length,
                          numbers: (figure.querySelector('.chart').innerHTML.match(/NaN|undefined|Infinity/g) ?? []).length
                        }))
                        """);
    }

    @ParameterizedTest
    @EnumSource
    void userTextIsEscaped(Kind kind) throws Exception {
        Visit visit = open(kind, View.DESKTOP);
        visit.page()
                .locator("figure:not([hidden], [hidden] *) details[data-table] summary")
                .all()
                .forEach(s -> s.click());

        assertThat(visit.eval("document.querySelectorAll('.out, img').length")).isEqualTo(0);
        assertThat(visit.eval("typeof out")).isEqualTo("undefined");
        assertThat((String) visit.eval("document.body.innerText"))
                .contains("</script><b class=out>x</b><img src=x onerror='out=1'>");
        visit.assertWhole();
    }

    @ParameterizedTest
    @MethodSource("views")
    void textsAreReadableInLightAndDark(Kind kind, View view) throws Exception {
        Visit visit = open(kind, view);
        assertThat(((Number) visit.eval(TEXTS)).doubleValue()).isGreaterThanOrEqualTo(READABLE_CONTRAST);
    }

    @ParameterizedTest
    @MethodSource("views")
    void marksStandOutInLightAndDark(Kind kind, View view) throws Exception {
        assertThat((List<?>) open(kind, view).eval(MARKS)).isEmpty();
    }

    @Test
    void aComparisonSaysFirstWhatChanged() throws Exception {
        Visit visit = open(Kind.COMPARISON, View.DESKTOP);
        Locator tiles = visit.page().locator("#figures dl.figures > div");
        assertThat(tiles.first().innerText()).contains("p50", " → ", "ms", "same", "95 % interval");
        assertThat(tiles.first().boundingBox().y).isLessThan(View.DESKTOP.height());
        assertThat(tiles.count()).isEqualTo(10);
    }

    /** One of the intervals is much wider than most: without arrows it would flatten them. */
    @Test
    void oneHopelessIntervalDoesNotFlattenTheOthers() throws Exception {
        Visit visit = open(Kind.COMPARISON, View.DESKTOP);
        for (String chart : List.of("changes", "changes-points")) {
            Locator svg = visit.page().locator("#chart-" + chart + " svg");
            Locator same = svg.locator(".mark-rect path").first();
            assertThat(same.boundingBox().width).as(chart).isGreaterThan(150);
            // Behind the values themselves come the arrows of cut intervals.
            Locator points = svg.locator(".role-mark.mark-symbol");
            assertThat(points.count()).as(chart).isEqualTo(3);
            assertThat(points.nth(2).locator("path").count()).as(chart).isPositive();
        }
    }

    @Test
    void aPhoneShowsWhatChanged() throws Exception {
        Locator heads = open(Kind.COMPARISON, View.PHONE).page().locator("main > section:last-of-type thead th");
        int change = heads.allTextContents().indexOf("change");
        assertThat(heads.nth(0).boundingBox().width).isLessThan(110);
        assertThat(heads.nth(change).boundingBox().x + heads.nth(change).boundingBox().width)
                .isLessThan(View.PHONE.width());
    }

    /** Contrast has a test above: of thousands of marks, axe takes a minute for it. */
    @ParameterizedTest
    @EnumSource
    void theFirstChartsAreThereWithoutScripts(Kind kind) throws Exception {
        try (Visit visit = CHROMIUM.openWithoutScripts(file(kind), View.DARK_PHONE)) {
            Locator figures = visit.page().locator("figure:visible");
            assertThat(figures.count()).isGreaterThanOrEqualTo(3);
            assertThat(figures.locator(".sketch:visible").count()).isGreaterThanOrEqualTo(figures.count());
            assertThat(visit.page().locator("details[data-table]:visible").count())
                    .isZero();
            assertThat((int) visit.eval("document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(View.PHONE.width());
            visit.screenshot(kind.name().toLowerCase(Locale.ROOT) + "-without-scripts");
            visit.assertWhole();
        }
    }

    @ParameterizedTest
    @EnumSource
    void axeFindsNothing(Kind kind) throws Exception {
        open(kind, View.DESKTOP).assertAccessible("color-contrast");
        open(kind, View.PHONE).assertAccessible();
    }

    @ParameterizedTest
    @EnumSource
    void darkIsDark(Kind kind) throws Exception {
        String brightness = "() => { const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g);"
                + " return Number(c[0]) + Number(c[1]) + Number(c[2]); }";
        assertThat(((Number) open(kind, View.DESKTOP).eval(brightness)).intValue())
                .isGreaterThan(700);
        assertThat(((Number) open(kind, View.DARK).eval(brightness)).intValue()).isLessThan(150);
    }

    @ParameterizedTest
    @EnumSource
    void contentsLeadToEverySection(Kind kind) throws Exception {
        Visit visit = open(kind, View.DESKTOP);
        assertThat(visit.eval("[...document.querySelectorAll('nav a')].map(of => of.hash.slice(1))"))
                .isEqualTo(visit.eval("[...document.querySelectorAll('main > nav ~ section')].map(of => of.id)"));
    }

    /** Each has a name, a description, and its data as a table. */
    @ParameterizedTest
    @EnumSource
    void chartsAreAccessibleAsTables(Kind kind) throws Exception {
        Visit visit = open(kind, View.DESKTOP);
        assertThat(visit.eval("document.documentElement.lang")).isEqualTo("en");
        assertThat(visit.eval("document.querySelectorAll('h1').length")).isEqualTo(1);
        for (var figure : visit.page()
                .locator("figure[data-chart]:not([hidden], [hidden] *)")
                .all()) {
            String name = figure.getAttribute("data-chart");
            for (String attribute : List.of("aria-labelledby", "aria-describedby")) {
                String id = figure.getAttribute(attribute);
                assertThat(visit.page().locator("#" + id).innerText()).as(name).isNotBlank();
            }
            assertThat(figure.locator(".chart").getAttribute("role")).as(name).isEqualTo("img");
            assertThat(figure.locator(".chart").getAttribute("aria-label"))
                    .as(name)
                    .isNotBlank();
            figure.locator("summary").focus();
            visit.page().keyboard().press("Enter");
            assertThat(figure.locator("thead th[scope=col]").count()).as(name).isPositive();
            assertThat(figure.locator("tbody tr").count()).as(name).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theKeyboardReachesEverythingWithAVisibleFocus(Kind kind) throws Exception {
        // Nothing else has the focus in this one.
        Visit visit = open(kind, View.DARK_PHONE);
        visit.page().keyboard().press("Tab");
        assertThat(visit.eval("document.activeElement.className")).isEqualTo("skip");
        Set<Object> reached = new HashSet<>();
        String focused = "document.activeElement.closest('figure')?.id";
        while (!visit.eval("document.activeElement.tagName").equals("BODY")) {
            assertThat(visit.eval("getComputedStyle(document.activeElement).outlineStyle"))
                    .isNotEqualTo("none");
            reached.add(visit.eval(focused));
            visit.page().keyboard().press("Tab");
        }
        assertThat(reached).containsAll((List<?>) visit.eval(
                "[...document.querySelectorAll('figure[data-chart]:not([hidden], [hidden] *)')].map(of => of.id)"));
    }

    /** In a run of a second a phase. */
    @Test
    void longNamesKeepTheirEndsAndALonePointIsSeen() throws Exception {
        String path = "GET /a/path/that/all/operations/have/and/that/is/long/before/they/differ/in/";
        Path file = Files.writeString(
                folder.resolve("names.html"),
                SyntheticRun.run(1, 2_000, path + "orders", path + "carts").page());
        try (Visit visit = CHROMIUM.open(file, View.DESKTOP).drawn()) {
            List<String> texts =
                    visit.page().locator("#chart-operations svg text").allTextContents();
            assertThat(texts).anyMatch(text -> text.matches("GET /a/path.*….*/orders"));
            assertThat(texts).anyMatch(text -> text.matches("GET /a/path.*….*/carts"));
            assertThat(visit.page()
                            .locator("#chart-throughput svg .role-mark.mark-symbol > path")
                            .count())
                    .isPositive();
            assertThat(visit.page()
                            .locator("#chart-latency svg .mark-line > path")
                            .count())
                    .isPositive();
            visit.assertWhole();
        }
    }

    @ParameterizedTest
    @EnumSource
    void printsOnLightPaper(Kind kind) throws Exception {
        Visit visit = open(kind, View.DARK);
        visit.page().emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
        visit.screenshot(kind.name().toLowerCase() + "-print");
        byte[] pdf = visit.page().pdf(new Page.PdfOptions().setFormat("A4"));
        Files.write(Path.of("target", "screenshots", kind.name().toLowerCase() + ".pdf"), pdf);
        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        long pages = PAGE.matcher(new String(pdf, StandardCharsets.ISO_8859_1))
                .results()
                .count();
        // Half-empty ones would make it more.
        assertThat(pages).isBetween(1L, 6L);
        // What is taller than half a page may be split: moved, it would leave one half empty.
        assertThat(
                        visit.eval(
                                """
                                [...document.querySelectorAll('figure')].filter(of => of.classList.contains('tall')
                                  !== (getComputedStyle(of).breakInside === 'auto')).length
                                """))
                .isEqualTo(0);
        assertThat((String) visit.eval("getComputedStyle(document.body).color"))
                .matches("rgb\\((\\d|[0-7]\\d)(, (\\d|[0-7]\\d)){2}\\)");
    }
}
