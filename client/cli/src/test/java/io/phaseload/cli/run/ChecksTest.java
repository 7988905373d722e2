package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.RecordingServer.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Requests with checks, and those of other methods, from the command line to the result. */
class ChecksTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli run(Object... options) {
        return Cli.run(Cli.line(List.of("--url", server.url(), "-o", out), options));
    }

    private JsonNode result() throws IOException {
        return Cli.json(Files.readString(out.resolve("result.json")));
    }

    @Test
    void aFailedCheckHasItsOwnCause() throws Exception {
        Cli run = run(
                "--phases=one=1",
                "-c=1",
                "-n=3",
                "--expect=status=200",
                "--get=/a",
                "--get=/b",
                "--expect",
                "status=201",
                "--get=/c",
                "--expect",
                " status=200  body~'o' body~\"k\" body~absent ");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Total number of Successful responses: 3\n")
                .contains("Failed requests: 6 (66.67 %)\n")
                .containsPattern("\n  check body~'absent' +one +GET /c +3 +33\\.33\n")
                .containsPattern("\n  check status=201 +one +GET /b +3 +33\\.33\n");
        assertThat(result().at("/phases/0/failures").toString())
                .isEqualTo("{\"check body~'absent'\":3,\"check status=201\":3}");
        assertThat(result().at("/phases/0/operations/0/failed").asInt()).isZero();
        assertThat(result().at("/phases/0/operations/1/failed").asInt()).isEqualTo(3);
        assertThat(result().at("/phases/0/operations/2/failed").asInt()).isEqualTo(3);
        assertThat(result().at("/plan/operations").findValues("checks").toString())
                .isEqualTo("[[\"status=200\"], [\"status=201\"], "
                        + "[\"status=200\",\"body~'o'\",\"body~'k'\",\"body~'absent'\"]]");
    }

    @Test
    void checksAloneAreForTheDefaultRequest() throws Exception {
        assertThat(run("--phases=one=1", "-c=1", "-n=1", "--expect", "body~ok").code())
                .isZero();
        assertThat(result().at("/plan/operations").findValues("checks").toString())
                .isEqualTo("[[\"body~'ok'\"]]");
        assertThat(result().at("/totals/succeeded").asInt()).isEqualTo(1);
    }

    @Test
    void aStatusThatIsExpectedIsASuccess() throws Exception {
        try (RecordingServer missing = RecordingServer.start(request -> 404)) {
            Cli run = run(
                    "--url",
                    missing.url(),
                    "--phases=one=1",
                    "-c=1",
                    "-n=2",
                    "--get=/gone",
                    "--expect=status=404",
                    "--delete=/gone");
            assertThat(run.code()).isZero();
        }
        assertThat(result().at("/totals/failures").toString()).isEqualTo("{\"http 404\":2}");
        assertThat(result().at("/totals/succeeded").asInt()).isEqualTo(2);
    }

    @Test
    void aPutHasABodyAndADeleteHasNone() {
        Cli run = run(
                "--phases=one=1",
                "-c=1",
                "-n=1",
                "--body=common",
                "--put=/items/1",
                "--body=own",
                "--put=/items/2",
                "--delete=/items/1",
                "--post=/items");
        assertThat(run.code()).isZero();
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(
                        tuple("PUT /items/1", "own"),
                        tuple("PUT /items/2", "common"),
                        tuple("DELETE /items/1", ""),
                        tuple("POST /items", "common"));
        assertThat(server.received().get(2).headers().containsKey("Content-Length"))
                .isFalse();
    }
}
