package io.phaseload.cli.doctor.facts;

import io.phaseload.http.TimedHandshake;
import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * A TLS handshake with a target, as the plan's users do it.
 *
 * @param failure why users couldn't; empty if they can
 * @param protocol such as {@code TLSv1.3}; empty if there was none
 * @param chain the server's certificate, and those that vouch for it, whether they are trusted or not
 */
public record TlsFacts(Optional<String> failure, String protocol, String application, List<X509Certificate> chain) {

    /** Keeps the list from being changed. */
    public TlsFacts {
        chain = List.copyOf(chain);
    }

    /**
     * Does a handshake, and if it fails, one that trusts everybody, to see the certificates.
     *
     * @param address one of the target's
     */
    public static TlsFacts with(Target target, InetSocketAddress address, String... applications) {
        try {
            return attempt(target, address, applications);
        } catch (IOException e) {
            return new TlsFacts(Optional.of(String.valueOf(e.getMessage())), "", "", seen(target, address));
        }
    }

    private static List<X509Certificate> seen(Target target, InetSocketAddress address) {
        TlsFiles files = target.tlsFiles();
        Target trusting = new Target(
                target.uri(),
                target.headers(),
                target.connectTimeout(),
                target.responseTimeout(),
                true,
                new TlsFiles(Optional.empty(), files.certificate(), files.key()));
        try {
            return attempt(trusting, address).chain();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static TlsFacts attempt(Target target, InetSocketAddress address, String... applications)
            throws IOException {
        Duration limit = target.connectTimeout();
        try (Socket plain = new Socket()) {
            plain.connect(address, (int) limit.toMillis());
            SSLSocket socket = (SSLSocket)
                    TlsContext.of(target).getSocketFactory().createSocket(plain, target.host(), target.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(applications);
            if (!target.insecure()) {
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
            }
            socket.setSSLParameters(parameters);
            TimedHandshake.start(socket, plain, limit);
            SSLSession session = socket.getSession();
            return new TlsFacts(
                    Optional.empty(),
                    session.getProtocol(),
                    String.valueOf(socket.getApplicationProtocol()),
                    certificates(session.getPeerCertificates()));
        }
    }

    private static List<X509Certificate> certificates(Certificate... chain) {
        return Arrays.stream(chain)
                .filter(X509Certificate.class::isInstance)
                .map(X509Certificate.class::cast)
                .toList();
    }
}
