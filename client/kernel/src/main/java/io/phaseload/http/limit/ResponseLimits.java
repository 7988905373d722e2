package io.phaseload.http.limit;

/**
 * The limits of one response, for all engines. Larger responses are malformed. Bodies have no limit but the time of
 * their request, since they aren't kept: see {@code KeptBody}.
 */
public final class ResponseLimits {

    /** The most header lines, or fields; servers send fewer than a hundred. */
    public static final int HEADERS = 1_000;

    /**
     * The most bytes in all lines of a header, and of a trailer. Without it, a thousand long lines would take 64 MiB a
     * user where headers are kept.
     */
    public static final int HEADER_BYTES = 1 << 20;

    /** The most bytes in a line; common servers refuse more than 8 KiB. */
    public static final int LINE_BYTES = 64 << 10;

    /** The most empty lines before a status line; RFC 9112 §2.2 has one in mind. */
    public static final int EMPTY_LINES = 10;

    /** The bytes before a chunk that are usual, even if it has less data. */
    public static final int CHUNK_HEADER_BYTES = 16;

    private ResponseLimits() {}
}
