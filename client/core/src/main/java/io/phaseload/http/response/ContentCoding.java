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

    /** A small body may have an endless content, so that counting ends here. */
    private static final long MOST_BYTES = 1L << 30;

    private ContentCoding() {}

    /**
     * The content of a body.
     *
     * @param kept its first MiB at most; {@code null} if none was kept
     * @param bytes its length, at most 1 GiB, or just above a MiB if it wasn't to be counted; {@link Received#UNKNOWN}
     *     where the encoded body was cut off
     */
    public record Content(@Nullable ByteArrayOutputStream kept, long bytes) {}

    /**
     * The content of a response's body.
     *
     * @param response its header, and the beginning of its body if one was kept
     * @param counted whether a body that is longer than its kept part is read to its end
     * @return the body itself if it isn't encoded
     * @throws MalformedException if it isn't in the coding that the header says, or there is no library for it
     */
    public static Content decoded(Received response, boolean counted) throws MalformedException {
        ByteArrayOutputStream body = response.body();
        if (body == null || body.size() == 0) {
            return new Content(body, response.bodyBytes());
        }
        Content content = decoded(response.head(), body, counted ? MOST_BYTES : KeptBody.CHECKED_BYTES + 1L);
        if (content.kept() == body) {
            return new Content(body, response.bodyBytes());
        }
        return response.bodyBytes() > body.size() ? new Content(content.kept(), Received.UNKNOWN) : content;
    }

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
        return body == null || body.size() == 0
                ? body
                : decoded(head, body, KeptBody.CHECKED_BYTES).kept();
    }

    private static Content decoded(byte[] head, ByteArrayOutputStream body, long most) throws MalformedException {
        String coding = ValueFinder.header(head, "Content-Encoding")
                .map(name -> name.toLowerCase(Locale.ROOT))
                .orElse("identity");
        byte[] bytes = body.toByteArray();
        try {
            return switch (coding) {
                case "identity" -> new Content(body, body.size());
                case "gzip", "x-gzip" -> read(new GZIPInputStream(new ByteArrayInputStream(bytes)), bytes, most);
                case "deflate" -> inflated(bytes, most);
                case "br", "zstd" -> read(ofLibrary(coding, bytes), bytes, most);
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
    private static Content inflated(byte[] bytes, long most) throws IOException {
        boolean zlib =
                bytes.length > 1 && (bytes[0] & 0xf) == 8 && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!zlib);
        try {
            return read(new InflaterInputStream(new ByteArrayInputStream(bytes), inflater), bytes, most);
        } finally {
            inflater.end();
        }
    }

    /** To its end, to that of the kept part, or until there is enough. */
    private static Content read(InputStream in, byte[] bytes, long most) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        long read = 0;
        try (in) {
            int count = in.read(buffer);
            while (count >= 0) {
                out.write(buffer, 0, Math.min(count, KeptBody.CHECKED_BYTES - out.size()));
                read += count;
                count = read < most ? in.read(buffer) : -1;
            }
        } catch (IOException e) {
            boolean cutOff = bytes.length == KeptBody.CHECKED_BYTES || bytes.length == KeptBody.QUOTED_BYTES;
            if (!cutOff && !(e instanceof EOFException)) {
                throw e;
            }
        }
        return new Content(out, read);
    }
}
