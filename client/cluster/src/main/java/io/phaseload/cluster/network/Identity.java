package io.phaseload.cluster.network;

import io.phaseload.host.Daemons;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jgroups.util.DefaultSocketFactory;

/**
 * A member's key for TLS 1.3 and the authority that it trusts. Both ends of each connection authenticate each other,
 * and agree on Phaseload's version, before anything else is sent. Thread-safe.
 */
final class Identity {

    /** The time that a handshake may take, also on a busy machine with a new JVM. */
    static final int HANDSHAKE_MILLIS = 10_000;

    /**
     * The time for a handshake with a known member. JGroups sends nothing else meanwhile, and members that send no
     * heartbeats for five seconds are suspected.
     */
    static final int MEMBER_MILLIS = 2_000;

    private static final int CONNECT_MILLIS = 2_000;
    private static final String NAME = "phaseload/";
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLContext context;
    // Empty for nodes with the keys of an agent.
    private final Optional<PrivateKey> key;
    private final String version;

    private Identity(SSLContext context, Optional<PrivateKey> key, String version) {
        this.context = context;
        this.key = key;
        this.version = version;
    }

    /**
     * A member's identity.
     *
     * @throws IOException if the keys are of another role
     */
    static Identity of(ClusterAccess access, Role role) throws IOException {
        return of(access, role, Environment.currentVersion());
    }

    /** The same for another version of Phaseload. */
    static Identity of(ClusterAccess access, Role role, String version) throws IOException {
        try {
            char[] password = access.secret().toCharArray();
            KeyStore store = access.keys().isPresent()
                    ? ClusterKeys.open(access.keys().get(), password, role)
                    : Authority.of(access).member(role, password);
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(store, password);
            TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            others.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), others.getTrustManagers(), null);
            Optional<PrivateKey> key =
                    Optional.ofNullable(store.getKey(role.alias(), password)).map(PrivateKey.class::cast);
            return new Identity(context, key, NAME + version);
        } catch (GeneralSecurityException e) {
            throw new IOException("keys for TLS: " + e.getMessage(), e);
        }
    }

    /** Commands of the coordinator with this identity. */
    Commands commands() {
        return Commands.signedBy(key.orElseThrow());
    }

    /** The sockets of JGroups' transports: all of them authenticate the other end first. */
    DefaultSocketFactory sockets() {
        return new DefaultSocketFactory() {
            @Override
            public Socket createSocket(String use) throws IOException {
                return newSocket(MEMBER_MILLIS);
            }

            @Override
            public ServerSocket createServerSocket(String use) throws IOException {
                return new SecureServerSocket(Identity.this, HANDSHAKE_MILLIS);
            }
        };
    }

    /**
     * A socket that connects, and then authenticates itself and the other end. It is closed if that takes longer.
     *
     * @param handshakeMillis the time for the handshake after the connection
     */
    SSLSocket newSocket(int handshakeMillis) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setSSLParameters(parameters());
        socket.setSoTimeout(handshakeMillis);
        // A timeout limits each read, not the handshake.
        CompletableFuture<Void> done = new CompletableFuture<>();
        done.orTimeout(CONNECT_MILLIS + handshakeMillis, TimeUnit.MILLISECONDS).whenComplete((authenticated, late) -> {
            if (late != null) {
                // Closing may wait. The common pool may have one thread alone, and that may wait, too.
                Daemons.named("cluster-late").newThread(() -> close(socket)).start();
            }
        });
        socket.addHandshakeCompletedListener(event -> {
            done.complete(null);
            try {
                event.getSocket().setSoTimeout(0);
            } catch (SocketException closed) {
                // It needs no timeout any more.
            }
        });
        return socket;
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use either way.
        }
    }

    /**
     * Authenticates the client of a connection.
     *
     * @param client closed with the result
     * @throws IOException if the client doesn't authenticate itself
     */
    SSLSocket accept(Socket client) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(client, null, true);
        SSLParameters parameters = parameters();
        parameters.setNeedClientAuth(true);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        if (!version.equals(socket.getApplicationProtocol())) {
            throw new SSLException("no version");
        }
        return socket;
    }

    private SSLParameters parameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setApplicationProtocols(new String[] {version});
        return parameters;
    }

    /**
     * Connects to a member and authenticates it, and closes the connection.
     *
     * @param isExpected decides on the member's certificate
     * @param who begins messages, such as {@code "the coordinator has "}
     * @return empty if no process listens there
     * @throws UntrustedException if a process listens there that doesn't know the secret, or has another version or
     *     certificate
     * @throws UnansweredException if a process listens there that doesn't speak TLS
     */
    Optional<Greeting> greet(InetSocketAddress at, Predicate<X509Certificate> isExpected, String who)
            throws IOException {
        try (SSLSocket socket = newSocket(HANDSHAKE_MILLIS)) {
            try {
                socket.connect(at, CONNECT_MILLIS);
            } catch (IOException | IllegalArgumentException notYet) {
                return Optional.empty();
            }
            InetAddress own = socket.getLocalAddress();
            socket.startHandshake();
            if (!(socket.getSession().getPeerCertificates()[0] instanceof X509Certificate other)
                    || !isExpected.test(other)) {
                throw new UntrustedException(who + "keys of another role");
            }
            return Optional.of(new Greeting(at, own, other.getPublicKey()));
        } catch (SSLException e) {
            throw refusal(e, who);
        } catch (UntrustedException e) {
            throw e;
        } catch (IOException e) {
            throw new UnansweredException();
        }
    }

    private IOException refusal(SSLException of, String who) {
        for (Throwable cause = of; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return new UntrustedException(who + "another secret or other keys");
            }
        }
        return String.valueOf(of.getMessage()).contains("no_application_protocol")
                ? new UntrustedException(who + "another version than " + version.substring(NAME.length()))
                : new UnansweredException();
    }
}
