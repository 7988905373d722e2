package io.phaseload.http.response;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** A complete response, as checks and sessions look at it. Owned by one thread at a time. */
public interface Received {

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

    /** {@return the length of its whole body as received, in bytes} */
    long bodyBytes();

    /** {@return the seconds of its {@code Retry-After}; negative without any, or for a date} */
    long retryAfter();
}
