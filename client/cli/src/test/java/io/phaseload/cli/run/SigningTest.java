package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SigningTest {

    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final Map<String, String> KEYS = Map.of(
            "aws.accessKeyId", "AKIDEXAMPLE",
            "aws.secretAccessKey", SECRET,
            "aws.sessionToken", "TOKENEXAMPLE");

    @RegisterExtension
    private final RecordingServer server = RecordingServer.start();

    @TempDir
    private Path folder;

    @Test
    void everyRequestIsSignedAndNoFileAndNoOutputHasASecret() {
        Path out = folder.resolve("out");

        Cli done = Cli.runWith(
                KEYS,
                "run",
                "--url",
                server.url(),
                "-c",
                2,
                "-n",
                3,
                "-o",
                out,
                "--aws-sigv4",
                "aws:amz:eu-west-1:lambda");

        assertThat(done.code()).as(done.err()).isZero();
        assertThat(server.received())
                .hasSizeGreaterThan(6)
                .allSatisfy(request -> assertThat(request.headers().getFirst("Authorization"))
                        .startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
                        .contains("/eu-west-1/lambda/aws4_request"))
                .allSatisfy(request -> assertThat(request.headers().getFirst("X-Amz-Security-Token"))
                        .isEqualTo("TOKENEXAMPLE"));
        String signature =
                server.received().get(0).headers().getFirst("Authorization").split("Signature=")[1];
        assertThat(written(out))
                .contains("\"signed\" : \"aws-sigv4 (lambda, eu-west-1)\"")
                .doesNotContain(SECRET, "AKIDEXAMPLE", "TOKENEXAMPLE", signature);
        assertThat(done.out() + done.err()).doesNotContain(SECRET, "AKIDEXAMPLE", "TOKENEXAMPLE");
    }

    @Test
    void aRunThatWasSignedIsRepeatedWithASignatureOnly() {
        Path out = folder.resolve("out");
        String url = server.url().toString();
        Cli.runWith(KEYS, "run", "--url", url, "-c", 1, "-n", 1, "-o", out, "--aws-sigv4", "aws:amz:eu-west-1:lambda");
        int before = server.received().size();

        Cli unsigned = Cli.run("run", "--plan", out, "-o", folder.resolve("unsigned"));
        assertThat(unsigned.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unsigned.err())
                .startsWith("--plan " + out + ": line ")
                .contains(": its requests were signed: sign them with --aws-sigv4");
        assertThat(server.received()).hasSize(before);

        Cli signed = Cli.runWith(
                KEYS, "run", "--plan", out, "-o", folder.resolve("signed"), "--aws-sigv4", "aws:amz:eu-west-1:lambda");
        assertThat(signed.code()).as(signed.err()).isZero();
        assertThat(server.received()).hasSize(2 * before).allMatch(request -> request.headers()
                .containsKey("Authorization"));
    }

    @Test
    void whatIsWrongIsOneLineAndNothingIsSent() {
        Map.of(
                        List.of("--aws-sigv4", "aws:amz"),
                        "--aws-sigv4 aws:amz: expected aws:amz:region:service, since the host"
                                + " 127.0.0.1 doesn't name them",
                        List.of("--aws-sigv4", "lambda"),
                        "--aws-sigv4 lambda: expected aws:amz[:region[:service]]")
                .forEach((options, message) -> {
                    Cli done = Cli.runWith(KEYS, "run", "--url", server.url(), options.get(0), options.get(1));
                    assertThat(done.code()).isEqualTo(ExitCode.USAGE);
                    assertThat(done.err()).isEqualToIgnoringNewLines(message);
                });
        Cli local = Cli.run("run", "--aws-sigv4", "aws:amz");
        assertThat(local.code()).isEqualTo(ExitCode.USAGE);
        assertThat(local.err()).isEqualToIgnoringNewLines("--aws-sigv4 aws:amz needs --url");
        assertThat(server.received()).isEmpty();
    }

    private static String written(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
