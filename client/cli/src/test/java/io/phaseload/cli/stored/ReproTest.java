package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.RecordingServer.Received;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code phaseload repro}, and the command that it prints, done by a real curl. */
class ReproTest {

    private static final String BODY = "it's \"{}\" $HOME `x` \\ ü";

    @TempDir
    private Path folder;

    @RegisterExtension
    private final RecordingServer server =
            RecordingServer.start(request -> request.line().startsWith("POST") ? 503 : 200);

    private void run(Object... more) {
        Object[] line = {
            "run",
            "--url",
            server.url(),
            "--threads",
            1,
            "--phases",
            "peak=1",
            "--iterations",
            1,
            "--quiet",
            "--out",
            folder.resolve("out")
        };
        Object[] all =
                Stream.concat(List.of(line).stream(), List.of(more).stream()).toArray();
        Cli.run(all);
    }

    private Cli repro(Object... words) {
        Object[] line = Stream.concat(List.of("repro", folder.resolve("out")).stream(), List.of(words).stream())
                .toArray();
        return Cli.run(line);
    }

    private static Map<String, List<String>> headers(Received received) {
        return new TreeMap<>(received.headers());
    }

    private int curl(String command, Map<String, String> variables) throws IOException, InterruptedException {
        assumeThat(Path.of("/usr/bin/curl")).exists();
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
        shell.environment().putAll(variables);
        Process process = shell.start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    @Test
    void aKeptRequestIsListedPrintedAndSentAgain() {
        run("--get", "/a?b=[1]&c=d", "--post", "/refused", "--body", BODY, "-H", "X-One: 'two'");
        assertThat(server.received()).hasSize(2);

        assertThat(repro().out())
                .containsPattern("(?m)^ +1 +peak .*GET /a")
                .containsPattern("(?m)^ +2 +peak .*http 503");

        Cli again = repro(2);

        assertThat(again.code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        assertThat(again.out()).startsWith("curl ").containsPattern("(?m)^outcome +http 503 +http 503$");
        Received first = server.received().get(1);
        Received second = server.received().get(2);
        assertThat(second.line()).isEqualTo("POST /refused");
        assertThat(second.text()).isEqualTo(BODY);
        assertThat(headers(second)).isEqualTo(headers(first));
        assertThat(repro(1).code()).isZero();
        assertThat(server.received().get(3).line()).isEqualTo("GET /a?b=[1]&c=d");
    }

    /** The same request reaches the server, byte for byte but for the order of headers. */
    @Test
    void theCommandSendsTheRequestAndReadsSecretsFromVariables() throws Exception {
        run("--post", "/a/../b?token=t1&x='", "--body", BODY, "-H", "Authorization: Bearer geheim");
        Received first = server.received().get(0);

        Cli printed = repro(1, "--print");
        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .doesNotContain("geheim", "t1")
                .contains("-H \"Authorization: ${AUTHORIZATION}\"", "token=${TOKEN}");

        assertThat(curl(printed.out(), Map.of("AUTHORIZATION", "Bearer geheim", "TOKEN", "t1")))
                .isZero();
        Received second = server.received().get(1);
        assertThat(second.line()).isEqualTo(first.line());
        assertThat(second.text()).isEqualTo(BODY);
        assertThat(headers(second)).isEqualTo(headers(first));

        Cli sent = repro(1);
        assertThat(sent.code()).isEqualTo(ExitCode.USAGE);
        assertThat(sent.err())
                .isEqualTo("repro: expected these variables to be set, or --print: AUTHORIZATION, TOKEN\n");
        assertThat(server.received()).hasSize(2);
    }

    @Test
    void aStepOfAJourneyHasItsUserAndVariablesForTheOthersValues() throws Exception {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                """
                scenarios:
                  - name: shop
                    steps:
                      - name: log in
                        post: /in
                        body: '{"user": {user}, "iteration": {iteration}, "id": "{uuid}"}'
                """,
                StandardCharsets.UTF_8);
        run("--plan", plan);

        assertThat(repro(1, "--print").out())
                .contains("--data-raw \"{\\\"user\\\": 0, \\\"iteration\\\": 0, \\\"id\\\": \\\"${UUID}\\\"}\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "3", "x", "99999999999"})
    void anotherNumberIsRefused(String number) {
        run("--get", "/", "--post", "/");

        assertThat(repro(1).out()).startsWith("curl ");
        Cli refused = repro(number);

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).isEqualTo("repro " + number + ": expected a number from 1 to 2\n");
    }
}
