package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of a file, and forms. */
@Timeout(60)
class RequestListTest {

    @TempDir
    private Path folder;

    private Cli run(String requests, Object... more) throws IOException {
        Path file = Files.writeString(folder.resolve("requests.txt"), requests);
        List<Object> usual = List.of(
                "--requests",
                file,
                "--phases",
                "peak=1",
                "--threads",
                1,
                "--iterations",
                2,
                "-o",
                folder.resolve("out"));
        return Cli.run(Cli.line(usual, more));
    }

    private static List<String> targets(RecordingServer server) {
        return server.received().stream()
                .map(it -> it.method() + " " + it.target())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void theyAreSentByWeight(String engine) throws IOException {
        Path body = Files.writeString(folder.resolve("order.json"), "{\"a\": \"{b}\"}");
        try (RecordingServer server = RecordingServer.start()) {
            String base = server.url().toString().replaceFirst("/$", "");
            Cli run = run(
                    """
                            # a comment
                            4 GET %1$s/items?a=1
                            %1$s
                            POST %1$s/orders
                            X-Token: s3cr3t
                            @%2$s
                            PUT /empty

                            """
                            .formatted(base, body),
                    "--engine",
                    engine,
                    "--expect",
                    "status=200");

            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            List<String> round = List.of(
                    "GET /items?a=1",
                    "GET /",
                    "GET /items?a=1",
                    "POST /orders",
                    "PUT /empty",
                    "GET /items?a=1",
                    "GET /items?a=1");
            assertThat(targets(server).subList(0, 7)).containsExactlyInAnyOrderElementsOf(round);
            assertThat(targets(server)).hasSize(14);
            assertThat(targets(server).subList(7, 14)).isEqualTo(targets(server).subList(0, 7));
            assertThat(server.received())
                    .filteredOn(it -> it.target().equals("/orders"))
                    .hasSize(2)
                    .allSatisfy(it -> assertThat(it.text()).isEqualTo("{\"a\": \"{b}\"}"))
                    .allSatisfy(
                            it -> assertThat(it.headers().getFirst("X-Token")).isEqualTo("s3cr3t"));
            String result = Files.readString(folder.resolve("out/result.json"));
            assertThat(result).doesNotContain("s3cr3t");
            assertThat(Cli.json(result).at("/phases/0/operations/0/requests").asInt())
                    .isEqualTo(8);
            assertThat(Cli.json(result).at("/plan/operations/0/weight").asInt()).isEqualTo(4);
        }
    }

    @Test
    void arrivalsTakeTurnsByWeight() throws IOException {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = run("3 /a\n/b\n", "--url", server.url(), "--rate", "500/s");

            assertThat(run.err()).isEmpty();
            assertThat(targets(server)).hasSize(8);
            assertThat(targets(server)).filteredOn("GET /b"::equals).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    X: y                     | requests.txt:1 X: y: expected an address, or a method and an address
                    /a#/b b                  | requests.txt:2 /b b: expected an address, a header 'Name: value', or @FILE
                    http://h/#http://g/      | requests.txt:2 http://g/: expected http://h, as before: a run has one
                    /a#@nowhere              | requests.txt:2 @nowhere: expected a readable file
                    /a{b                     | requests.txt:1 /a{b: expected a path that begins with / and is percent-encoded
                    0 /a                     | requests.txt:1 0: expected a whole number of 1 or more, such as 100 or 10k
                    10001 /a                 | requests.txt:1 10001: expected 1 to 10000
                    /a#Host                  | requests.txt:2 Host: expected an address, a header 'Name: value', or @FILE
                    /a#Content-Length: 3     | requests.txt:2: expected one that the client doesn't set itself
                    """)
    void aMistakeIsToldWithItsLine(String lines, String message) throws IOException {
        Cli run = run(lines.replace('#', '\n'), "--url", "http://127.0.0.1:9/");
        if (lines.startsWith("http")) {
            run = run(lines.replace('#', '\n'));
            lines = "";
        }
        assertThat(run.err().strip()).endsWith(message);
        assertThat(run.code()).isEqualTo(2);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void whatDoesNotGoTogetherIsTold() throws IOException {
        assertThat(run("\n#\n").err().strip()).endsWith(": expected at least one request");
        assertThat(run("http://h/\n", "--url", "http://g/").err().strip())
                .endsWith(": expected paths such as /items beside --url");
        assertThat(run("/a\n", "--get", "/b").err().strip()).isEqualTo("--requests cannot be combined with --get");
        assertThat(Cli.run("http://h/", "--requests", "10k").err().strip())
                .isEqualTo("--requests 10k: expected a file; use --iterations N, which counts per user" + " and phase");
        assertThat(run("2 /a\n/b\n", "--url", "http://h/", "-L").err().strip())
                .isEqualTo("--follow-redirects: expected requests without weights, or a plan with" + " scenarios");
        assertThat(run("/a\n".repeat(1_001), "--url", "http://h/").err().strip())
                .endsWith(":1001 /a: expected at most 1,000 requests; data of a plan's scenarios may" + " have more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void aFormIsSent(String engine) throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "{x}");
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = Cli.run(
                    server.url(),
                    "-F",
                    "user={name}",
                    "-F",
                    "upload=@" + file + ";type=text/plain;filename=b.txt",
                    "--engine",
                    engine,
                    "--phases",
                    "peak=1",
                    "-c1",
                    "-n1",
                    "-o",
                    folder.resolve(engine));

            assertThat(run.err()).isEmpty();
            assertThat(targets(server)).containsExactly("POST /");
            String type = server.received().get(0).headers().getFirst("Content-Type");
            assertThat(type).startsWith("multipart/form-data; boundary=phaseload-");
            String boundary = type.replaceFirst(".*boundary=", "--");
            assertThat(server.received().get(0).text())
                    .isEqualTo(String.join(
                            "\r\n",
                            boundary,
                            "Content-Disposition: form-data; name=\"user\"",
                            "",
                            "{name}",
                            boundary,
                            "Content-Disposition: form-data; name=\"upload\"; filename=\"b.txt\"",
                            "Content-Type: text/plain",
                            "",
                            "{x}",
                            boundary + "--",
                            ""));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --form a             | --form a: expected name=value or name=@FILE
                    --form a=<b          | --form a=<b: expected name=@FILE
                    --form a=@nowhere    | --form nowhere: expected a readable file
                    --get / --form a=b   | --form needs --post, --put or --patch
                    --post / --body x --form a=b | --form cannot be combined with --body
                    """)
    void aFormThatCannotBeSentIsTold(String options, String message) {
        Cli plan = Cli.run((Object[]) ("plan http://127.0.0.1:9/ " + options).split(" "));
        assertThat(plan.err().strip()).isEqualTo(message);
        assertThat(plan.code()).isEqualTo(2);
    }
}
