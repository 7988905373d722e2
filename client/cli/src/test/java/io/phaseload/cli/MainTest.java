package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.command.Help;
import io.phaseload.cli.run.RunOptions;
import io.phaseload.result.Environment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MainTest {

    private static final String COMMANDS =
            "expected run, plan, doctor, sweep, describe, report, merge, compare, explain, agent,"
                    + " clock, serve, help, version";

    @Test
    void runIsTheDefaultCommand(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        try (RecordingServer server = RecordingServer.start()) {
            Cli implied = Cli.run("--url", server.url(), "-c", 1, "-n", 1, "-o", out, "--quiet");
            assertThat(implied.code()).isZero();
            assertThat(server.received()).hasSize(4);
            Path other = folder.resolve("other");
            Cli named = Cli.run("run", "--url", server.url(), "-c", 1, "-n", 1, "-o", other, "--quiet");
            assertThat(named.code()).isZero();
            assertThat(server.received()).hasSize(8);
        }
        assertThat(Cli.run("--help")).isEqualTo(Cli.run("run", "--help"));
    }

    @Test
    void anAddressNeedsNoCommandAndNoOption(@TempDir Path folder) {
        try (RecordingServer server = RecordingServer.start()) {
            Object[] options = {"-c", 1, "-n", 1, "--phases", "peak=1", "--get", "/", "--quiet"};
            for (String before : List.of("", "run ")) {
                List<Object> line = new ArrayList<>(List.of((before + server.url()).split(" ")));
                line.addAll(List.of(options));
                line.addAll(List.of("-o", folder.resolve("first" + before.length())));
                assertThat(Cli.run(line.toArray()).code()).isZero();
            }
            List<Object> last = new ArrayList<>(List.of(options));
            last.addAll(List.of("-o", folder.resolve("last"), server.url()));
            assertThat(Cli.run(last.toArray()).code()).isZero();
            assertThat(server.received()).hasSize(3);
        }
    }

    @Test
    void anAddressWithoutItsSchemeIsNamed() {
        assertThat(Cli.run("localhost:8080/a", "-c", 1).err().strip())
                .isEqualTo("localhost:8080/a: no such command, did you mean http://localhost:8080/a?");
        assertThat(Cli.run("run", "shop.example/a").err().strip())
                .isEqualTo("shop.example/a: expected an address such as http://shop.example/a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --help", "help run", "--help"})
    void helpOfRunIsItsText(String line) {
        assertThat(Cli.run((Object[]) line.split(" "))).isEqualTo(new Cli(0, Help.full(RunOptions.HELP), ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "sweep"})
    void theBriefHelpIsAPartOfTheWhole(String command) {
        Cli brief = Cli.run(command, "-h");
        Cli whole = Cli.run(command, "--help");
        assertThat(brief.code()).isZero();
        assertThat(brief.outLines()).hasSizeLessThan(whole.outLines().size() * 2 / 3);
        assertThat(brief.outLines().subList(0, brief.outLines().size() - 1))
                .isSubsetOf(whole.outLines())
                .anyMatch(line -> line.startsWith("  -c, --threads "));
        assertThat(brief.out()).endsWith("phaseload " + command + " --help lists all options.\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "plan",
                "doctor",
                "sweep",
                "describe",
                "report",
                "merge",
                "compare",
                "agent",
                "clock",
                "explain",
                "serve"
            })
    void helpFits80Columns(String command) {
        Cli help = Cli.run((Object[]) ("help " + command).strip().split(" "));
        assertThat(help.code()).isZero();
        assertThat(help.outLines()).hasSizeGreaterThan(5).allSatisfy(line -> assertThat(line)
                .hasSizeLessThanOrEqualTo(80));
        assertThat(help.err()).isEmpty();
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
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "run --version", "-V", "run -V", "sweep -V"})
    void tellsItsVersion(String line) {
        Cli version = Cli.run((Object[]) line.split(" "));
        assertThat(version.code()).isZero();
        assertThat(version.out()).isEqualTo("phaseload " + Environment.currentVersion() + System.lineSeparator());
        assertThat(version.err()).isEmpty();
    }

    @Test
    void anUnknownCommandIsOneLineAndExitCode2() {
        assertThat(Cli.run("runn", "--threads", "5")).isEqualTo(usage("runn: no such command, did you mean run?"));
        assertThat(Cli.run("help", "sweeps")).isEqualTo(usage("sweeps: no such command, did you mean sweep?"));
        assertThat(Cli.run("resultfolder")).isEqualTo(usage("resultfolder: no such command, " + COMMANDS));
        assertThat(Cli.run("")).isEqualTo(usage(": no such command, " + COMMANDS));
        assertThat(Cli.run("a\nbcd")).isEqualTo(usage("a?bcd: no such command, " + COMMANDS));
    }

    @Test
    void jsonIsUtf8WhateverTheStreamsEncoding(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (RecordingServer server = RecordingServer.start()) {
            String[] line = {
                "--url",
                server.url().toString(),
                "-c",
                "1",
                "-n",
                "1",
                "--out",
                out.toString(),
                "--json",
                "--quiet",
                "--label",
                "city=Zürich"
            };
            int code = Main.run(
                    line,
                    new PrintStream(bytes, false, StandardCharsets.US_ASCII),
                    new PrintStream(new ByteArrayOutputStream()));
            assertThat(code).isZero();
        }
        JsonNode printed = Cli.json(bytes.toString(StandardCharsets.UTF_8));
        assertThat(printed.at("/plan/labels/city").asString()).isEqualTo("Zürich");
        assertThat(printed).isEqualTo(Cli.json(Files.readString(out.resolve("result.json"))));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
