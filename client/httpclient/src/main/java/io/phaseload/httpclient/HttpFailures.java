package io.phaseload.httpclient;

import io.phaseload.http.FailureCauses;
import io.phaseload.measure.Outcome;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.TruncatedChunkException;

/** From HttpClient's exceptions to an {@link Outcome}; others are those of any client. */
final class HttpFailures {

    private HttpFailures() {}

    /** Why no connection of the pool was got. */
    static Outcome ofLease(Exception failure) {
        return failure instanceof ConnectionRequestTimeoutException
                ? new LeaseTimeout()
                : ofExchange(failure, Outcome.Reset.Stage.BEFORE_RESPONSE);
    }

    /**
     * Why a connection couldn't be made. Whatever a SOCKS proxy says counts as refused; the JDK has no exceptions for
     * it.
     */
    static Outcome ofConnect(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("SOCKS") || message.endsWith("Connection refused")
                ? Outcome.NoResponse.CONNECT_REFUSED
                : FailureCauses.ofConnect(failure);
    }

    /** Why an exchange ended. */
    static Outcome ofExchange(Exception failure, Outcome.Reset.Stage stage) {
        if (failure instanceof RequestFailedException && failure.getCause() instanceof Exception) {
            return ofExchange((Exception) failure.getCause(), stage);
        }
        if (isEnd(failure)) {
            return new Outcome.Reset(stage);
        }
        if (failure instanceof ClientProtocolException
                || failure instanceof MalformedChunkCodingException
                || failure instanceof MessageConstraintException) {
            return new Outcome.MalformedResponse(String.valueOf(failure.getMessage()));
        }
        return FailureCauses.ofExchange(failure, stage);
    }

    /** The server ended the connection in order, and too soon. */
    private static boolean isEnd(Exception failure) {
        return failure instanceof NoHttpResponseException
                || failure instanceof ConnectionClosedException
                || failure instanceof TruncatedChunkException;
    }
}
