package io.phaseload.events.tls;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Converts Netty's TLS exceptions into those of the JDK's sockets. */
public final class TlsFailures {

    /** How OpenSSL and its forks name a received alert. */
    private static final Pattern ALERT = Pattern.compile("_ALERT_([A-Z_]+)");

    private TlsFailures() {}

    /** Why a handshake failed, or why a connection broke. */
    public static Throwable jdks(Throwable failure) {
        if (failure instanceof DecoderException && failure.getCause() != null) {
            return jdks(failure.getCause());
        }
        if (failure instanceof NotSslRecordException) {
            return new SSLException("Unsupported or unrecognized SSL message", failure);
        }
        if (failure instanceof ClosedChannelException) {
            return terminated();
        }
        if (failure instanceof SSLException && failure.getMessage() != null) {
            return named((SSLException) failure);
        }
        return failure;
    }

    private static SSLException named(SSLException failure) {
        Matcher alert = ALERT.matcher(failure.getMessage());
        if (alert.find()) {
            return new SSLException("Received fatal alert: " + alert.group(1).toLowerCase(Locale.ROOT), failure);
        }
        boolean wrapped = failure.getMessage().contains("OpenSslEngine");
        return wrapped && failure.getCause() != null
                ? new SSLHandshakeException(failure.getCause().getMessage())
                : failure;
    }

    /** The server closed the stream during the handshake. */
    public static SSLException terminated() {
        return new SSLHandshakeException("Remote host terminated the handshake");
    }
}
