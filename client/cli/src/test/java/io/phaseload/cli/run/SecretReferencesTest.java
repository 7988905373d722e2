package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that the command line names the place of. */
class SecretReferencesTest {

    private static final String SECRET = "hunter2-hunter2";

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Cli run(String... options) {
        List<Object> line = new ArrayList<>(
                List.of("run", "--url", server.url(), "--phases", "peak=1", "-c", 1, "-n", 1, "--out", out()));
        line.addAll(List.of(options));
        return Cli.run(line.toArray());
    }

    private Path out() {
        return folder.resolve("out");
    }

    private String received(String header) {
        return server.received().get(0).headers().getFirst(header);
    }

    /** In none of the files, and not printed. */
    private void assertKeptOut(Cli run) throws IOException {
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
        try (Stream<Path> files = Files.walk(out())) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty().allSatisfy(file -> assertThat(
                            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .doesNotContain(SECRET));
        }
    }

    @Test
    void headersAreReadFromAFile() throws Exception {
        Path file = Files.writeString(
                folder.resolve("headers"), "Authorization: Bearer " + SECRET + "\n\nX-Api-Key: " + SECRET + "\n");
        assertKeptOut(run("-H", "@" + file, "-H", "X-Tenant: a"));
        assertThat(received("Authorization")).isEqualTo("Bearer " + SECRET);
        assertThat(received("X-Api-Key")).isEqualTo(SECRET);
        assertThat(received("X-Tenant")).isEqualTo("a");
    }

    @Test
    void standardInputIsReadOnce() throws Exception {
        String header = "Authorization: Bearer " + SECRET + "\n";
        assertKeptOut(Cli.withInput(header, () -> run("-H", "-")));
        assertThat(received("Authorization")).isEqualTo("Bearer " + SECRET);
        assertThat(Cli.withInput(header, () -> run("-H", "-", "--post", "/", "--body", "@-"))
                        .err())
                .contains("cannot be combined with");
    }

    @Test
    void aVariableIsRead() {
        // A variable that is set wherever tests run.
        assertThat(Cli.run(
                                "plan",
                                "--json",
                                "--url",
                                "http://h/",
                                "--client",
                                "httpclient",
                                "--bearer-token",
                                "env:PATH")
                        .out())
                .contains("bearerToken")
                .doesNotContain(System.getenv("PATH"));
    }

    @Test
    void aReferenceThatLeadsNowhereIsNamed() throws Exception {
        Path two = Files.writeString(folder.resolve("two"), "a\nb\n");
        Path bare = Files.writeString(folder.resolve("bare"), SECRET);
        Path tenant = Files.writeString(folder.resolve("tenant"), "X-Tenant: " + SECRET);
        assertThat(run("--credentials", "env:PHASELOAD_NO_SUCH"))
                .isEqualTo(Usage.usage("--credentials env:PHASELOAD_NO_SUCH: expected a variable that is set"));
        assertThat(run("--bearer-token", "@nowhere"))
                .isEqualTo(Usage.usage("--bearer-token @nowhere: expected a readable file"));
        assertThat(run("--bearer-token=@" + two))
                .isEqualTo(Usage.usage("--bearer-token @" + two + ": expected one line"));
        assertThat(run("-H", "@" + bare)).isEqualTo(Usage.usage("-H @" + bare + ": expected 'Name: value'"));
        assertThat(run("-H", "@" + tenant))
                .isEqualTo(Usage.usage("-H @" + tenant + ": X-Tenant isn't the name of a secret, such as Authorization"
                        + " or X-Api-Key: use -H 'X-Tenant: …'"));
        assertThat(out()).doesNotExist();
    }
}
