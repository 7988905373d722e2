package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The published course with Apache HttpClient, whose users share a pool. */
class HttpClientRunTest {

    @TempDir
    private static Path folder;

    private static Path out;
    private static Cli run;
    private static JsonNode result;

    @BeforeAll
    static void run() throws Exception {
        out = folder.resolve("out");
        run = Cli.run(
                "run",
                "--target",
                "tomcat",
                "--threads",
                20,
                "--iterations",
                100,
                "--client",
                "httpclient",
                "--pool",
                4,
                "-o",
                out);
        result = Cli.json(Files.readString(out.resolve("result.json")));
    }

    @Test
    void theTargetCountedWhatWasSent() {
        assertThat(run.code()).isZero();
        assertThat(run.err()).startsWith("7,400 requests: ").hasLineCount(1);
        assertThat(result.at("/target/requests").asLong()).isEqualTo(7400);
        assertThat(result.at("/totals/succeeded").asLong()).isEqualTo(7400);
    }

    @Test
    void theWaitForAConnectionIsAFigure() throws Exception {
        assertThat(result.at("/totals/lease/samples").asLong()).isEqualTo(7400);
        assertThat(result.at("/totals/connectionSetUp/samples").asLong()).isBetween(1L, 4L);
        assertThat(result.at("/plan/client/pool").asLong()).isEqualTo(4);
        assertThat(run.out())
                .containsPattern("\\nWaiting for a connection of the pool \\(ms\\): mean \\d")
                .contains(", platform threads, Apache HttpClient with a pool of 4 connections\n");
        assertThat(Files.readString(out.resolve("latency.hlog"))).contains("/lease,");
        String page = Files.readString(out.resolve("report.html"));
        assertThat(page.contains("pool wait (ms)"))
                .as("the page has it over time")
                .isTrue();
    }

    /** Of twenty users, four have a connection. */
    @Test
    void theVerdictSaysThatItIsThePool() {
        assertThat(result.get("findings").findValuesAsString("id")).contains("pool");
        assertThat(run.out()).contains("they tell of your client's pool, not of the server");
    }

    @Test
    void theFolderIsReadAgain() {
        Cli report = Cli.run("report", out);

        assertThat(report.code()).isZero();
        assertThat(report.out())
                .contains("Waiting for a connection of the pool")
                .doesNotContain("INCOMPLETE");
    }

    /** The plan of a result is a plan to run. */
    @Test
    void itsPlanRunsAgain() throws Exception {
        Path again = folder.resolve("again");
        Cli repeated = Cli.run("--plan", out.resolve("result.json"), "-c", 2, "-n", 2, "-o", again);

        assertThat(repeated.code()).isZero();
        JsonNode client =
                Cli.json(Files.readString(again.resolve("result.json"))).at("/plan/client");
        assertThat(client).isEqualTo(result.at("/plan/client"));
    }
}
