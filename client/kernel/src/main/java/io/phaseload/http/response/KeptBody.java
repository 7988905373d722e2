package io.phaseload.http.response;

import io.phaseload.input.Secrets;
import io.phaseload.journey.Session;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much is kept of a response's body, and what a failure quotes of it. */
public final class KeptBody {

    /** The part of a body that checks and metrics look at, in bytes. */
    public static final int CHECKED_BYTES = 1 << 20;

    /** The part of a body that a failure quotes, in bytes. */
    public static final int QUOTED_BYTES = 200;

    /** The same if a check or an extraction refused the body. */
    private static final int REFUSED_BYTES = 1 << 10;

    private KeptBody() {}

    /**
     * Whether the beginning of a body is kept although no check needs it: reports quote what a server says when it
     * fails.
     *
     * @param status of the response
     * @return {@code true} from 400 on
     */
    public static boolean isQuoted(int status) {
        return status >= 400;
    }

    /**
     * The part of a body that a failure quotes, if a check or an extraction refused it.
     *
     * @param session has what the text is without; {@code null} for nothing
     * @return as {@link #quoted(byte[], List)}; empty if nothing was kept
     */
    public static String refused(@Nullable ByteArrayOutputStream body, @Nullable Session session) {
        List<String> secrets = session == null ? List.of() : session.secrets();
        return body == null ? "" : quoted(body.toByteArray(), secrets, REFUSED_BYTES);
    }

    /**
     * The part of a text that a failure quotes.
     *
     * @param text as UTF-8
     * @param secrets values that it is without
     * @return on one line, without control characters, which a terminal would obey
     */
    public static String quoted(byte[] text, List<String> secrets) {
        return quoted(text, secrets, QUOTED_BYTES);
    }

    private static String quoted(byte[] text, List<String> secrets, int most) {
        String shown = new String(text, 0, Math.min(text.length, most), StandardCharsets.UTF_8);
        // Of a body that nothing reads, so many bytes are kept.
        return (text.length < most && text.length != QUOTED_BYTES
                        ? Secrets.redactValues(shown, secrets)
                        : Secrets.redactValuesOfCut(shown, secrets))
                .replaceAll("[\\s\\p{Cc}]+", " ")
                .strip();
    }
}
