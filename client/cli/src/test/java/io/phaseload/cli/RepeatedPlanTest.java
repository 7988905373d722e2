package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A run is repeated from what it wrote. */
class RepeatedPlanTest {

    @TempDir private Path folder;
    @RegisterExtension final RecordingServer server = RecordingServer.start();

    @Test
    void thePlanIsTheSameAgain() throws Exception {
        JsonNode first =
                run(
                        "first",
                        "--url",
                        server.url(),
                        "-c",
                        3,
                        "--phases",
                        "warmup=0.4 for 5 iterations, peak=1 for 200ms at 100/s",
                        "--arrivals",
                        "poisson",
                        "--seed",
                        7,
                        "--timeout",
                        "3s",
                        "--post",
                        "/a",
                        "--body",
                        "hello",
                        "--expect",
                        "status=200",
                        "-H",
                        "X-Shop: 1",
                        "--label",
                        "a=b",
                        "--name",
                        "nightly");

        JsonNode again = run("again", "--plan", folder.resolve("first/result.json"));

        assertThat(again.get("plan")).isEqualTo(first.get("plan"));
        assertThat(again.at("/phases/0/requests")).isEqualTo(first.at("/phases/0/requests"));
    }

    @Test
    void aRunAgainstTheTomcatTargetStartsOneAgain() throws Exception {
        run("first", "--target", "tomcat", "-c", 2, "-n", 5);

        JsonNode again = run("again", "--plan", folder.resolve("first"));

        assertThat(again.at("/target/kind").asString()).isEqualTo("tomcat");
        assertThat(again.at("/target/requests")).isEqualTo(again.at("/totals/requests"));
    }

    @Test
    void aSecretHasToBeGivenAgain() throws Exception {
        run("first", "--url", server.url(), "-c", 2, "-n", 5, "-H", "Authorization: Bearer x1");
        Path plan = folder.resolve("first/result.json");

        Cli without = Cli.run("--plan", plan, "-o", folder.resolve("no"));

        assertThat(without.code()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err().strip())
                .isEqualTo(
                        "--plan %s: its header Authorization was a secret:".formatted(plan)
                                + " expected --header 'Authorization: …' beside it");
        assertThat(folder.resolve("no")).doesNotExist();

        int before = server.received().size();
        run("again", "--plan", plan, "-H", "Authorization: Bearer x2");

        assertThat(server.received().subList(before, server.received().size()))
                .allSatisfy(
                        request ->
                                assertThat(request.headers().get("Authorization"))
                                        .containsExactly("Bearer x2"));
    }

    @Test
    void loadIsNotSaidTwice() throws Exception {
        run("first", "--url", server.url(), "-c", 2, "-n", 5);

        Cli both = Cli.run("--plan", folder.resolve("first"), "-c", 20);

        assertThat(both.code()).isEqualTo(ExitCode.USAGE);
        assertThat(both.err().strip()).isEqualTo("--threads: expected no --plan beside it");
    }

    @Test
    void aFileThatIsNoPlanIsRefused() throws Exception {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, "{\n  \"name\": \"x\",\n  \"thread\": 3\n}\n");

        Cli run = Cli.run("--plan", file, "-o", folder.resolve("no"));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("--plan " + file + ": expected a result.json, or a plan: ")
                .contains("key thread isn't one of ", "threads")
                .hasLineCount(1);
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | target: expected one with a url",
                "{\"target\": {\"url\": \"ftp://h/\"}} | url 'ftp://h/': expected http",
                "{\"target\": {\"url\": \"http://h/\"}, \"threads\": 0} | threads 0: expected",
                "{\"target\": {\"url\": \"http://h/\"}, \"phases\": [{\"name\": \"p\","
                        + " \"share\": 1}]} | phase p: expected either iterations or durationMs",
                "[] | a plan",
                "{ | line 1",
            })
    void aPlanThatIsNotAllowedIsRefused(String json, String why) throws Exception {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, json);

        Cli run = Cli.run("--plan", file, "-o", folder.resolve("no"));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(why).hasLineCount(1);
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @Test
    void aPlanByHandHasTheDefaults() throws Exception {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, "{\"target\": {\"url\": \"" + server.url() + "\"}}");

        JsonNode result = run("out", "--plan", file);

        assertThat(result.at("/totals/requests").asLong()).isEqualTo((1 + 5 + 10 + 2) * 200);
    }

    private JsonNode run(String name, Object... more) throws Exception {
        Path out = folder.resolve(name);
        Object[] line = new Object[more.length + 3];
        System.arraycopy(more, 0, line, 0, more.length);
        line[more.length] = "--quiet";
        line[more.length + 1] = "-o";
        line[more.length + 2] = out;
        Cli run = Cli.run(line);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return Cli.json(Files.readString(out.resolve("result.json")));
    }
}
