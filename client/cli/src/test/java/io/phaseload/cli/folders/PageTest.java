package io.phaseload.cli.folders;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.RecordingServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The pages that commands write, and what stands in the tables of their charts. */
@Tag("slow")
class PageTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path path(String name) {
        return folder.resolve(name);
    }

    @Test
    void aRunHasItsPage() throws Exception {
        assertThat(Cli.run("run", "--url", server.url(), "-n", 5, "--quiet", "--out", path("a"))
                        .code())
                .isZero();

        String page = Files.readString(path("a").resolve("report.html"));

        assertThat(page).startsWith("<!DOCTYPE html>").contains("measurement ");
        assertThat(charts(page)).contains("percentiles", "latency", "throughput");
        assertThat(Files.readString(path("a").resolve("report.txt")).lines().skip(12))
                .as("the text is in it, too")
                .allSatisfy(line -> assertThat(page).contains(line.replace("'", "&#39;")));
    }

    @Test
    void aPartOfARunIsAPageOfThatPart() throws Exception {
        Path run = MadeUpRun.ofDefaultPlan().lasting(3).failed(50).write(path("a"));

        Cli report = Cli.run("report", run, "--only", "peak", "--html", path("p.html"), "--data", path("p.json"));

        assertThat(report.err()).isEmpty();
        assertThat(charts(Files.readString(path("p.html")))).contains("failures");
        JsonNode tables = Cli.json(Files.readString(path("p.json")));
        assertThat(tables.path("phases")).hasSize(1);
        assertThat(tables.path("phases").get(0).path("phase").asString()).isEqualTo("peak");
        assertThat(tables.path("intervals").findValuesAsString("phase")).containsOnly("peak");
        assertThat(tables.path("intervals").findValuesAsString("operation")).containsOnly("(all)", "GET /", "POST /");
    }

    @Test
    void aSweepHasItsPageAndItsReportAgain() throws Exception {
        Cli sweep = Cli.run(
                "sweep",
                "--url",
                server.url(),
                "-c",
                "1,2",
                "-n",
                5,
                "--warmup",
                "0s",
                "--param",
                "size=</script><b>,2",
                "-H",
                "X-Size: {size}",
                "--get",
                "/",
                "--trials",
                2,
                "--quiet",
                "--out",
                path("s"));
        assertThat(sweep.err()).isEmpty();
        String page = Files.readString(path("s").resolve("report.html"));
        assertThat(charts(page)).containsExactly("scaling", "scaling-latency", "groups", "bars", "heatmap", "boxes");
        assertThat(page).doesNotContain("size=</script><b>").contains("size=&lt;/script&gt;&lt;b&gt;");

        Cli report = Cli.run("report", path("s"), "--html", path("s.html"), "--data", path("s.json"));

        assertThat(report.code()).isZero();
        assertThat(report.out()).isEqualTo(Files.readString(path("s").resolve("report.txt")));
        assertThat(Files.readString(path("s.html"))).isEqualTo(page.replace("href=\"./step-", "href=\"./s/step-"));
        JsonNode tables = Cli.json(Files.readString(path("s.json")));
        assertThat(tables.path("trials").findValuesAsString("trial")).containsOnly("1", "2");
        assertThat(tables.path("steps").findValuesAsString("group")).containsOnly("size=</script><b>", "size=2");
        assertThat(Cli.run("report", path("s"), "--only", "peak").err())
                .isEqualTo("report %s: --only, --from, --to and --card are for runs, not for sweeps\n"
                        .formatted(path("s")));
    }

    @Test
    void aComparisonIsAPage() throws Exception {
        Path a = MadeUpRun.ofDefaultPlan().lasting(12).write(path("a"));
        Path b = MadeUpRun.ofDefaultPlan().lasting(12).mean(20).seed(5).write(path("b"));

        Cli compare = Cli.run("compare", a, b, "--html", path("c.html"), "--data", path("c.json"));

        assertThat(compare.err()).isEmpty();
        String page = Files.readString(path("c.html"));
        assertThat(charts(page))
                .containsExactly(
                        "changes", "changes-points", "compared-percentiles", "compared-latency", "compared-throughput");
        assertThat(page).contains("✗ worse: ", ">A: " + a + " (2026-11-20 12:00 UTC)<");
        JsonNode tables = Cli.json(Files.readString(path("c.json")));
        assertThat(tables.path("changes").findValuesAsString("word")).contains("worse");
        assertThat(tables.path("curves").findValuesAsString("side")).containsOnly(a.toString(), b.toString());
        assertThat(tables.path("course").get(0).path("at_s").asDouble()).isEqualTo(0.5);
    }

    @Test
    void aPageThatCannotBeWrittenIsNoticedBefore() throws Exception {
        Path run = MadeUpRun.ofDefaultPlan().lasting(1).write(path("a"));

        assertThat(Cli.run("report", run, "--html", folder))
                .isEqualTo(new Cli(2, "", "--html " + folder + ": expected a file that can be written\n"));
    }

    /** The result is written before, so nothing but the page is missing. */
    @Test
    void aPageThatFailsLosesNothing() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        ResultOutput.writePage(
                folder,
                () -> {
                    throw new IllegalStateException("no chart");
                },
                new PrintStream(err));

        assertThat(err).asString().startsWith("The page couldn't be written to " + folder);
    }

    private static List<String> charts(String page) {
        List<String> names = new ArrayList<>();
        Matcher matcher = Pattern.compile("data-chart=\"([a-z-]+)\"").matcher(page);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }
}
