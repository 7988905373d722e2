package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.check.Threshold;
import io.phaseload.report.text.TextReport;
import io.phaseload.result.FixedResults;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.StreamTimings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RunPageTest {

    private static final String HOSTILE = "</script><b onclick=\"x\">&'<!--";

    @Test
    void theDiagnosisIsAboveTheContents() {
        assertThat(SyntheticRun.run(3, 600, "GET /").page()).containsPattern("(?s)What broke it</bdi></h2>.*<nav");
    }

    @Test
    void thePageLoadsNothing() {
        String page = withoutScripts(SyntheticRun.run(3, 600, "GET /").page());

        assertThat(page).contains("default-src 'none'").doesNotContain("<link", "<img", "<iframe", "@import", "url(");
        assertThat(attributes(page)).doesNotContain("src").contains("href");
        assertThat(page.split("href=\""))
                .filteredOn(part -> !part.startsWith("#"))
                .hasSize(1);
        assertThat(page).contains("base-uri 'none'", "form-action 'none'").doesNotContain("unsafe-eval");
    }

    /** To be copied without the sentence's end. */
    @Test
    void commandsAreCode() {
        assertThat(Html.command("Send one: curl -v http://a.example:1/."))
                .isEqualTo("<p class=\"\">Send one: <code>curl -v http://a.example:1/</code>.</p>\n");
        assertThat(Html.command("Send one: curl -i -X DELETE 'http://a/?b=1&c'. Then nc -vz a 80."))
                .contains(
                        "<code>curl -i -X DELETE &#39;http://a/?b=1&amp;c&#39;</code>. Then <code>nc -vz a 80</code>.");
    }

    /** In text, in attributes, and in what scripts read. */
    @Test
    void userTextIsEscaped() {
        SyntheticRun run = SyntheticRun.run(
                SyntheticRun.plan(HOSTILE, "POST /").label("x", HOSTILE).threshold(threshold()), 3, 600);
        String page = run.page();

        assertThat(page).doesNotContain(HOSTILE, "<b onclick", "<!--'");
        assertThat(page)
                .contains("&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;&lt;!--")
                .doesNotContain(HOSTILE);
        assertThat(page.split("</script>")).hasSize(8);
    }

    private static Threshold threshold() {
        return Threshold.parse("peak/" + HOSTILE + ": p50 < 1s");
    }

    @Test
    void singleRequestsAreUnderTheirCauseAndTheSlowestInATable() {
        SyntheticRun run = SyntheticRun.run(SyntheticRun.plan("GET /"), 3, 600, HOSTILE);
        KeptRequest slowest = run.result().phases().stream()
                .map(phase -> phase.operations().get(0).slowestRequests().get(0))
                .max(Comparator.comparing(of -> of.times().responseMs()))
                .orElseThrow();
        String time = String.format(Locale.ROOT, "%.3f", slowest.times().responseMs());
        String page = run.page();

        assertThat(page)
                .containsPattern(
                        "(?s)<details><summary>Sample requests: &lt;/script&gt;.*0:0[0-4][.]\\d{3}<.*12:00:0[0-4]")
                .contains("it said: &lt;/script&gt;", "GET /a?b=&quot;c&quot;,\n&lt;d&gt;")
                .containsPattern(
                        "(?s)>Slowest requests</bdi></h2>.*<tbody>\\s*<tr><th scope=\"row\" class=\"n\" data-v=\""
                                + time)
                .doesNotContain(HOSTILE);
        assertThat(TextReport.write(run.result()))
                .containsPattern("Slowest success: " + time + " ms, at .*\\n  GET /a");
    }

    /** Else the count beside such a name would be read as a part of it. */
    @Test
    void namesFromRightToLeftStandApart() {
        assertThat(SyntheticRun.run(SyntheticRun.plan("GET /"), 2, 100, "check \u05d0 \u05d1")
                        .page())
                .contains("20 × check <bdi>\u05d0 \u05d1</bdi></dd>");
    }

    @Test
    void usersThatBeginOneAfterAnotherHaveAChart() {
        Load ramp = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofSeconds(2));
        PhaseLength length = new PhaseLength.Lasting(Duration.ofSeconds(4));
        SyntheticRun run =
                SyntheticRun.run(SyntheticRun.plan("GET /").phases(new Phase("peak", 1, length, ramp)), 4, 100);

        assertThat(charts(run.page())).contains("users");
        assertThat(run.table("users").rows().stream().map(row -> row.get(4))).containsExactly(5L, 10L, 10L, 10L);
    }

    @Test
    void eventsOfStreamsHaveAChartOverTime() {
        SyntheticRun run = SyntheticRun.run(2, 100, "GET /");
        assertThat(charts(run.page())).doesNotContain("streams");

        for (Interval second : run.intervals()) {
            second.operations().get(0).add(StreamTimings.FIRST_EVENT, 40_000_000);
            second.operations().get(0).add(StreamTimings.EVENT_GAP, 5_000_000);
            second.operations().get(0).add(StreamTimings.EVENT_GAP, 7_000_000);
        }

        assertThat(charts(run.page())).contains("streams");
        assertThat(run.table("events").rows())
                .extracting(row -> row.subList(0, 7))
                .filteredOn(row -> row.get(2).equals("max") && row.get(3).equals(2.0))
                .containsExactly(
                        List.of("peak", "first event", "max", 2.0, 2.5, 3.0, 1L),
                        List.of("peak", "gap between events", "max", 2.0, 2.5, 3.0, 2L));
    }

    @Test
    void figuresComeFirstWithUnitsAndSampleCounts() {
        String page = SyntheticRun.run(2, 100, "GET /").page();

        assertThat(page.indexOf("measurement VALID")).isPositive().isLessThan(page.indexOf("Throughput"));
        assertThat(page)
                .contains("<dt>p99 of successes</dt><dd>n too small</dd></div>")
                .contains("<span class=\"unit\">rps</span>")
                .contains("20 of 400 requests: 20 × http 503")
                .contains(" · localhost:8080 · up to 10 users</h1>", "http://localhost:8080/", "4.0 s");
    }

    /** Of the measured phases, and with what those that succeeded came to. */
    @Test
    void figuresCoverTheMeasuredPhases() {
        String page = SyntheticRun.run(
                        SyntheticRun.plan("GET /")
                                .phases(
                                        new Phase("warmup", 1, new PhaseLength.Iterations(1)),
                                        new Phase("peak", 1, new PhaseLength.Iterations(1))),
                        2,
                        600)
                .page();

        assertThat(page)
                .contains("badge bad\">✗ 10.0 % of requests failed<")
                .contains("<h3 class=\"part\">Measured: peak</h3>")
                .contains("<dt>Throughput, succeeded</dt><dd>540&nbsp;")
                .contains("<dd class=\"note\">failed: 60.0 rps</dd>")
                .contains("<dd class=\"note\">120 of 1,200 requests: 120 × http 503</dd>")
                .containsPattern("<div data-outcome=\"all\"><dt>p99 of all</dt><dd>[0-9.]+&nbsp;")
                .contains("<li>Status codes: 200: 2,400</li>");
        assertThat(found("<h3 class=\"part\">([^<]+)", page))
                .containsExactly("Measured: peak", "warmup", "All phases", "Measured: peak", "warmup", "All phases");
    }

    /** What was wanted of an open model, and what came of it, is among the first figures. */
    @Test
    void anOpenModelTellsWhatWasOffered() {
        Phase open = new Phase(
                "peak",
                1,
                new PhaseLength.Lasting(Duration.ofSeconds(2)),
                new Load.Open(new ConstantArrivals(Rate.perSecond(600)), Load.Overload.QUEUE));
        String page = SyntheticRun.run(SyntheticRun.plan("GET /").phases(open), 2, 600)
                .page();

        assertThat(page)
                .contains("<dt>Offered</dt><dd>600&nbsp;", "<dd class=\"note\">sent: 600 rps</dd>")
                .doesNotContain("<dt>Not sent</dt>")
                .contains("<dt>Sent late, p99</dt>");
    }

    /** 500 operations, the longest name of which would be wider than a page. */
    @Test
    void operationsBeginWithAllTogether() {
        String page =
                SyntheticRun.run(3, 20, "GET /a", "GET /b", "x".repeat(300)).page();

        assertThat(found("<th scope=\"row\"><bdi>([^<]{1,20})</bdi>", page))
                .containsSubsequence("all operations", "GET /a", "GET /b");
        assertThat(page)
                .contains("<td class=\"n\">120</td>")
                .contains("<td class=\"n few\">–</td>")
                .contains("<svg class=\"spark\"");
    }

    /** Not even its thresholds are green. */
    @Test
    void aRunWithoutASuccessLooksBad() {
        String page = SyntheticRun.run(
                        SyntheticRun.plan("GET /").phases(new Phase("peak", 1, new PhaseLength.Iterations(1))),
                        2,
                        600,
                        "http 503",
                        1)
                .page();

        assertThat(page)
                .contains("<span class=\"badge bad\">✗ no request succeeded</span>")
                .contains("<span class=\"badge bad\">✗ measurement INVALID</span>")
                .contains("<span class=\"badge plain\">thresholds held: 1</span>")
                .doesNotContain("badge good")
                .contains("<dt>Throughput, succeeded</dt><dd>0&nbsp;")
                .containsPattern("<dt>p99 of failures</dt><dd>[0-9.]+&nbsp;")
                .containsPattern("<th scope=\"row\"><bdi>http 503</bdi></th><td class=\"n\">1,200</td>");
        assertThat(page.indexOf("Failures</bdi></h2>")).isPositive().isLessThan(page.indexOf("Charts</bdi></h2>"));
    }

    @Test
    void agentsHaveASection() {
        String page = RunPage.write(FixedResults.ofAgents(), List.of());

        assertThat(page).contains("id=\"agents\"", "<strong>LOST</strong>", "Clocks of agents");
        assertThat(SyntheticRun.run(2, 100, "GET /").page()).doesNotContain("id=\"agents\"");
    }

    @Test
    void emptyChartsAreLeftOut() {
        String page = SyntheticRun.run(2, 100, "GET /").page();

        assertThat(charts(page))
                .containsExactly(
                        "overview",
                        "throughput",
                        "latency",
                        "failures",
                        "client",
                        "server",
                        "distribution",
                        "percentiles",
                        "parts",
                        "operations");

        SyntheticRun nothingFailed = SyntheticRun.run(2, 5, "GET /");
        assertThat(charts(RunPage.write(nothingFailed.result(), List.of()))).containsExactly("operations");
    }

    @Test
    void anHourIsSmall() {
        String page = SyntheticRun.run(1_800, 1_000, "GET /", "POST /", "GET /a", "GET /b")
                .page();

        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_500_000);
        assertThat(page).contains("each point is 10 seconds");
    }

    private static List<String> charts(String page) {
        return found("data-chart=\"([a-z-]+)\"", page);
    }

    private static List<String> attributes(String page) {
        return found("<[a-z]+ (?:[^>]* )?(src|href)=", page);
    }

    private static List<String> found(String pattern, String page) {
        List<String> all = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern).matcher(page);
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }

    private static String withoutScripts(String page) {
        return Pattern.compile("<script.*?</script>", Pattern.DOTALL)
                .matcher(page)
                .replaceAll("");
    }
}
