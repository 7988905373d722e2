package io.phaseload.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.journey.Extraction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "json:/items/*/id|FIRST|7",
                "json:/items/*/id|LAST|8",
                "json:/items/*/id|ALL|7,8",
                "json:/items/*/id|COUNT|2",
                "json:/items/*/name|ALL|a\"b",
                "json:/items/*|COUNT|2",
                "json:/deep/*/*|ALL|1,[2,3]",
                "json:/none/*|COUNT|0",
                "json:/items/0/id|LAST|7",
                "regex:[a-z]+=|COUNT|1",
                "regex:\"([ni][da]\\w*)\"|ALL|id,name,id",
                "regex:nothing|COUNT|0",
                "header:set-cookie|LAST|other = 1",
                "header:etag|COUNT|1",
                "cookie:sid|COUNT|1",
            })
    void oneOfSeveralIsTaken(String from, Extraction.Take take, String expected) {
        assertThat(take(Extraction.of("id", from).take(take), BODY)).isTrue();
        assertThat(value()).isEqualTo(expected);
    }

    @Test
    void aRandomOneIsAnyOfThem() {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            take(Extraction.of("id", "regex:\"(id|name)\"").take(Extraction.Take.RANDOM), BODY);
            taken.add(value());
        }
        assertThat(taken).containsExactlyInAnyOrder("id", "name");
        Extraction none = Extraction.of("id", "json:/no/*").take(Extraction.Take.RANDOM);
        assertThat(take(none, BODY)).isFalse();
        assertThat(take(none.orElse("x"), BODY)).isTrue();
    }

    /** The libraries are no burden to who doesn't want them; the runnable jar has them. */
    @Test
    void somePathsTakeLibraries() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> take(Extraction.of("id", "jsonpath:$.a"), BODY))
                .withMessage("expected phaseload-content on the class path, which has the libraries for"
                        + " JSONPath, CSS, XPath, JSON Schema and regular expressions");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Extraction.of("id", "css: "))
                .withMessageStartingWith("css");
    }

    /** A body of which the end was cut off, or that isn't JSON behind the value. */
    @Test
    void whatIsBehindAValueDoesntMatter() {
        assertThat(take(Extraction.of("id", "json:/a"), "{\"a\": 5, \"b\": [1, 2"))
                .isTrue();
        assertThat(value()).isEqualTo("5");
        assertThat(take(Extraction.of("id", "json:/b"), "{\"a\": 5, \"b\": [1, 2"))
                .isFalse();
        assertThat(take(Extraction.of("id", "json:/b"), "no")).isFalse();
    }

    @Test
    @Timeout(20)
    void anExpressionThatGoesBackForEverIsGivenUp() {
        assertThat(take(Extraction.of("id", "regex:(a+)+b"), "a".repeat(5_000))).isFalse();
        // This one would overflow the stack.
        assertThat(take(Extraction.of("id", "regex:(a|b)*c"), "ab".repeat(200_000)))
                .isFalse();
        assertThat(take(Extraction.of("id", "regex:a*(.)$"), "a".repeat(900_000) + "z"))
                .isTrue();
        assertThat(value()).isEqualTo("z");
    }
}
