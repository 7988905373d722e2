package io.phaseload.http;

import io.phaseload.journey.Extractor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Decodes bodies (RFC 9110 §8.4) that were kept to be looked at. */
final class ContentCoding {

    /** What is asked for. */
    static final String NAMES = "gzip, deflate";

    private static final int BUFFER = 8 << 10;

    private ContentCoding() {}

    /**
     * The content of a body.
     *
     * @param head lines of the response's header
     * @param body its beginning
     * @return its first MiB at most, so that a small body can't become an endless one; the body
     *     itself if it isn't encoded
     * @throws MalformedException if it isn't what the header says
     */
    static @Nullable ByteArrayOutputStream decoded(
            byte[] head, @Nullable ByteArrayOutputStream body) throws MalformedException {
        if (body == null || body.size() == 0) {
            return body;
        }
        String coding =
                Extractor.header(head, "Content-Encoding")
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .orElse("identity");
        byte[] bytes = body.toByteArray();
        try {
            return switch (coding) {
                case "identity" -> body;
                case "gzip", "x-gzip" -> read(new GZIPInputStream(new ByteArrayInputStream(bytes)));
                case "deflate" -> inflated(bytes);
                default -> throw new MalformedException("Content-Encoding " + coding);
            };
        } catch (IOException e) {
            throw new MalformedException("Content-Encoding " + coding + ": " + e.getMessage());
        }
    }

    /** Some servers send it without the header that it should have. */
    private static ByteArrayOutputStream inflated(byte[] bytes) throws IOException {
        boolean zlib =
                bytes.length > 1
                        && (bytes[0] & 0xf) == 8
                        && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!zlib);
        try {
            return read(new InflaterInputStream(new ByteArrayInputStream(bytes), inflater));
        } finally {
            inflater.end();
        }
    }

    /** To its end, or to that of what was kept. */
    private static ByteArrayOutputStream read(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        try (in) {
            int count = in.read(buffer);
            while (count >= 0 && out.size() < PreparedRequest.KEPT_BYTES) {
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (EOFException cutOff) {
            return out;
        }
        return out;
    }
}
