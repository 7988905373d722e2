package io.phaseload.http;

/**
 * What one request came to. Points in time are those of {@link System#nanoTime()}.
 *
 * @param sentNanos when sending began on a connection that was ready; where none could be made,
 *     when the attempt began
 * @param endNanos when the last byte of the response had been read, or the failure was known; for a
 *     timeout, the limit itself
 * @param outcome what became of it
 * @param bytesReceived bytes of the response as they came, header and body, with TLS taken off
 * @param setUpNanos how long it took to make the connection for this request (name, connect, TLS),
 *     or 0 if it was there
 * @param reconnected whether the server had closed the connection before the request was sent, so
 *     that it went over a fresh one
 */
public record Exchange(
        long sentNanos,
        long endNanos,
        Outcome outcome,
        long bytesReceived,
        long setUpNanos,
        boolean reconnected) {}
