package io.phaseload.cli.folders;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What a CI system is told of runs, sweeps and comparisons agrees with their exit codes. */
@Tag("slow")
class JUnitFileTest {

    @TempDir
    private Path folder;

    /** POSTs fail. */
    @RegisterExtension
    final RecordingServer server =
            RecordingServer.start(request -> request.method().equals("POST") ? 503 : 200);

    private Path file() {
        return folder.resolve("load.xml");
    }

    private Cli run(Object... more) {
        return Cli.run(Stream.concat(
                        Stream.of(
                                "--url",
                                server.url(),
                                "-c",
                                2,
                                "-n",
                                10,
                                "--name",
                                "shop",
                                "--get",
                                "/",
                                "--post",
                                "/"),
                        Stream.of(more))
                .toArray());
    }

    @Test
    void thresholdsThatHoldPass() throws Exception {
        Cli run = run(
                "-o",
                folder.resolve("out"),
                "--junit",
                file(),
                "--threshold",
                "peak: p50 < 10s",
                "--threshold",
                "failures <= 90%");

        assertThat(run.code()).isZero();
        // A short run beside other tests may well be a SUSPECT one.
        assertThat(cases()).hasSize(3).first().asString().matches("shop measurement (ok|skipped.*)");
        assertThat(cases().subList(1, 3)).containsExactly("shop.peak peak: p50 < 10s ok", "shop failures <= 90% ok");
        assertThat(root().getAttribute("failures")).isEqualTo("0");
    }

    @Test
    void oneThatFailsOrCantBeJudgedFails() throws Exception {
        Path out = folder.resolve("out");
        Cli run = run(
                "-o",
                out,
                "--junit",
                file(),
                "--label",
                "build=17",
                "--threshold",
                "failures < 1%",
                "--threshold",
                "p99.99 < 10s");

        assertThat(run.code()).isEqualTo(ExitCode.THRESHOLD_FAILED);
        List<String> expected = List.of(
                "shop failures < 1% failure: expected failures < 1%, observed: 50.00 %; interval 37.74 to 62.26 %"
                        + " (95.0 %), n 60, worth 60 independent ones",
                "shop p99.99 < 10s failure: expected p99.99 < 10s, observed: n too small: 60 samples, 56647 needed;"
                        + " interval");
        assertThat(cases().get(1)).isEqualTo(expected.get(0));
        assertThat(cases().get(2)).startsWith(expected.get(1)).endsWith("n 60, worth 60 independent ones");
        assertThat(Files.readString(file())).contains("type=\"undecided\"");
        assertThat(Files.readString(file())).contains("<property name=\"build\" value=\"17\"");

        Files.delete(file());
        assertThat(Cli.run("report", out, "--junit", file()).code()).isEqualTo(99);
        assertThat(cases().get(1)).isEqualTo(expected.get(0));
    }

    @Test
    void aMeasurementThatIsInvalidFails() throws Exception {
        server.close();

        Cli run = Cli.run(
                "--url", server.url(), "--once", "--name", "shop", "-o", folder.resolve("out"), "--junit", file());

        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        assertThat(cases())
                .singleElement()
                .asString()
                .startsWith("shop measurement failure: No request succeeded. INVALID: ")
                .containsAnyOf("No complete response was received.", "No connection could be made");
    }

