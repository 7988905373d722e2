package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.Environment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private static final String COMMANDS =
            "expected run, plan, sweep, describe, report, merge, compare or serve";

    @Test
    void runIsTheDefaultCommand(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        try (RecordingServer server = RecordingServer.start()) {
            Cli implied = Cli.run("--url", server.url(), "-c", 1, "-n", 1, "-o", out, "--quiet");
            assertThat(implied.code()).isZero();
            assertThat(server.received()).hasSize(4);
            Path other = folder.resolve("other");
            Cli named =
                    Cli.run("run", "--url", server.url(), "-c", 1, "-n", 1, "-o", other, "--quiet");
            assertThat(named.code()).isZero();
            assertThat(server.received()).hasSize(8);
        }
        assertThat(Cli.run("--help")).isEqualTo(Cli.run("run", "--help"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h"})
    void helpOfRunIsItsText(String option) {
        assertThat(Cli.run("run", option)).isEqualTo(new Cli(0, RunOptions.HELP, ""));
    }

    @Test
    void serveIsTheServersCommand() {
        Cli help = Cli.run("serve", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).startsWith("Serves the Phaseload target").contains("--port N");
        assertThat(help.err()).isEmpty();
        Cli wrong = Cli.run("serve", "--port", "x");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).startsWith("--port x: expected ").hasLineCount(1);
    }

    @Test
    void helpNamesTheCommands() {
        Cli help = Cli.run("help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .startsWith("Phaseload: ")
                .contains(
                        "Usage: phaseload [command] [options]",
                        "\n  run  ",
                        "\n  report  ",
                        "\n  compare  ",
                        "\n  serve  ");
        assertThat(help.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "run --version"})
    void tellsItsVersion(String line) {
        Cli version = Cli.run((Object[]) line.split(" "));
        assertThat(version.code()).isZero();
        assertThat(version.out())
                .isEqualTo("phaseload " + Environment.currentVersion() + System.lineSeparator());
        assertThat(version.err()).isEmpty();
    }

    @Test
    void anUnknownCommandIsOneLineAndExitCode2() {
        assertThat(Cli.run("rum", "--threads", "5"))
                .isEqualTo(usage("rum: no such command, " + COMMANDS));
        assertThat(Cli.run("")).isEqualTo(usage(": no such command, " + COMMANDS));
        assertThat(Cli.run("a\nb")).isEqualTo(usage("a?b: no such command, " + COMMANDS));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
