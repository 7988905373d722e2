package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lambda's runtime interface emulator, which starts Lambda's runtime interface client, which calls the handler in the
 * deployment jar. It takes one event at a time.
 */
final class Emulator implements RequestStreamHandler, AutoCloseable {

    static final Path JAR = Path.of(System.getProperty("phaseload.lambda"));

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LOOPBACK = "127.0.0.1";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    private final Path log;
    private final Process process;

    private Emulator(Path program, Path folder) throws IOException {
        log = folder.resolve("emulator.log");
        port = freePort();
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--runtime-interface-emulator-address",
                LOOPBACK + ":" + port,
                "--runtime-api-address",
                LOOPBACK + ":" + freePort()));
        command.addAll(runtime());
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /** Starts it where it is installed; elsewhere the test is skipped. */
    static Emulator start(Path folder) throws Exception {
        Path program = cache().resolve("phaseload-lambda").resolve("aws-lambda-rie");
        assumeTrue(
                Files.isExecutable(program),
                () -> "no " + program + ", lambda/src/test/scripts/install-tools installs it");
        Emulator emulator = new Emulator(program, folder);
        try {
            emulator.awaitOpen();
            return emulator;
        } catch (Exception | AssertionError e) {
            emulator.close();
            throw e;
        }
    }

    /** The command that starts the runtime interface client with the handler. */
    static List<String> runtime() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(),
                "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
                Handler.class.getName());
    }

    private static Path cache() {
        String cache = System.getenv("XDG_CACHE_HOME");
        return cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    }

    /** The deployment jar and Lambda's own runtime, and nothing else of the tests' class path. */
    private static String classPath() {
        Stream<String> runtime = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*[/\\\\](amazon|amazonaws)[/\\\\].*"));
        return Stream.concat(Stream.of(JAR.toString()), runtime).collect(Collectors.joining(File.pathSeparator));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }

    private void awaitOpen() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                new Socket(LOOPBACK, port).close();
                return;
            } catch (ConnectException notYet) {
                assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).as(log()).isFalse();
                assertThat(deadline - System.nanoTime()).as(log()).isPositive();
            }
        }
    }

    /** Sends an event as it is and returns what the emulator answered. */
    byte[] invoke(byte[] event) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + LOOPBACK + ":" + port + "/2015-03-31/functions/function/invocations"))
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofByteArray(event))
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).as(log()).isEqualTo(200);
            return response.body();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        out.write(invoke(in.readAllBytes()));
    }

    private String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws Exception {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor();
    }
}
