package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run's folder alone is enough for its report. */
@Tag("slow")
class ReportTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path out;

    @BeforeEach
    void runOnce() throws Exception {
        out = folder.resolve("out");
        Cli run = Cli.run(
                "run",
                "--url",
                server.url().toString(),
                "-c",
                "4",
                "-n",
                "20",
                "--quiet",
                "--get",
                "/a,b%20%22c%22",
                "--post",
                "/items?token=secret",
                "--out",
                out.toString());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void isTheSameTextAgain() throws Exception {
        Cli report = Cli.run("report", out.toString());

        assertThat(report.err()).isEmpty();
        assertThat(report.code()).isZero();
        assertThat(report.out()).isEqualTo(Files.readString(out.resolve("report.txt")));
    }

    /** For chats and pull requests, whose pictures have this size. */
    @Test
    void aCardIsAPicture() throws Exception {
        Path card = folder.resolve("card.png");
        Cli report = Cli.run("report", out.toString(), "--card", card.toString());

        assertThat(report.code()).isZero();
        BufferedImage picture = ImageIO.read(card.toFile());
        assertThat(List.of(picture.getWidth(), picture.getHeight())).containsExactly(1200, 630);
        // Texts have many shades.
        assertThat(IntStream.range(0, 1200 * 630)
                        .map(i -> picture.getRGB(i % 1200, i / 1200))
                        .distinct()
                        .count())
                .isGreaterThan(20);
    }

    @Test
    void isTheSameJsonAgain() throws Exception {
        JsonNode first = Cli.json(Files.readString(out.resolve("result.json")));
        JsonNode again = Cli.json(Cli.run("report", out.toString(), "--json").out());

        for (String part : List.of("plan", "environment", "totals", "verdict", "startedAt")) {
            assertThat(again.get(part)).as(part).isEqualTo(first.get(part));
        }
        assertThat(again.get("phases")).hasSameSizeAs(first.get("phases"));
        for (int i = 0; i < first.get("phases").size(); i++) {
            assertThat(again.get("phases").get(i).get("operations"))
                    .isEqualTo(first.get("phases").get(i).get("operations"));
        }
    }

    @Test
    void canLeavePhasesOut() throws Exception {
        JsonNode peak = Cli.json(
                Cli.run("report", out.toString(), "--only", "peak", "--json").out());

        assertThat(peak.path("totals").path("requests").asLong()).isEqualTo(4 * 20 * 2);
        assertThat(peak.path("phases").get(0).path("requests").asLong()).isZero();
    }

    /** What a killed run leaves: the first result.json, and a last line that isn't whole. */
    @Test
    void isMadeOfWhatAKilledRunLeft() throws Exception {
        Path killed = Files.createDirectory(folder.resolve("killed"));
        for (String file : List.of("result.json", "intervals.csv", "latency.hlog")) {
            Files.copy(out.resolve(file), killed.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        List<String> lines = Files.readAllLines(out.resolve("intervals.csv"));
        String cut = String.join("\n", lines);
        Files.writeString(killed.resolve("intervals.csv"), cut.substring(0, cut.length() - 20));
        String log = Files.readString(out.resolve("latency.hlog"));
        Files.writeString(killed.resolve("latency.hlog"), log.substring(0, log.length() - 20));

        Cli report = Cli.run("report", killed.toString(), "--json");

        assertThat(report.err()).isEmpty();
        long all = Cli.json(Files.readString(out.resolve("result.json")))
                .path("totals")
                .path("requests")
                .asLong();
        assertThat(Cli.json(report.out()).path("totals").path("requests").asLong())
                .isPositive()
                .isLessThan(all);
    }

    @Test
    void keepsWhatEndedTheRun() throws Exception {
        Path json = out.resolve("result.json");
        String fault = "java.lang.IllegalStateException: 8 of 9 threads could be started: no more";
        String before = Files.readString(json);
        Files.writeString(json, before.replace("\"fault\" : null", "\"fault\" : \"" + fault + "\""));

        JsonNode again = Cli.json(Cli.run("report", out.toString(), "--json").out());

        assertThat(again.path("fault").asString()).isEqualTo(fault);
        assertThat(again.path("verdict").path("status").asString()).isEqualTo("INVALID");
        assertThat(again.path("verdict").path("reasons").toString())
                .contains("The client itself failed: 8 of 9 threads could be started: no more");
    }

    @Test
    void wantsAFolderOfARun() {
        assertThat(Cli.run("report").code()).isEqualTo(2);
        assertThat(Cli.run("report", folder.toString()).code()).isEqualTo(2);
        Cli unknown = Cli.run("report", out.toString(), "--only", "peek");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err().strip()).isEqualTo("--only peek: expected some of warmup,loading,peak,cooldown");
    }
}
