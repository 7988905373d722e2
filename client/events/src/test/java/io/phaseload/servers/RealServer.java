package io.phaseload.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.http.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server as its Debian package installs it: a process of its own in a temporary folder, with a configuration from
 * this package's resources. In that {@code ${folder}} is the folder, and any other name in its place is a port.
 *
 * <p>It logs each request it has read in {@code access.log}, a line {@code METHOD TARGET STATUS}; its standard output
 * goes there, too.
 */
final class RealServer implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("\\$\\{(\\w+)}");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SIGNAL_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path folder;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Process process;

    private RealServer(Path program, List<String> options, Path folder, String... resources) throws Exception {
        this.folder = folder;
        // Apache's workers aren't root.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("index.html"), "ok\n");
        Files.writeString(
                folder.resolve("server.pem"),
                TestCertificate.of("localhost", folder).pem());
        for (String resource : resources) {
            Files.writeString(folder.resolve(resource), replacedIn(resource));
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        options.forEach(option -> command.add(replaced(option)));
        command.add(folder.resolve(resources[0]).toString());
        process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    /**
     * Starts a server, or skips the test where it isn't installed.
     *
     * @param command the program and its options, in which names are replaced, too; the last one is that for a
     *     configuration
     * @param folder gets all files
     * @param resources names of the configuration and of what that includes
     */
    static RealServer start(String command, Path folder, String... resources) throws Exception {
        List<String> words = List.of(command.split(" "));
        Optional<Path> program = program(words.get(0));
        assumeThat(program).as(words.get(0) + " is installed").isPresent();
        RealServer server = new RealServer(program.get(), words.subList(1, words.size()), folder, resources);
        try {
            for (int port : server.ports.values()) {
                server.awaitListening(port);
            }
        } catch (IOException | AssertionError e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static Optional<Path> program(String name) {
        return Stream.concat(Arrays.stream(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private String replacedIn(String resource) throws IOException {
        try (InputStream stream = RealServer.class.getResourceAsStream(resource)) {
            return replaced(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private String replaced(String text) {
        return NAME.matcher(text)
                .replaceAll(name -> name.group(1).equals("folder")
                        ? folder.toString()
                        : "" + ports.computeIfAbsent(name.group(1), n -> free()));
    }

    /** A free port from below the range that systems take clients' ports from. */
    private int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }

    private void awaitListening(int port) throws IOException {
        long limit = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException notYet) {
                assertThat(process.isAlive() && System.nanoTime() < limit)
                        .as("listens on %d: %s", port, errors())
                        .isTrue();
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors")) + Files.readString(log());
    }

    /** The port with a name in the configuration. */
    int port(String name) {
        return ports.get(name);
    }

    /** The file with a line for each request. */
    Path log() {
        return folder.resolve("access.log");
    }

    /**
     * Has the server read its configuration again; returns when it has started another process for that.
     *
     * @param signal what it takes for that, such as {@code HUP}
     */
    void reload(String signal) throws IOException, InterruptedException {
        Set<ProcessHandle> before = process.children().collect(Collectors.toSet());
        long limit = System.nanoTime() + PATIENCE_NANOS;
        long next = System.nanoTime();
        while (process.children().allMatch(before::contains)) {
            if (System.nanoTime() - next >= 0) {
                // HAProxy loses a signal that comes while it is still reloading.
                send(signal);
                next = System.nanoTime() + SIGNAL_AGAIN_NANOS;
            }
            assertThat(System.nanoTime()).as("reloaded: %s", errors()).isLessThan(limit);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void send(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
