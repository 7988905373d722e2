package io.phaseload.http.request;

import io.phaseload.http.response.Received;
import io.phaseload.journey.Response;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A response after its session has decoded it, or has replaced it by a stored response.
 *
 * @param seen the response that checks read
 * @param received the response that came
 */
record SettledResponse(Response seen, Received received) implements Received {

    @Override
    public int status() {
        return seen.status();
    }

    @Override
    public byte[] head() {
        return seen.head();
    }

    @Override
    public @Nullable ByteArrayOutputStream body() {
        return seen.body();
    }

    @Override
    public long bodyBytes() {
        return seen.bytes();
    }

    @Override
    public long retryAfter() {
        return received.retryAfter();
    }
}
