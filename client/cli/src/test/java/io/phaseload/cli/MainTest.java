package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.options.OptionSpec;
import io.phaseload.result.Environment;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MainTest {

    /** An option wherever it stands, also in prose; not a system property. */
    private static final Pattern MENTIONED = Pattern.compile("(?<![\\w-])(--[a-z][a-z0-9-]*|-[A-CE-Za-z])(?![\\w-])");

    private static final String COMMANDS =
            "expected run, plan, doctor, sweep, ab, capacity, soak, describe, report, merge, compare, history,"
                    + " repro, prove, audit, explain, agent, clock, serve, completion, man, help, version";

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
        assertThat(Cli.run("--help", "all")).isEqualTo(Cli.run("run", "--help", "all"));
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
    @ValueSource(strings = {"run --help", "help run", "run -h", "http://h/ --help"})
    void helpOfRunHasTheMostCommonOptions(String line) {
        assertThat(Cli.run((Object[]) line.split(" ")))
                .isEqualTo(new Cli(0, Command.RUN.help().brief(), ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --help all", "help run all", "run --help=all", "--help all"})
    void helpOfRunCanHaveAllOptions(String line) {
        assertThat(Cli.run((Object[]) line.split(" ")))
                .isEqualTo(new Cli(0, Command.RUN.help().all(), ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "sweep"})
    void theBriefHelpIsAPartOfTheWhole(String command) {
        Cli brief = Cli.run(command, "--help");
        Cli whole = Cli.run(command, "--help", "all");
        assertThat(brief.code()).isZero();
        assertThat(brief.outLines()).hasSizeLessThan(whole.outLines().size() * 2 / 3);
        assertThat(brief.outLines().subList(0, brief.outLines().size() - 1))
                .isSubsetOf(whole.outLines())
                .anyMatch(line -> line.startsWith("  -c, --threads "));
        assertThat(brief.out()).endsWith("phaseload " + command + " --help all lists all options.\n");
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    void helpFits80Columns(Command command) {
        Cli help = Cli.run(command, "--help", "all");
        assertThat(help).isEqualTo(Cli.run("help", command, "all"));
        assertThat(help.code()).isZero();
        assertThat(help.outLines()).hasSizeGreaterThan(5).allSatisfy(line -> assertThat(line)
                .hasSizeLessThanOrEqualTo(80));
        assertThat(help.err()).isEmpty();
    }

    /** Each option has a description, and each option that a text mentions exists. */
    @ParameterizedTest
    @EnumSource(Command.class)
    void helpDescribesEveryOptionAndMentionsNoOther(Command command) {
        assertThat(command.help().every().filter(option -> option.help().isBlank()))
                .isEmpty();
        Set<String> known = Stream.of(command, Command.RUN, Command.AGENT)
                .flatMap(of -> of.help().every())
                .flatMap(OptionSpec::names)
                .collect(Collectors.toSet());
        assertThat(MENTIONED.matcher(Cli.run("help", command, "all").out()).results())
                .allSatisfy(match -> assertThat(known).contains(match.group()));
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
                .endsWith("/issues\n")
                .contains(
                        "Usage: phaseload [command] [options]",
                        "\n  run  ",
                        "\n  report  ",
                        "\n  compare  ",
                        "\n  serve  ");
        assertThat(help.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(help.err()).isEmpty();
        assertThat(Cli.run("--help")).isEqualTo(help);
        assertThat(Cli.run("-h")).isEqualTo(help);
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "run --version", "-V", "run -V", "sweep -V", "explain --version"})
    void itsVersionHasTheJvmAndTheSystem(String line) {
        Cli version = Cli.run((Object[]) line.split(" "));
        assertThat(version.code()).isZero();
        assertThat(version.outLines())
                .containsExactly(
                        "phaseload " + Environment.currentVersion(),
                        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                        "%s %s (%s)"
                                .formatted(
                                        System.getProperty("os.name"),
                                        System.getProperty("os.version"),
                                        System.getProperty("os.arch")));
        assertThat(version.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version --json", "--version --json", "report --json --version"})
    void itsVersionCanBeJson(String line) {
        JsonNode version = Cli.run((Object[]) line.split(" ")).json();
        assertThat(version.at("/version").asString()).isEqualTo(Environment.currentVersion());
        assertThat(version.at("/javaVersion").asString()).isEqualTo(System.getProperty("java.version"));
        assertThat(version.propertyNames()).containsExactly("version", "commit", "javaVersion", "jvm", "os");
    }

    @Test
    void afterTwoHyphensThereAreNoOptions() {
        assertThat(Cli.run("report", "--", "-a").err()).startsWith("report -a: ");
        assertThat(Cli.run("plan", "--", "http://h/").code()).isZero();
        assertThat(Cli.run("plan", "--", "-c"))
                .isEqualTo(usage("-c: expected an address such as http://localhost:8080/"));
    }

    @Test
    void aWrongColorIsAMistake() {
        assertThat(Cli.run("plan", "--color", "red")).isEqualTo(usage("--color red: expected auto, always or never"));
        assertThat(Cli.run("plan", "--help", "me")).isEqualTo(usage("--help me: expected all, or no value"));
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
