package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The deployment jar on Lambda's runtime interface client, as SnapStart uses it. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the runtime interface client is for Linux")
class RestoreIT {

    @TempDir
    private Path folder;

    @Test
    void theFirstEventAfterARestoreIsMarked() throws Exception {
        byte[] event = Events.stored("minimal").getBytes(StandardCharsets.UTF_8);
        Path log = folder.resolve("log");
        try (RuntimeApi lambda = new RuntimeApi(Collections.nCopies(2, event))) {
            ProcessBuilder builder = new ProcessBuilder(Emulator.runtime())
                    .directory(folder.toFile())
                    .redirectErrorStream(true);
            builder.environment()
                    .putAll(Map.of(
                            "AWS_LAMBDA_RUNTIME_API",
                            lambda.address(),
                            "AWS_LAMBDA_INITIALIZATION_TYPE",
                            "snap-start"));
            Process runtime = builder.redirectOutput(log.toFile()).start();
            try {
                byte[] first = lambda.answers().poll(60, TimeUnit.SECONDS);
                assertThat(first).as(Files.readString(log)).isNotNull();
                byte[] second = lambda.answers().poll(60, TimeUnit.SECONDS);
                assertThat(second).as(Files.readString(log)).isNotNull();
                assertThat(Reply.of(first).start()).isEqualTo("restored; invocation=1");
                assertThat(Reply.of(second).start()).isEqualTo("warm; invocation=2");
                assertThat(lambda.calls()).startsWith("restore/next", "invocation/next");
                assertThat(Reply.of(first).instance()).isEqualTo("instance=" + RuntimeApi.REQUEST);
            } finally {
                runtime.destroyForcibly().waitFor();
            }
        }
    }
}
