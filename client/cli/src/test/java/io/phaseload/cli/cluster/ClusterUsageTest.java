package io.phaseload.cli.cluster;

import static io.phaseload.cli.Usage.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Usage;
import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.GeneralOptions.Color;
import io.phaseload.cluster.network.UnansweredException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a command line about agents. */
class ClusterUsageTest {

    private static final String NUMBER = ": expected a number of 1 to 1000, named:NAMES, local:3 or ssh:HOSTS";

    private static final String NAMES = ": expected names of agents such as named:berlin,paris";

    @TempDir
    private Path folder;

    static Stream<Arguments> runs() {
        return Stream.of(
                wrong("--agents 0" + NUMBER, "--agents", "0"),
                wrong("--agents three" + NUMBER, "--agents", "three"),
                wrong("--agents local:" + NUMBER, "--agents", "local:"),
                wrong("--agents named:" + NAMES, "--agents", "named:"),
                wrong("--agents named:berlin," + NAMES, "--agents", "named:berlin,"),
                wrong("--agents named:ber/lin" + NAMES, "--agents", "named:ber/lin"),
                wrong("--agents named:coordinator" + NAMES, "--agents", "named:coordinator"),
                wrong(
                        "--agents named:berlin,paris,berlin: expected different names, and berlin is" + " there twice",
                        "--agents",
                        "named:berlin,paris,berlin"),
                wrong("--listen 127.0.0.1:1 needs --agents", "--listen", "127.0.0.1:1"),
                wrong("--agents-timeout 5s needs --agents", "--agents-timeout", "5s"),
                wrong("--on-agent-loss abort needs --agents", "--on-agent-loss", "abort"),
                wrong("--cluster-tunnel needs --agents", "--cluster-tunnel"),
                wrong(
                        "--agents local:2 cannot be combined with --listen 127.0.0.1:7800: it takes a"
                                + " free port and a secret of its own",
                        "--agents",
                        "local:2",
                        "--listen",
                        "127.0.0.1:7800"),
                wrong(
                        "--agents ssh:a,-oProxyCommand=x: expected hosts such as ssh:load-1,me@load-2",
                        "--agents",
                        "ssh:a,-oProxyCommand=x"),
                wrong(
                        "expected --cluster-secret-file FILE, or the variable"
                                + " PHASELOAD_CLUSTER_SECRET: nobody joins without a secret",
                        "--agents",
                        "2"),
                wrong(
                        "--listen 7800: expected an address and a port, such as 10.0.0.5:7800",
                        "--agents",
                        "2",
                        "--listen",
                        "7800"),
                wrong(
                        "--on-agent-loss wait: expected continue or abort",
                        "--agents",
                        "local:2",
                        "--on-agent-loss",
                        "wait"),
                wrong(
                        "--part 1/2 cannot be combined with --agents local:2, which deals the whole" + " plan",
                        "--agents",
                        "local:2",
                        "--part",
                        "1/2"),
                wrong(
                        "--until-decided cannot be combined with --agents local:2, whose phases end as planned",
                        "--agents",
                        "local:2",
                        "--duration",
                        "5s",
                        "--threshold",
                        "p99 < 1s",
                        "--until-decided",
                        "1m"),
                wrong(
                        "--agents local:3 needs --threads 3: expected a user or more for each agent",
                        "--agents",
                        "local:3",
                        "--threads",
                        "2"));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aRunIsRefused(String message, List<String> line) {
        Usage.assertRefused(message, line, folder.resolve("out"));
    }

    static Stream<Arguments> agents() {
        return Stream.of(
                wrong("agent: expected --coordinator HOST:PORT"),
                wrong(
                        "--coordinator here: expected an address and a port, such as 10.0.0.5:7800",
                        "--coordinator",
                        "here"),
                wrong(
                        "--bind 192.0.2.1: expected an address of this machine",
                        "--coordinator",
                        "127.0.0.1:1",
                        "--bind",
                        "192.0.2.1"),
                wrong(
                        "--agent-weight 0: expected a whole number of 1 to 1000",
                        "--coordinator",
                        "127.0.0.1:1",
                        "--agent-weight",
                        "0"),
                wrong(
                        "--on-coordinator-loss wait: expected stop or finish",
                        "--coordinator",
                        "127.0.0.1:1",
                        "--on-coordinator-loss",
                        "wait"),
                wrong(
                        "--cluster-secret-file nowhere: expected a file with a secret",
                        "--coordinator",
                        "127.0.0.1:1",
                        "--cluster-secret-file",
                        "nowhere"));
    }

    static Stream<Arguments> clocks() {
        return Stream.of(
                wrong("clock: expected --agents N"),
                wrong(
                        "--every 1ms: expected a time of 10ms or more, such as 1s",
                        "--agents",
                        "local:2",
                        "--every",
                        "1ms"),
                wrong("--on-agent-loss abort: clock sends no load", "--agents", "local:2", "--on-agent-loss", "abort"));
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void aClockIsRefused(String message, List<String> line) {
        Stream<String> all = Stream.concat(Stream.of("clock"), line.stream());
        assertThat(Cli.run(all.toArray())).isEqualTo(Usage.usage(message));
    }

    @ParameterizedTest
    @MethodSource("agents")
    void anAgentIsRefused(String message, List<String> line) {
        Stream<String> all = Stream.concat(Stream.of("agent"), line.stream());
        assertThat(Cli.run(all.toArray())).isEqualTo(Usage.usage(message));
    }

    /** Other options wouldn't help an agent that couldn't even ask. */
    @Test
    void onlyAnAgentThatNoCoordinatorAnswersGetsAdvice() {
        assertThat(AgentCommand.reasonAndAdvice(new UnansweredException()))
                .isEqualTo("no coordinator answers. Use --cluster-tunnel on both or on neither, and keys"
                        + " of one --init");
        assertThat(AgentCommand.reasonAndAdvice(new IOException("no such network")))
                .isEqualTo("no such network");
    }

    static Stream<Arguments> servers() {
        return Stream.of(
                wrong("--join 127.0.0.1:1 needs --cluster", "--join", "127.0.0.1:1"),
                wrong("--cluster-keys x needs --cluster", "--cluster-keys", "x"),
                wrong("--cluster 7900: expected an address and a port, such as 10.0.0.5:7800", "--cluster", "7900"),
                wrong(
                        "--join x: expected an address and a port, such as 10.0.0.5:7800",
                        "--cluster",
                        "127.0.0.1:0",
                        "--join",
                        "127.0.0.1:1,x"),
                wrong("--prot: no such option, did you mean --port?", "--prot", "1"));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aNodeIsRefused(String message, List<String> line) {
        Stream<String> all = Stream.concat(Stream.of("serve"), line.stream());
        assertThat(Cli.run(all.toArray())).isEqualTo(Usage.usage(message));
    }

    @Test
    void aSecretHasALength() throws Exception {
        Path file = Files.writeString(folder.resolve("short"), "too short\n");

        Cli agent = Cli.run("agent", "--coordinator", "127.0.0.1:1", "--cluster-secret-file", file);

        assertThat(agent)
                .isEqualTo(
                        Usage.usage("--cluster-secret-file " + file + ": expected a secret of 16 characters or more"));
    }

    @Test
    void keysAreMadeOnceAndGoWithTheirSecret() throws Exception {
        Path keys = folder.resolve("keys");

        Cli made = Cli.run("agent", "--init", keys);

        assertThat(made.code()).isZero();
        assertThat(keys).isDirectoryContaining("glob:**/secret");
        assertThat(keys.toFile().list()).containsExactlyInAnyOrder("secret", "coordinator.p12", "agent.p12");
        assertThat(Cli.run("agent", "--init", keys))
                .isEqualTo(Usage.usage("--init %s: %s exists already".formatted(keys, keys.resolve("secret"))));
        Path other = Files.writeString(folder.resolve("other"), "a secret of the tests\n");
        assertThat(Cli.run(
                        "agent",
                        "--coordinator",
                        "127.0.0.1:1",
                        "--cluster-secret-file",
                        other,
                        "--cluster-keys",
                        keys.resolve("agent.p12")))
                .isEqualTo(
                        Usage.usage("--cluster-keys %s: expected keys of the same phaseload agent --init as the secret"
                                .formatted(keys.resolve("agent.p12"))));
    }

    @Test
    void aPlanNeedsNone() {
        assertThat(Cli.run("plan", "--url", "http://127.0.0.1/", "--agents", 2))
                .isEqualTo(Usage.usage("--agents 2: plan runs nothing, so it needs none"));
    }

    /** Nobody comes: one line says so, and no run is left. */
    @ParameterizedTest
    @CsvSource({"2, 2 of 2 agents", "'named:berlin,paris', 'berlin, paris'"})
    void whoIsMissingIsNamed(String agents, String missing) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the tests\n");

        Cli run = Cli.run(
                "run",
                "--url",
                "http://127.0.0.1:1/",
                "--agents",
                agents,
                "--listen",
                "127.0.0.1:0",
                "--agents-timeout",
                "100ms",
                "--cluster-secret-file",
                secret,
                "--out",
                folder.resolve("out"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("phaseload: --agents %s: after 0 s, still missing: %s\n".formatted(agents, missing));
        assertThat(folder.resolve("out/result.json")).doesNotExist();
    }

    /** It waits for a coordinator that never comes, otherwise. */
    @Test
    @Timeout(30)
    void anAgentEndsWithItsInput() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of the tests\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);

        int code = new CliCommand("agent", new AgentCommand())
                .run(
                        new Console(InputStream.nullInputStream(), printed, printed, Color.AUTO),
                        "--coordinator",
                        "127.0.0.1:1",
                        "--name",
                        "one",
                        "--cluster-secret-file",
                        secret.toString(),
                        "--until-input-ends");

        assertThat(code).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Agent one waits for a coordinator at 127.0.0.1:1.");
    }
}
