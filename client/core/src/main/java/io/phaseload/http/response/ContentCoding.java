package io.phaseload.http.response;

import io.phaseload.journey.ContentReader;
import io.phaseload.journey.ValueFinder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Decodes bodies (RFC 9110 §8.4) that were kept to be looked at. */
public final class ContentCoding {

    private static final Optional<ContentReader> LIBRARIES = ContentReader.find();

    /** What is asked for: a value of {@code Accept-Encoding}. */
    public static final String NAMES = LIBRARIES.isPresent() ? "gzip, deflate, br, zstd" : "gzip, deflate";

    private static final int BUFFER = 8 << 10;

    private ContentCoding() {}

    /**
     * The content of a body.
     *
     * @param head lines of the response's header
     * @param body its beginning; {@code null} if none was kept
     * @return its first MiB at most, so that a small body can't become an endless one; the body itself if it isn't
     *     encoded
     * @throws MalformedException if it isn't what the header says, or there is no library for it
     */
    public static @Nullable ByteArrayOutputStream decoded(byte[] head, @Nullable ByteArrayOutputStream body)
            throws MalformedException {
        if (body == null || body.size() == 0) {
            return body;
        }
        String coding = ValueFinder.header(head, "Content-Encoding")
                .map(name -> name.toLowerCase(Locale.ROOT))
                .orElse("identity");
        byte[] bytes = body.toByteArray();
        try {
            return switch (coding) {
                case "identity" -> body;
                case "gzip", "x-gzip" -> read(new GZIPInputStream(new ByteArrayInputStream(bytes)), bytes);
                case "deflate" -> inflated(bytes);
                case "br", "zstd" -> read(ofLibrary(coding, bytes), bytes);
                default -> throw new MalformedException("Content-Encoding " + coding);
            };
        } catch (IOException e) {
            throw new MalformedException("Content-Encoding " + coding + ": " + e.getMessage());
        }
    }

    private static InputStream ofLibrary(String coding, byte[] bytes) throws IOException, MalformedException {
        if (LIBRARIES.isEmpty()) {
            throw new MalformedException("Content-Encoding " + coding);
        }
        return LIBRARIES.get().decoded(coding, new ByteArrayInputStream(bytes));
    }

    /** Some servers send it without the header that it should have. */
    private static ByteArrayOutputStream inflated(byte[] bytes) throws IOException {
        boolean zlib =
                bytes.length > 1 && (bytes[0] & 0xf) == 8 && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!zlib);
        try {
            return read(new InflaterInputStream(new ByteArrayInputStream(bytes), inflater), bytes);
        } finally {
            inflater.end();
        }
    }

    /** To its end, or to that of what was kept. */
    private static ByteArrayOutputStream read(InputStream in, byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        try (in) {
            int count = in.read(buffer);
            while (count >= 0 && out.size() < KeptBody.CHECKED_BYTES) {
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (IOException e) {
            boolean cutOff = bytes.length == KeptBody.CHECKED_BYTES || bytes.length == KeptBody.QUOTED_BYTES;
            if (!cutOff && !(e instanceof EOFException)) {
                throw e;
            }
        }
        return out;
    }
}
