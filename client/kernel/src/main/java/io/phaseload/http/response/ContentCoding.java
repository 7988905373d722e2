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

    /** The value of {@code Accept-Encoding}. */
    public static final String NAMES = LIBRARIES.isPresent() ? "gzip, deflate, br, zstd" : "gzip, deflate";

    private static final String IDENTITY = "identity";

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
    public record DecodedBody(@Nullable ByteArrayOutputStream kept, long bytes) {}

    /**
     * The content of a response's body.
     *
     * @param response a complete response
     * @param counted true if a content that is longer than its kept part is read to its end
     * @return the body itself if it isn't encoded
     * @throws MalformedException if the body isn't in the coding that the header says, or ends before its content does,
     *     or there is no library for it
     */
    public static DecodedBody decoded(Received response, boolean counted) throws MalformedException {
        ByteArrayOutputStream body = response.body();
        String coding = body == null || body.size() == 0
                ? IDENTITY
                : ValueFinder.header(response.head(), "Content-Encoding")
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .orElse(IDENTITY);
        if (coding.equals(IDENTITY)) {
            return new DecodedBody(body, response.bodyBytes());
        }
        byte[] bytes = body.toByteArray();
        boolean cutOff = response.bodyBytes() > bytes.length;
        ByteArrayInputStream encoded = new ByteArrayInputStream(bytes);
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        long most = counted ? MOST_BYTES : KeptBody.CHECKED_BYTES + 1L;
        long read = 0;
        try (InputStream in = reader(coding, bytes, encoded)) {
            byte[] buffer = new byte[BUFFER];
            for (int count = in.read(buffer); count >= 0; count = read < most ? in.read(buffer) : -1) {
                kept.write(buffer, 0, Math.min(count, KeptBody.CHECKED_BYTES - kept.size()));
                read += count;
            }
        } catch (IOException e) {
            if (!cutOff || encoded.available() > 0) {
                String why = e instanceof EOFException ? "ends too early" : e.getMessage();
                throw new MalformedException("Content-Encoding " + coding + ": " + why);
            }
        }
        return new DecodedBody(kept, cutOff ? Received.UNKNOWN : read);
    }

    private static InputStream reader(String coding, byte[] bytes, InputStream body)
            throws IOException, MalformedException {
        return switch (coding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(body);
            case "deflate" -> inflating(bytes, body);
            case "br", "zstd" -> ofLibrary(coding, body);
            default -> throw new MalformedException("Content-Encoding " + coding);
        };
    }

    private static InputStream ofLibrary(String coding, InputStream body) throws IOException, MalformedException {
        if (LIBRARIES.isEmpty()) {
            throw new MalformedException("Content-Encoding " + coding);
        }
        return LIBRARIES.get().decoded(coding, body);
    }

    /** Some servers send it without the header that it should have. */
    private static InputStream inflating(byte[] bytes, InputStream body) {
        boolean zlib =
                bytes.length > 1 && (bytes[0] & 0xf) == 8 && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!zlib);
        return new InflaterInputStream(body, inflater) {
            @Override
            public void close() throws IOException {
                super.close();
                inflater.end();
            }
        };
    }
}
