package io.phaseload.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.luben.zstd.Zstd;
import io.phaseload.http.response.ContentCoding;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies whose length is right, but whose content isn't whole. */
class ContentCodingTest {

    private static final byte[] TEXT = "br is decoded, too. ".repeat(20).getBytes(StandardCharsets.UTF_8);
    private static final String BROTLI = "G48B+C0O7FgHaPHVVOxYKTZHV2RpDcJS9rZdxsjeZNmbXFAYI8jGBt/KDQ==";

    /** Wherever the content is cut off; 200 bytes are what is kept of a failure's body. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void aTruncatedContentIsMalformed(String coding) throws Exception {
        byte[] whole = encoded(coding, TEXT);
        assertThat(decoded(coding, whole)).isEqualTo(TEXT);
        for (int length = 1; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(MalformedException.class)
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> decoded(coding, part))
                    .withMessageStartingWith("Content-Encoding " + coding + ": ");
        }
    }

    @Test
    void aTruncatedContentOfAnyLengthIsMalformed() throws Exception {
        byte[] whole = encoded("gzip", noise(5_000));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decoded("gzip", Arrays.copyOf(whole, KeptBody.QUOTED_BYTES)))
                .withMessage("Content-Encoding gzip: ends too early");
    }

    /** Of a longer body, only a part was kept. */
    @Test
    void theKeptPartOfALongBodyIsDecoded() throws Exception {
        byte[] content = noise(2 << 20);
        byte[] decoded = decoded("gzip", encoded("gzip", content));
        assertThat(decoded.length).isBetween(KeptBody.CHECKED_BYTES - 1_000, KeptBody.CHECKED_BYTES + (8 << 10));
        assertThat(decoded).isEqualTo(Arrays.copyOf(content, decoded.length));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "zstd"})
    void aLongBodyOfAnotherKindIsMalformed(String coding) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> decoded(coding, noise(2 << 20)));
    }

    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private static byte[] decoded(String coding, byte[] body) throws MalformedException {
        ResponseParser response = new ResponseParser();
        response.begin(false, true, true, null);
        byte[] head = "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(coding, body.length)
                .getBytes(StandardCharsets.ISO_8859_1);
        response.parse(head, 0, head.length);
        response.parse(body, 0, body.length);
        assertThat(response.done()).isTrue();
        return ContentCoding.decoded(response, false).kept().toByteArray();
    }

    private static byte[] encoded(String coding, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        switch (coding) {
            case "gzip" -> {
                try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                    gzip.write(content);
                }
            }
            case "deflate" -> {
                try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
                    deflate.write(content);
                }
            }
            case "br" -> out.write(Base64.getDecoder().decode(BROTLI));
            default -> out.write(Zstd.compress(content));
        }
        return out.toByteArray();
    }
}
