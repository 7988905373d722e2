package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.measure.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** IPv6, and names with several addresses. */
class AddressesTest {

    private InetAddress v6;

    @BeforeEach
    void resolveLiteral() throws IOException {
        v6 = InetAddress.getByName("::1");
    }

    @Test
    void ipv6Literal() throws Exception {
        assumeThat(hasV6()).as("this machine has an IPv6 loopback").isTrue();
        try (MisbehavingServer server = MisbehavingServer.startAt(v6, Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.requests().get(0)).contains("\r\nHost: [::1]:" + server.port() + "\r\n");
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "others have no 127.0.0.2 by default")
    void theNextAddressIsTriedAfterARefusal(@TempDir Path folder) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            String hosts = "127.0.0.2 two.example\n127.0.0.1 two.example\n";
            List<String> lines = fork(folder, hosts, "http://two.example:" + server.port());

            assertThat(lines).singleElement().asString().startsWith("success ");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "others have no 127.0.0.2 by default")
    void theNextAddressIsTriedAfterATimeout(@TempDir Path folder) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                FullBacklog silent = new FullBacklog(InetAddress.getByName("127.0.0.2"), server.port())) {
            String hosts = "127.0.0.2 two.example\n127.0.0.1 two.example\n";
            List<String> lines = fork(folder, hosts, "http://two.example:" + silent.port());

            assertThat(lines).singleElement().asString().startsWith("success ");
            // The first address had its half of the time, less what a millisecond clock cuts off.
            long setUpNanos = Long.parseLong(lines.get(0).split(" ")[1]);
            assertThat(setUpNanos)
                    .isBetween(
                            ForkedGet.CONNECT_TIMEOUT.toNanos() / 2 - 100_000_000, ForkedGet.CONNECT_TIMEOUT.toNanos());
        }
    }

    @Test
    void bothFamiliesAreTried(@TempDir Path folder) throws Exception {
        assumeThat(hasV6()).as("this machine has an IPv6 loopback").isTrue();
        try (MisbehavingServer v4Server = MisbehavingServer.start(Script.BEHAVE);
                MisbehavingServer v6Server = MisbehavingServer.startAt(v6, Script.BEHAVE)) {
            String hosts = "127.0.0.1 both.example\n::1 both.example\n";
            List<String> lines = fork(
                    folder, hosts, "http://both.example:" + v4Server.port(), "http://both.example:" + v6Server.port());

            assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("success "));
            assertThat(v4Server.requests()).hasSize(1);
            assertThat(v6Server.requests()).hasSize(1);
        }
    }

    @Test
    void allAddressesMayRefuse(@TempDir Path folder) throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = closed.getLocalPort();
        }
        String hosts = "127.0.0.1 two.example\n127.0.0.1 two.example\n";

        assertThat(fork(folder, hosts, "http://two.example:" + port)).containsExactly("connect refused 0");
    }

    private boolean hasV6() {
        try (ServerSocket probe = new ServerSocket(0, 1, v6)) {
            return probe.isBound();
        } catch (IOException none) {
            return false;
        }
    }

    /** A JVM reads the file of names once, so it takes one of its own. */
    private static List<String> fork(Path folder, String hosts, String... uris)
            throws IOException, InterruptedException {
        Path hostsFile = Files.writeString(folder.resolve("hosts"), hosts);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Djdk.net.hosts.file=" + hostsFile);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ForkedGet.class.getName());
        command.addAll(List.of(uris));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}
