package io.phaseload.http.response;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** A complete response, as checks and sessions look at it. Owned by one thread at a time. */
public interface Received {

    /** The length of a body that isn't known. */
    long UNKNOWN = -1;

    /** {@return its status, three digits} */
    int status();

    /** {@return the lines of its header, each with its end; empty if they weren't to be kept} */
    byte[] head();

    /**
     * The kept part of its body.
     *
     * @return its first MiB, or {@code null} if it wasn't to be kept; of a response with a status of 400 or above, its
     *     beginning in any case
     */
    @Nullable ByteArrayOutputStream body();

    /**
     * The length of its whole body.
     *
     * @return in bytes: decoded where the body is decoded, otherwise as received; {@link #UNKNOWN} if it is encoded and
     *     longer than its kept part
     */
    long bodyBytes();

    /** {@return the seconds of its {@code Retry-After}; negative without any, or for a date} */
    long retryAfter();
}
