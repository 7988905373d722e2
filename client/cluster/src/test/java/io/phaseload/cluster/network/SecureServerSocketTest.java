package io.phaseload.cluster.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.host.Daemons;
import io.phaseload.result.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SecureServerSocketTest {

    /** Tasks that wait: the common pool may have a single thread. */
    private static final Executor THREADS =
            task -> Daemons.named("test").newThread(task).start();

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final ClusterAccess ACCESS = new ClusterAccess("a secret of the tests", Optional.empty());
    private static final String WHO = "the coordinator has ";

    private SecureServerSocket server;
    private InetSocketAddress at;

    @BeforeEach
    void listen() throws IOException {
        listen(Role.COORDINATOR, Identity.HANDSHAKE_MILLIS);
    }

    private void listen(Role role, int mostMillis) throws IOException {
        if (server != null) {
            server.close();
        }
        server = new SecureServerSocket(Identity.of(ACCESS, role), mostMillis);
        server.bind(new InetSocketAddress(HERE, 0));
        at = new InetSocketAddress(HERE, server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void onlyClientsWithTheSecretAreAccepted() throws Exception {
        CompletableFuture<Socket> first = accept();
        for (String garbage : List.of("GET / HTTP/1.1\r\n\r\n", "bela", "\u0016\u0003\u0001\u00ff\u00ff", "\0\0")) {
            try (Socket socket = new Socket(HERE, server.getLocalPort())) {
                socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(100);
            }
        }
        assertThat(first).isNotDone();

        try (SSLSocket own = connect(Identity.of(ACCESS, Role.AGENT))) {
            own.getOutputStream().write(1);
            try (Socket accepted = first.get(30, TimeUnit.SECONDS)) {
                assertThat(accepted.getInputStream().read()).isEqualTo(1);
            }
        }
    }

    /** Clients that accept any server still have to authenticate themselves. */
    @Test
    void aClientThatTrustsEveryServerIsNotTrusted() throws Exception {
        CompletableFuture<Socket> first = accept();
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());

        assertThatThrownBy(() -> talk(trusting, "TLSv1.3", version())).isInstanceOf(IOException.class);
        assertThat(first).isNotDone();
    }

    /** The secret doesn't suffice. */
    @Test
    void noneSpeaksAnOlderTlsOrWithoutAVersion() throws Exception {
        CompletableFuture<Socket> first = accept();
        KeyStore store = Authority.of(ACCESS).member(Role.AGENT, "password".toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "password".toCharArray());
        SSLContext member = SSLContext.getInstance("TLS");
        member.init(keys.getKeyManagers(), new TrustManager[] {new TrustAll()}, new SecureRandom());

        assertThatThrownBy(() -> talk(member, "TLSv1.2", version())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> talk(member, "TLSv1.3")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> talk(member, "TLSv1.3", "phaseload/0.0.1")).isInstanceOf(IOException.class);
        assertThat(first).isNotDone();

        assertThatThrownBy(() -> talk(member, "TLSv1.3", version())).isInstanceOf(SocketTimeoutException.class);
        first.get(30, TimeUnit.SECONDS).close();
    }

    /** All that a client sent, sent again. */
    @Test
    void aConversationThatWasRecordedIsNotAccepted() throws Exception {
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        CompletableFuture<Socket> first = accept();
        try (ServerSocket relay = new ServerSocket(0, 1, HERE);
                SSLSocket client = Identity.of(ACCESS, Role.AGENT).newSocket(Identity.HANDSHAKE_MILLIS)) {
            client.connect(relay.getLocalSocketAddress());
            Socket from = relay.accept();
            Socket to = new Socket(HERE, server.getLocalPort());
            CompletableFuture<Void> back =
                    CompletableFuture.runAsync(() -> copy(to, from, OutputStream.nullOutputStream()), THREADS);
            CompletableFuture<Void> there = CompletableFuture.runAsync(() -> copy(from, to, recorded), THREADS);
            client.getOutputStream().write(7);
            try (Socket accepted = first.get(30, TimeUnit.SECONDS)) {
                assertThat(accepted.getInputStream().read()).isEqualTo(7);
            }
            client.close();
            CompletableFuture.allOf(back, there).get(30, TimeUnit.SECONDS);
        }
        CompletableFuture<Socket> second = accept();
        try (Socket replay = new Socket(HERE, server.getLocalPort())) {
            recorded.writeTo(replay.getOutputStream());
            // The server ends the handshake.
            replay.getInputStream().readAllBytes();
        }
        assertThat(recorded.size()).isGreaterThan(500);
        assertThat(second).isNotDone();
    }

    private static void copy(Socket from, Socket to, OutputStream recorded) {
        try (from;
                to) {
            byte[] bytes = new byte[8_192];
            for (int read; (read = from.getInputStream().read(bytes)) >= 0; ) {
                recorded.write(bytes, 0, read);
                to.getOutputStream().write(bytes, 0, read);
            }
        } catch (IOException closed) {
            // By the other direction.
        }
    }

    @Test
    void theReasonIsNamed() throws Exception {
        accept();
        ClusterAccess other = new ClusterAccess("another secret of theirs", Optional.empty());

        assertThatThrownBy(() -> greet(Identity.of(other, Role.AGENT)))
                .isInstanceOf(UntrustedException.class)
                .hasMessage("the coordinator has another secret or other keys");
        assertThatThrownBy(() -> greet(Identity.of(ACCESS, Role.AGENT, "0.0.1")))
                .isInstanceOf(UntrustedException.class)
                .hasMessage("the coordinator has another version than 0.0.1");
        assertThat(greet(Identity.of(ACCESS, Role.AGENT)).orElseThrow().own()).isEqualTo(HERE);
    }

    @Test
    void anAgentIsNoCoordinator() throws Exception {
        listen(Role.AGENT, Identity.HANDSHAKE_MILLIS);
        accept();

        assertThatThrownBy(() -> greet(Identity.of(ACCESS, Role.AGENT)))
                .isInstanceOf(UntrustedException.class)
                .hasMessage("the coordinator has keys of another role");
    }

    @Test
    void handshakesEndInTime() throws Exception {
        listen(Role.COORDINATOR, 1_000);
        accept();
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i <= SecureServerSocket.MOST_PENDING; i++) {
            silent.add(new Socket(HERE, server.getLocalPort()));
        }

        for (Socket socket : silent) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            socket.close();
        }
    }

    /** A server that sends a byte now and then, on whatever is due. */
    @Test
    void anImpostorHoldsNoClientForLong() throws Exception {
        try (ServerSocket impostor = new ServerSocket(0, 1, HERE);
                SSLSocket client = Identity.of(ACCESS, Role.AGENT).newSocket(500)) {
            client.connect(impostor.getLocalSocketAddress());
            // In the common pool, which on two cores it may occupy alone.
            CompletableFuture<Void> drips = CompletableFuture.runAsync(() -> drip(impostor));

            assertThatThrownBy(client::startHandshake).isInstanceOf(IOException.class);
            drips.get(30, TimeUnit.SECONDS);
        }
    }

    private static void drip(ServerSocket impostor) {
        try (Socket held = impostor.accept()) {
            // A record of 16,384 bytes begins.
            held.getOutputStream().write(new byte[] {22, 3, 3, 64, 0, 2, 0, 63, 0});
            while (true) {
                held.getOutputStream().write(1);
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (IOException closed) {
            // As it should be.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A byte now and then keeps no connection open. */
    @Test
    void slowHandshakesEndInTime() throws Exception {
        listen(Role.COORDINATOR, 500);
        accept();
        try (Socket slow = new Socket(HERE, server.getLocalPort())) {
            slow.setSoTimeout(100);
            OutputStream out = slow.getOutputStream();
            // A record of 512 bytes begins.
            out.write(new byte[] {22, 3, 1, 2, 0});
            assertThatThrownBy(() -> {
                        while (true) {
                            out.write(1);
                            if (reads(slow) < 0) {
                                throw new IOException("closed");
                            }
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private static int reads(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            return 0;
        }
    }

    /** On all versions of the JDK. */
    @Test
    void theAuthorityFollowsFromTheSecretAlone() throws Exception {
        KeyStore store = Authority.of(ACCESS).member(Role.AGENT, "password".toCharArray());

        X509Certificate authority = (X509Certificate) store.getCertificate("authority");
        assertThat(HexFormat.of().formatHex(authority.getPublicKey().getEncoded()))
                .isEqualTo("302a300506032b657003210081003bb338364189018882f4754ef9fb52c1aa52fe2ef14828e400f4faa66883");
    }

    @Test
    void onlySecretsOfPhaseloadNeedNoSlowDerivation() {
        assertThat(new ClusterAccess(ClusterKeys.newSecret(), Optional.empty()).isRandom())
                .isTrue();
        assertThat(ACCESS.isRandom()).isFalse();
        assertThat(new ClusterAccess("phaseload-secret-of-mine", Optional.empty()).isRandom())
                .isFalse();
    }

    private CompletableFuture<Socket> accept() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return server.accept();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                THREADS);
    }

    private Optional<Greeting> greet(Identity as) throws IOException {
        return as.greet(at, Role.COORDINATOR::isOf, WHO);
    }

    private SSLSocket connect(Identity as) throws IOException {
        SSLSocket socket = as.newSocket(Identity.HANDSHAKE_MILLIS);
        socket.connect(at);
        socket.startHandshake();
        return socket;
    }

    private static String[] version() {
        return new String[] {"phaseload/" + Environment.currentVersion()};
    }

    private void talk(SSLContext context, String protocol, String... versions) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
            SSLParameters parameters = new SSLParameters();
            parameters.setProtocols(new String[] {protocol});
            parameters.setApplicationProtocols(versions);
            socket.setSSLParameters(parameters);
            socket.connect(at);
            socket.startHandshake();
            socket.setSoTimeout(2_000);
            if (socket.getInputStream().read() < 0) {
                throw new IOException("closed");
            }
        }
    }

    private static final class TrustAll implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
