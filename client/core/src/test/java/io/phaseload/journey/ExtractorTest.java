package io.phaseload.journey;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.journey.Extraction;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtractorTest {

    private static final String HEAD =
            "ETag: \"1\"\nX-ETag: 2\nset-cookie: sid=ab=c; Path=/\nSet-Cookie: other = 1\nsid: x\n";

    private static final String BODY =
            """
            {"items": [{"id": 7, "name": "a\\"b"}, {"id": 8}], "a/b": true, "none": null,
             "text": "<i value='t0k'>", "deep": {"x": [1, [2, 3]]}} \
            """;

    private final Session session = Sessions.session(0);

    private boolean take(Extraction extraction, String body) {
        return new Extractor(extraction, Sessions.slots()).take(bytes(HEAD), bytes(body), session);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String value() {
        return session.value(Sessions.slots().of("id"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "json:/items/0/id|7",
                "json:/items/1/id|8",
                "json:/items/0/name|a\"b",
                "json:/a~1b|true",
                "json:/deep/x/1/1|3",
                "json:/deep/x|[1,[2,3]]",
                "regex:value='([^']+)'|t0k",
                "regex:t0.|t0k",
                "header:etag|\"1\"",
                "cookie:sid|ab=c"
            })
    void valuesAreFound(String from, String expected) {
        assertThat(take(Extraction.of("id", from), BODY)).isTrue();
        assertThat(value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "json:/items/2/id",
                "json:/items/id",
                "json:/none",
                "json:/text/x",
                "regex:valu='",
                "header:tag",
                "cookie:si"
            })
    void whatIsMissingHasADefaultOrIsAFailure(String from) {
        assertThat(take(Extraction.of("id", from), BODY)).isFalse();
        assertThat(take(Extraction.of("id", from).orElse("none"), BODY)).isTrue();
        assertThat(value()).isEqualTo("none");
    }

    /** A body of which the end was cut off, or that isn't JSON behind the value. */
    @Test
    void whatIsBehindAValueDoesntMatter() {
        assertThat(take(Extraction.of("id", "json:/a"), "{\"a\": 5, \"b\": [1, 2")).isTrue();
        assertThat(value()).isEqualTo("5");
        assertThat(take(Extraction.of("id", "json:/b"), "{\"a\": 5, \"b\": [1, 2")).isFalse();
        assertThat(take(Extraction.of("id", "json:/b"), "no")).isFalse();
    }

    @Test
    @Timeout(20)
    void anExpressionThatGoesBackForEverIsGivenUp() {
        assertThat(take(Extraction.of("id", "regex:(a+)+b"), "a".repeat(5_000))).isFalse();
        // This one would overflow the stack.
        assertThat(take(Extraction.of("id", "regex:(a|b)*c"), "ab".repeat(200_000))).isFalse();
        assertThat(take(Extraction.of("id", "regex:a*(.)$"), "a".repeat(900_000) + "z")).isTrue();
        assertThat(value()).isEqualTo("z");
    }
}
