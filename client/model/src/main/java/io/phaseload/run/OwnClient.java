package io.phaseload.run;

/**
 * An HTTP client that somebody has configured, for users to send with: {@code HttpClientProvider} of
 * {@code phaseload-httpclient} makes one of a builder. Its text is what a result says of it.
 */
public interface OwnClient {

    /**
     * The name of clients of this kind in plans.
     *
     * @return lower-case text such as {@code httpclient}
     */
    String name();
}
