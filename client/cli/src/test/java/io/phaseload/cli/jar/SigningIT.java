package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without an environment, a home and an instance there are no credentials. */
class SigningIT {

    private static final String HOST = "abc.lambda-url.eu-west-1.on.aws";

    @Test
    void withoutCredentialsNothingIsStarted(@TempDir Path folder) throws Exception {
        Cli done = run(folder, List.of("env", "-i", "AWS_EC2_METADATA_DISABLED=true"));

        assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.USAGE);
        assertThat(done.out()).isEmpty();
        assertThat(done.err())
                .isEqualToIgnoringNewLines("--aws-sigv4 aws:amz: expected AWS credentials: AWS_ACCESS_KEY_ID and"
                        + " AWS_SECRET_ACCESS_KEY, a profile with keys, or a role");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void aProfileIsFoundAndTheLibrarySaysNothing(@TempDir Path folder) throws Exception {
        Path profiles = folder.resolve("credentials");
        Files.writeString(profiles, "[load]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = SECRETEXAMPLE\n");

        Cli done = run(
                folder,
                List.of(
                        "env",
                        "-i",
                        "AWS_EC2_METADATA_DISABLED=true",
                        "AWS_PROFILE=load",
                        "AWS_SHARED_CREDENTIALS_FILE=" + profiles));

        // The host doesn't exist: nothing completes, which is all that is wrong.
        assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        assertThat(done.err()).startsWith("4 requests: ").hasLineCount(1);
    }

    private static Cli run(Path folder, List<String> environment) throws IOException, InterruptedException {
        String line = "run -c 1 -n 1 --connect-timeout 1s --aws-sigv4 aws:amz --url https://" + HOST;
        try (JarProcess process = JarProcess.startUnder(folder, environment, "exec \"$@\"", line)) {
            return process.end();
        }
    }
}
