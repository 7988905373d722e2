package io.phaseload.http;

import io.phaseload.http.response.MalformedException;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Turns exceptions into {@link Outcome}s. Some causes can only be told from the system's message, which the JDK doesn't
 * translate.
 */
public final class FailureCauses {

    private FailureCauses() {}

    /**
     * Why a connection couldn't be made.
     *
     * @return a failure
     */
    public static Outcome ofConnect(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof Tunnel.TunnelRefusedException refused) {
            return refused.status() > 0
                    ? new Outcome.HttpFailure(refused.status())
                    : Outcome.NoResponse.CONNECT_REFUSED;
        }
        if (failure instanceof SocketTimeoutException || message.contains("timed out")) {
            return Outcome.NoResponse.CONNECT_TIMEOUT;
        }
        if (failure instanceof UnknownHostException) {
            return new Outcome.ClientFault(Cause.UNKNOWN_HOST, message);
        }
        if (failure instanceof BindException || message.contains("Cannot assign requested")) {
            return new Outcome.ClientFault(Cause.NO_PORT, message);
        }
        if (failure instanceof NoRouteToHostException || message.contains("unreachable")) {
            return new Outcome.ClientFault(Cause.NO_ROUTE, message);
        }
        if (failure instanceof FileNotFoundException || message.contains("No such file")) {
            return new Outcome.ClientFault("no such socket", message);
        }
        if (failure instanceof ConnectException || message.endsWith("Connection refused")) {
            return Outcome.NoResponse.CONNECT_REFUSED;
        }
        return ofExchange(failure, Outcome.Reset.Stage.BEFORE_RESPONSE);
    }

    /**
     * Why an exchange ended.
     *
     * @param stage the part of the response that had arrived
     * @return a failure
     */
    public static Outcome ofExchange(Throwable failure, Outcome.Reset.Stage stage) {
        if (failure instanceof Error) {
            return new Outcome.ClientFault("internal", failure.toString());
        }
        if (isReset(failure)) {
            return new Outcome.Reset(stage);
        }
        if (failure instanceof NoCloseNotifyException) {
            return Outcome.NoResponse.NO_CLOSE_NOTIFY;
        }
        if (failure instanceof SSLException) {
            return new Outcome.TlsFailure(dates(failure).orElse(String.valueOf(failure.getMessage())));
        }
        if (failure instanceof MalformedException) {
            return new Outcome.MalformedResponse(String.valueOf(failure.getMessage()));
        }
        String message = String.valueOf(failure.getMessage());
        if (message.contains("Too many open files")) {
            return new Outcome.ClientFault(Cause.NO_DESCRIPTOR, message);
        }
        return new Outcome.ClientFault(failure.getClass().getSimpleName(), failure.toString());
    }

    /** The JDK says NotAfter: or NotBefore: with the date, in one of the causes. */
    private static Optional<String> dates(Throwable failure) {
        for (Throwable of = failure; of != null; of = of.getCause()) {
            String message = String.valueOf(of.getMessage());
            if (message.startsWith("NotAfter:")) {
                return Optional.of(message.replace("NotAfter:", "the certificate expired on"));
            }
            if (message.startsWith("NotBefore:")) {
                return Optional.of(message.replace("NotBefore:", "the certificate is valid from"));
            }
        }
        return Optional.empty();
    }

    private static boolean isReset(Throwable failure) {
        if (failure instanceof EndOfStreamException) {
            return true;
        }
        // TLS wraps its socket's exceptions; its own end of stream is an EOFException.
        Throwable root =
                failure instanceof SSLException && failure.getCause() instanceof IOException cause ? cause : failure;
        String message = String.valueOf(root.getMessage());
        // Only TLS uses "abort" or "reset" for something else.
        return root instanceof IOException
                && !(root instanceof SSLException)
                && (message.contains("reset") || message.contains("Broken pipe") || message.contains("abort"));
    }
}
