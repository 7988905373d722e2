package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.options.OptionParser;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kohsuke.args4j.Option;

class ServerMainTest {

    private static final String SERVING = "Serving on ";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ServerMain.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            --prot 1             | --prot: no such option, did you mean --port?
            --port x             | --port x: expected a whole number of 0 or more, such as 100 or 10k
            --port 65536         | --port 65536: expected at most 65535
            --max-threads 10001  | --max-threads 10001: expected at most 10000
            --accept-count 1m    | --accept-count 1000000: expected at most 65535
            --max-connections 2m | --max-connections 2000000: expected at most 1000000
            --max-body 2g        | --max-body 2147483648: expected at most 1073741824
            --max-item 2g        | --max-item 2147483648: expected at most 1073741824
            --max-items 11m      | --max-items 11000000: expected at most 10000000
            --drain-timeout 2h   | --drain-timeout 7200s: expected at most 1h
            --address=           | --address: expected an address or host name
            """)
    void aWrongCommandLineIsOneLineAndExitCode2(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err).hasToString(message + System.lineSeparator());
        assertThat(out.size()).isZero();
    }

    @Test
    void virtualThreadsOnAnOldJavaAreAUsageError() {
        int java = Runtime.version().feature();
        assumeThat(java).as("this Java has virtual threads").isLessThan(21);
        assertThat(run("--virtual")).isEqualTo(2);
        assertThat(err).hasToString("--virtual: needs Java 21 or newer, this is Java " + java + System.lineSeparator());
    }

    @Test
    void aPortInUseIsOneLineAndExitCode1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(run("--port", port)).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("--port " + port + ": can't listen on 127.0.0.1 port " + port)
                    .hasLineCount(1);
            assertThat(out.size()).isZero();
        }
    }

    @Test
    void anUnknownHostIsOneLineAndExitCode1() {
        assertThat(run("--port=0", "--address", "no-such-host.invalid")).isEqualTo(1);
        assertThat(err).hasToString("--address no-such-host.invalid: unknown host" + System.lineSeparator());
    }

    @Test
    void helpListsEveryOptionWithItsDefault() throws Exception {
        assertThat(run("--help", "--port", "0")).isZero();
        String help = out.toString(StandardCharsets.UTF_8);
        for (var field : ServerOptions.class.getDeclaredFields()) {
            Option option = field.getAnnotation(Option.class);
            if (option != null) {
                assertThat(help).contains("  " + option.name() + " ");
            }
        }
        ServerSettings defaults = ServerSettings.defaults();
        assertThat(help)
                .contains("(" + defaults.port() + ")", "(" + defaults.acceptCount() + ")")
                .contains("(" + defaults.maxThreads() + ")", "(" + defaults.maxConnections() + ")")
                .contains("(" + defaults.maxItems() + ")", "(" + defaults.address() + ")")
                .contains("(" + defaults.drainTimeout().toSeconds() + "s)");
        assertThat(err.size()).isZero();
    }

    @Test
    void theOptionsBecomeTheSettings() throws Exception {
        ServerOptions options = new ServerOptions();
        new OptionParser(options, name -> null, name -> null)
                .parse(("--port 1 --address ::1 --accept-count 3 --max-connections 4k --max-threads 5"
                                + " --max-body 6k --max-items 7 --max-item 8"
                                + " --drain-timeout 0s")
                        .split(" "));
        assertThat(options.toSettings())
                .isEqualTo(ServerSettings.builder()
                        .port(1)
                        .address("::1")
                        .acceptCount(3)
                        .maxConnections(4000)
                        .maxThreads(5)
                        .maxBodyBytes(6 << 10)
                        .maxItems(7)
                        .maxItemBytes(8)
                        .drainTimeout(Duration.ZERO)
                        .build());
        assertThat(new ServerOptions().toSettings()).isEqualTo(ServerSettings.defaults());
    }

    @Test
    void anInterruptStopsTheServer() throws Exception {
        int[] code = {-1};
        Thread thread = new Thread(() -> code[0] = run("--port", "0"), "serving");
        thread.start();
        long deadline = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!out.toString(StandardCharsets.UTF_8).endsWith("/" + System.lineSeparator())) {
            assertThat(System.nanoTime() - deadline).isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
        thread.interrupt();
        thread.join(TestClient.PATIENCE.toMillis());
        assertThat(code[0]).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
                .satisfiesExactly(line -> assertThat(line).startsWith(SERVING), line -> assertThat(line)
                        .isEqualTo("Served 0 requests."));
        assertThat(err.size()).isZero();
    }

    @Test
    void aProcessServesUntilItIsTerminated(@TempDir Path directory) throws Exception {
        assumeThat(File.separatorChar).as("Windows has no SIGTERM").isEqualTo('/');
        Path tmp = Files.createDirectory(directory.resolve("tmp"));
        File errors = directory.resolve("stderr").toFile();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + tmp,
                        // A property, as good as an option.
                        "-Dport=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName())
                .redirectError(errors)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            Matcher line = Pattern.compile(SERVING + "(http://127\\.0\\.0\\.1:[1-9][0-9]*/)")
                    .matcher(lines.readLine());
            assertThat(line.matches()).isTrue();
            TestClient client = new TestClient(URI.create(line.group(1)));
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").body()).isEqualTo("alive");
            }
            // Not Process.destroy(), which closes the streams too.
            process.toHandle().destroy();
            assertThat(lines.readLine()).isEqualTo("Served 3 requests.");
            assertThat(lines.readLine()).isNull();
            assertThat(process.waitFor(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
            assertThat(errors).isEmpty();
            assertThat(tmp).isEmptyDirectory();
        } finally {
            process.destroyForcibly();
        }
    }
}
