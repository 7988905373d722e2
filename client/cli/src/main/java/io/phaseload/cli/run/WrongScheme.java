package io.phaseload.cli.run;

import io.phaseload.http.TimedHandshake;
import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Route;
import io.phaseload.result.Result;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Finds out, after a run without success, that the port speaks TLS and the address doesn't say so. */
public final class WrongScheme {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private WrongScheme() {}

    /** The scheme to use, as a line; empty if it isn't the scheme. */
    public static Optional<String> hint(Plan plan, Result result) {
        Target target = plan.target();
        if (result.totals().succeeded() > 0
                || result.totals().requests() == 0
                || answered(result)
                || !(target.route() instanceof Route.Direct)) {
            return Optional.empty();
        }
        String scheme = target.uri().getScheme();
        if (speaksTls(target) == target.tls()) {
            return Optional.empty();
        }
        return Optional.of(
                target.tls()
                        ? "%s: this port doesn't speak TLS: use %s://"
                                .formatted(target.address(), scheme.substring(0, scheme.length() - 1))
                        : "%s: this port speaks TLS: use %ss://".formatted(target.address(), scheme));
    }

    /**
     * Ports for TLS answer plain text with 400 at most. So after any other status, a probe would only cost its timeout.
     */
    private static boolean answered(Result result) {
        return result.totals().statuses().keySet().stream().anyMatch(status -> status != 400);
    }

    /** {@code true} for a port that speaks TLS; as the address says if that can't be found out. */
    private static boolean speaksTls(Target target) {
        URI trusting = URI.create("https://" + target.uri().getRawAuthority() + "/");
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(target.host(), target.port()), (int) LIMIT.toMillis());
            SSLSocket socket = (SSLSocket) TlsContext.of(
                            new Target(trusting, List.of(), target.connectTimeout(), target.responseTimeout(), true))
                    .getSocketFactory()
                    .createSocket(plain, target.host(), target.port(), true);
            TimedHandshake.start(socket, plain, LIMIT);
            return true;
        } catch (SSLException e) {
            String message = String.valueOf(e.getMessage());
            // An answer in plain text, or an alert, which only TLS has.
            return !message.contains("unrecognized SSL message") && (target.tls() || message.contains("fatal alert"));
        } catch (IOException e) {
            return target.tls();
        }
    }
}