    @Test
    void eachTrialOfASweepIsASuite() throws Exception {
        Path out = folder.resolve("out");
        Cli sweep = Cli.run(
                "sweep",
                "--url",
                server.url(),
                "--name",
                "shop",
                "-c",
                "1,2",
                "-n",
                10,
                "--trials",
                2,
                "--warmup",
                "0s",
                "--get",
                "/",
                "--post",
                "/",
                "--before",
                "GET /{threads}",
                "--threshold",
                "failures < 1%",
                "-o",
                out,
                "--junit",
                file());

        assertThat(sweep.code()).isEqualTo(ExitCode.THRESHOLD_FAILED);
        String failed = "failures < 1%% failure: expected failures < 1%%, observed: 50.00 %%; interval %s %% (95.0 %%),"
                + " n %d, worth %d independent ones";
        assertThat(cases()).first().isEqualTo("shop measurement ok");
        assertThat(out.resolve("summary.md")).content().startsWith("## Phaseload: shop\n");
        assertThat(cases())
                .filteredOn(line -> !line.contains(" measurement "))
                .containsExactly(
                        "shop.step-01.trial-1 " + failed.formatted("29.93 to 70.07", 20, 20),
                        "shop.step-01.trial-2 " + failed.formatted("29.93 to 70.07", 20, 20),
                        "shop.step-02.trial-1 " + failed.formatted("35.20 to 64.80", 40, 40),
                        "shop.step-02.trial-2 " + failed.formatted("35.20 to 64.80", 40, 40));
        assertThat(Files.readString(file())).contains("<property name=\"threads\" value=\"2\"");

        Path again = folder.resolve("again.xml");
        assertThat(Cli.run("sweep", "--resume", out, "--junit", again).code()).isEqualTo(99);
        assertThat(again).hasSameTextualContentAs(file());
    }

    /** The sweep goes on without it and passes, so it mustn't fail here. */
    @Test
    void aTrialThatFailedAsAWholeIsSkipped() throws Exception {
        Cli sweep = Cli.run(
                "sweep",
                "--url",
                server.url(),
                "-c",
                "1,2",
                "-n",
                10,
                "--get",
                "/",
                "--warmup",
                "0s",
                "--param",
                "method=GET,POST",
                "--before",
                "{method} /",
                "-o",
                folder.resolve("out"),
                "--junit",
                file());

        assertThat(sweep.code()).isZero();
        assertThat(cases())
                .filteredOn(line -> line.contains("skipped: before"))
                .hasSize(2)
                .first()
                .asString()
                .matches("sweep.step-0\\d.trial-1 measurement skipped: before \\{method\\} /: http" + " 503, ok");
    }

    @Test
    void aRegressionFails() throws Exception {
        Phase peak = new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofSeconds(20)));
        MadeUpRun base = MadeUpRun.of(MadeUpRun.planned().phases(peak));
        Path a = base.write(folder.resolve("a"));
        Path b = base.mean(20).seed(50).write(folder.resolve("b"));

        Cli compare = Cli.run("compare", a, b, "--fail-on-regression", "5%", "--junit", file());

        assertThat(compare.code()).isEqualTo(ExitCode.REGRESSION);
        assertThat(cases()).hasSize(15);
        assertThat(compare.err().lines())
                .allSatisfy(line -> assertThat(Files.readString(file())).contains(line));
        assertThat(root().getAttribute("failures"))
                .isEqualTo(Long.toString(compare.err().lines().count()));
        assertThat(cases()).contains("compare.peak GET /: throughput ok", "compare.peak (all): failed ok");

        assertThat(Cli.run("compare", a, b, "--junit", file()))
                .isEqualTo(new Cli(ExitCode.USAGE, "", "--junit needs --fail-on-regression\n"));
    }

    @Test
    void aFileThatCantBeWrittenIsKnownBeforeAnythingStarts() throws Exception {
        Path taken = Files.writeString(folder.resolve("taken"), "mine");
        Path missing = folder.resolve("missing");
        for (Path wrong : List.of(folder, taken.resolve("a.xml"), missing.resolve("a.xml"))) {
            Cli run = run("-o", folder.resolve("out"), "--junit", wrong);

            String expected = wrong == folder ? "that can be written" : "in a folder that exists";
            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).isEqualTo("--junit " + wrong + ": expected a file " + expected + "\n");
        }
        assertThat(missing).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(server.received()).isEmpty();
    }

    private Element root() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file().toFile())
                .getDocumentElement();
    }

    /** Each as class, name and what became of it. */
    private List<String> cases() throws Exception {
        List<String> cases = new ArrayList<>();
        NodeList all = root().getElementsByTagName("testcase");
        for (int i = 0; i < all.getLength(); i++) {
            Element of = (Element) all.item(i);
            String outcome = "ok";
            for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
                if (child instanceof Element element) {
                    outcome = element.getTagName() + ": " + element.getAttribute("message");
                }
            }
            cases.add(of.getAttribute("classname") + " " + of.getAttribute("name") + " " + outcome);
        }
        return cases;
    }
}
