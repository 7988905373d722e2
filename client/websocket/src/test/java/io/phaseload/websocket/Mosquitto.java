package io.phaseload.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Mosquitto of Debian's package, which logs each packet. Tests are skipped where it isn't installed. */
final class Mosquitto implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Path log;
    private final int tcp = free();
    private final int ws = free();
    private final int tls = free();
    private final Process process;

    /**
     * Starts it.
     *
     * @param folder gets its files
     * @param pem a certificate with its key
     * @param options lines of its configuration
     */
    Mosquitto(Path folder, String pem, String... options) throws IOException, InterruptedException {
        Path program = program("mosquitto");
        log = folder.resolve("log-" + tcp);
        Files.writeString(folder.resolve("server.pem"), pem);
        Path configuration = Files.writeString(
                folder.resolve("mosquitto-" + tcp),
                String.join("\n", options)
                        + """

                        user root
                        log_type all
                        log_dest stderr
                        listener %d 127.0.0.1
                        listener %d 127.0.0.1
                        protocol websockets
                        listener %d 127.0.0.1
                        certfile %s
                        keyfile %<s
                        """
                                .formatted(tcp, ws, tls, folder.resolve("server.pem")));
        process = new ProcessBuilder(program.toString(), "-c", configuration.toString())
                .redirectError(log.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (int port : new int[] {tcp, ws, tls}) {
            awaitListening(port);
        }
    }

    /** A file of users with one user. */
    static Path users(Path folder, String name, String password) throws IOException, InterruptedException {
        Path users = folder.resolve("users");
        Process made = new ProcessBuilder(
                        program("mosquitto_passwd").toString(), "-b", "-c", users.toString(), name, password)
                .redirectErrorStream(true)
                .start();
        assertThat(new String(made.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        return users;
    }

    private static Path program(String name) {
        Optional<Path> program = Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/opt/homebrew/sbin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeThat(program).as(name + " is installed").isPresent();
        return program.get();
    }

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitListening(int port) throws IOException, InterruptedException {
        long limit = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException notYet) {
                assertThat(process.isAlive() && System.nanoTime() < limit)
                        .as(Files.readString(log))
                        .isTrue();
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
    }

    /** Its address for pairs: by TCP, TLS or WebSocket. */
    URI uri(String scheme, String topic) {
        int port =
                switch (scheme) {
                    case "mqtt" -> tcp;
                    case "mqtts" -> tls;
                    default -> ws;
                };
        return URI.create(scheme + "://127.0.0.1:" + port + "/" + topic.replace("{pair}", "%7Bpair%7D"));
    }

    /** How many lines of its log have a match, once it has noticed that all clients have gone. */
    long logged(String expression) throws IOException, InterruptedException {
        long limit = System.nanoTime() + PATIENCE_NANOS;
        while (loggedSoFar("New client connected from")
                != loggedSoFar("Client pl.*(disconnected|closed its connection)")) {
            assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(limit);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return loggedSoFar(expression);
    }

    /** How many lines of its log have a match by now. */
    long loggedSoFar(String expression) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(Pattern.compile(expression).asPredicate())
                .count();
    }

    /** Ends it at once, without a word to its clients. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
