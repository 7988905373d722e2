package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A run is repeated from what it wrote. */
@Tag("slow")
class RepeatedPlanTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @Test
    void thePlanIsTheSameAgain() throws Exception {
        JsonNode first = run(
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

    /** Tomcat's own HTTP/2, which keeps a table of headers. */
    @Test
    void aRunOverHttp2IsOneAgain() throws Exception {
        JsonNode first = run(
                "first",
                "--target",
                "tomcat",
                "-c",
                20,
                "-n",
                5,
                "--engine",
                "events",
                "--http2",
                "--streams",
                5,
                "--windows",
                "1MiB,2MiB");

        JsonNode again = run("again", "--plan", folder.resolve("first"));

        assertThat(first.at("/plan/engine").toString())
                .isEqualTo("{'name':'events','http2':true,'streams':5,'windows':'1MiB,2MiB'}".replace('\'', '"'));
        assertThat(again.at("/plan/engine")).isEqualTo(first.at("/plan/engine"));
        assertThat(again.at("/engine/streams").asInt()).isEqualTo(5);
        assertThat(again.at("/totals/failed").asInt()).isZero();
        assertThat(again.at("/target/requests")).isEqualTo(again.at("/totals/requests"));
        assertThat(again.at("/totals/connectionSetUp/samples").asInt())
                .isLessThan(again.at("/plan/threads").asInt());
    }

    @Test
    void aSecretMustBeGivenAgain() throws Exception {
        run("first", "--url", server.url(), "-c", 2, "-n", 5, "-H", "Authorization: Bearer x1");
        Path plan = folder.resolve("first/result.json");

        Cli without = Cli.run("--plan", plan, "-o", folder.resolve("no"));

        assertThat(without.code()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err().strip())
                .startsWith("--plan " + plan + ": line ")
                .endsWith(": target.headers.0 needs its value in a copy of the file, or --header"
                        + " 'Authorization: …': it was a secret, and secrets aren't kept");
        assertThat(folder.resolve("no")).doesNotExist();

        int before = server.received().size();
        run("again", "--plan", plan, "-H", "Authorization: Bearer x2");

        assertThat(server.received().subList(before, server.received().size()))
                .allSatisfy(request ->
                        assertThat(request.headers().get("Authorization")).containsExactly("Bearer x2"));
    }

    @Test
    void aSecretInAnAddressMustBeWrittenIntoTheFile() throws Exception {
        run("first", "--url", server.url(), "-c", 1, "-n", 1, "--get", "/a?token=x1");

        Cli again = Cli.run("--plan", folder.resolve("first"), "-o", folder.resolve("no"));

        assertThat(again.code()).isEqualTo(ExitCode.USAGE);
        assertThat(again.err().strip())
                .endsWith("/a?token=[redacted]: expected a copy of the file with the secret in it");
    }

    @Test
    void aSecretInTheMetricsAddressMustBeGivenAgain() throws Exception {
        Path file = Files.writeString(
                folder.resolve("plan.json"),
                Cli.run("plan", "--json", "--server-metrics", "/m?token=x1").out());

        assertThat(Cli.run("plan", "--plan", file).err().strip())
                .endsWith("/m?token=[redacted]: expected a copy of the file with the secret in it");
        Cli given = Cli.run("plan", "--json", "--plan", file, "--server-metrics", "/m");
        assertThat(Cli.json(given.out()).at("/serverMetrics/url").asString()).isEqualTo("/m");
    }

    /** What is given beside it holds for all phases. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-c 20 | /threads | 20",
                "-n 7 | /phases/0/iterations | 7",
                "-n 7 | /phases/1/iterations | 7",
                "--duration 50ms | /phases/0/durationMs | 50",
                "--rate 70/s | /phases/0/load/arrivals/rate | 35/s",
                "--rate 70/s | /phases/1/load/arrivals/rate | 70/s",
                "--think 3ms | /phases/1/load/model | closed",
                "--think 3ms | /phases/1/load/thinkMs/0 | 3",
                "--arrivals constant | /phases/1/load/arrivals/kind | constant",
                "--seed 8 | /phases/1/load/arrivals/seed | 249",
                "--overload drop | /phases/1/load/overload | drop",
                "--phases only=1 | /phases/0/name | only",
                "--timeout 2s | /target/responseTimeoutMs | 2000",
                "--connect-timeout 2s | /target/connectTimeoutMs | 2000",
                "--insecure | /target/insecure | true",
                "--name other | /name | other",
                "--label a=c | /labels/a | c",
                "--get /b | /operations/0/path | /b",
                "--body other | /operations/0/body | other",
                "--expect status=201 | /operations/0/checks/0 | status=201",
                "--threshold rps>1 | /thresholds/0 | rps > 1",
                "-H X-Shop:2 | /target/headers/0/value | 2",
            })
    void optionsWinOverTheFile(String options, String at, String value) throws Exception {
        Cli first = Cli.run(
                "plan",
                "--json",
                "--url",
                server.url(),
                "-c",
                2,
                "--phases",
                "loading=0.5 for 2 iterations, peak=1 for 100ms at 50/s",
                "--arrivals",
                "poisson",
                "--post",
                "/a",
                "--body",
                "hello",
                "-H",
                "X-Shop: 1",
                "--label",
                "a=b",
                "--threshold",
                "p50 < 10s");
        Path file = Files.writeString(folder.resolve("first.json"), first.out());
        Object[] line = Stream.concat(Stream.of("plan", "--json", "--plan", file), Stream.of(options.split(" ")))
                .toArray();

        Cli plan = Cli.run(line);

        assertThat(plan.err()).isEmpty();
        assertThat(Cli.json(plan.out()).at(at).asString()).isIn(value, value + ".0");
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
