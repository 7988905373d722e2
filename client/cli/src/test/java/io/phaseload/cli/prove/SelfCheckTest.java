package io.phaseload.cli.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.result.SelfProof;
import io.phaseload.result.SelfProof.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code phaseload prove}. */
@Tag("slow")
class SelfCheckTest {

    private static final String LINE = "127.0.0.1 - - [20/Nov/2026:12:00:%02d +0000] \"%s / HTTP/1.1\" 200 3\n";

    /** Times can only be longer than they were: this machine may be busy. */
    @Test
    void countsAndTheFreezeAreFound() throws IOException {
        SelfProof proof = SelfCheck.run(200, Duration.ofSeconds(2));
        Map<String, Check> checks =
                proof.checks().stream().collect(Collectors.toMap(Check::figure, Function.identity()));

        assertThat(checks.get("requests").client()).isPositive();
        assertThat(checks.get("requests").passed()).isTrue();
        assertThat(checks.get("requests at a rate"))
                .returns(400.0, Check::target)
                .returns(400.0, Check::client);
        assertThat(checks.get("p50 (ms)").target()).isGreaterThanOrEqualTo(10);
        assertThat(checks.get("p50 (ms)").client()).isGreaterThanOrEqualTo(10);
        assertThat(checks.get("p95 (ms)").client()).isGreaterThanOrEqualTo(60);
        assertThat(checks.get("freeze (ms)").target()).isGreaterThan(450);
        assertThat(checks.get("freeze (ms)").client()).isGreaterThan(450);
    }

    @Test
    void aStoredRunIsComparedWithACopyOfTheLog(@TempDir Path folder) throws IOException {
        Path run = MadeUpRun.ofPeak().lasting(2).requests(100).write(folder.resolve("run"));
        StringBuilder lines = new StringBuilder(LINE.formatted(0, "GET").replace("12:00", "11:00"));
        for (int i = 0; i < 200; i++) {
            lines.append(LINE.formatted(i / 100, "GET")).append(LINE.formatted(i / 100, "POST"));
        }
        Path log = Files.writeString(folder.resolve("access.log"), lines);
        Cli all = Cli.run("prove", run, log);
        assertThat(all.out()).isEqualTo("Server's log: 400 of 400, none unexplained.\n");
        assertThat(all.code()).isZero();

        Files.writeString(
                log,
                lines.substring(0, lines.length() - LINE.formatted(1, "POST").length()));
        Cli missing = Cli.run("prove", run, log);
        assertThat(missing.out())
                .startsWith("Server's log: 399 of 400, 1 unexplained.\n  POST /, 200: client 200, log 199");
        assertThat(missing.code()).isEqualTo(ExitCode.INVALID);
    }

    @Test
    void wrongWordsAreAMistake(@TempDir Path folder) {
        assertThat(Cli.run("prove").err()).isEqualTo("prove: expected --self, or a results folder and an access log\n");
        assertThat(Cli.run("prove", folder).code()).isEqualTo(ExitCode.USAGE);
        assertThat(Cli.run("prove", "--self", folder).code()).isEqualTo(ExitCode.USAGE);
    }
}
