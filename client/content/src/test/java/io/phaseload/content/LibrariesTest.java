package io.phaseload.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.luben.zstd.Zstd;
import io.phaseload.journey.ContentReader;
import io.phaseload.plan.journey.Extraction;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in bodies, by libraries as the class path has them. */
@Timeout(60)
class LibrariesTest {

    private static final String JSON =
            """
            {"items": [{"id": 7, "name": "a\\"b", "price": 1.50}, {"id": 8, "deep": {"id": 9}}],
             "none": null, "yes": true, "big": 12345678901234567890} \
            """;

    private static final String HTML =
            """
            <!doctype html><title>Shop &amp; more</title>
            <form><input name=csrf value='t&quot;0k'><input name=other></form>
            <ul><li class=item data-id=7>First <b>one</b><li class="item new" data-id=8>Second</ul>
            <a href="/next?a=1&amp;b=2">next</a> <A HREF=/last title="x@y">last</A>
            """;

    private static List<String> find(String from, String body) {
        return find(from, body.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> find(String from, byte[] body) {
        Extraction extraction = Extraction.of("x", from);
        return ContentReader.required()
                .finder(extraction.source(), extraction.expression())
                .find(body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "$.items[0].id|7",
                "$.items[*].id|7;8",
                "$..id|7;8;9",
                "$.items[-1].deep|{\"id\":9}",
                "$['items'][0]['name']|a\"b",
                "$.items[?(@.id > 7)].id|8",
                "$.items[?(@.name)].price|1.50",
                "$.items.length()|2",
                "$.yes|true",
                "$.big|12345678901234567890",
                "$.none|",
                "$.no.such.thing|",
                "$.items[5].id|",
            })
    void valuesOfJson(String path, String expected) {
        assertThat(String.join(";", find("jsonpath:" + path, JSON))).isEqualTo(expected == null ? "" : expected);
    }

    /** It was cut off behind its first MiB, or was never JSON: it has no values, and no end. */
    @ParameterizedTest
    @ValueSource(strings = {"", "no", "{\"a\": 5, \"fill\": \"xxx", "[[["})
    void whatIsntWholeHasNoValues(String body) {
        assertThat(find("jsonpath:$.a", body)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "css:input[name=csrf]@value|t\"0k",
                "css:title|Shop & more",
                "css:li.item|First one;Second",
                "css:li.item@data-id|7;8",
                "css:li.new|Second",
                "css:a@href|/next?a=1&b=2;/last",
                "css:a[title=\"x@y\"]|last",
                "css:a[title=\"x@y\"]@HREF|/last",
                "css:input@value|t\"0k",
                "css:li:matches(S.c)|Second",
                "css:table|",
                "xpath://input[@name='csrf']/@value|t\"0k",
                "xpath://title|Shop & more",
                "xpath://li|First one;Second",
                "xpath://li[2]/@data-id|8",
                "xpath:count(//li)|2",
                "xpath:sum(//li/@data-id) div 2|7.5",
                "xpath:string(//a/@href)|/next?a=1&b=2",
                "xpath:string(//table)|",
                "xpath:number(//a)|",
                "xpath:count(//li) > 1|true",
                "xpath://table|",
            })
    void valuesOfHtml(String from, String expected) {
        assertThat(String.join(";", find(from, HTML))).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void htmlSaysItsEncoding() {
        byte[] latin = "<meta charset=ISO-8859-1><p>\u00e9".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(find("css:p", latin)).containsExactly("\u00e9");
        assertThat(find("css:p", "<p>\u00e9")).containsExactly("\u00e9");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jsonpath:$[|a JSONPath: ",
                "jsonpath:$.a[?(@.b =~ /(a+)+c/)]|a JSONPath without =~, which may never end",
                "css:li[|a CSS selector: ",
                "xpath://li[|an XPath: ",
            })
    void mistakesAreNamed(String from, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> find(from, ""))
                .withMessageStartingWith("expected " + expected);
    }

    private static final String TEXT = "br is decoded, too. ".repeat(20);

    private static String decoded(String coding, byte[] body) throws IOException {
        try (InputStream in = ContentReader.required().decoded(coding, new ByteArrayInputStream(body))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void bodiesAreDecoded() throws IOException {
        byte[] brotli = Base64.getDecoder().decode("G48B+C0O7FgHaPHVVOxYKTZHV2RpDcJS9rZdxsjeZNmbXFAYI8jGBt/KDQ==");
        byte[] zstd = Zstd.compress(TEXT.getBytes(StandardCharsets.UTF_8));
        assertThat(decoded("br", brotli)).isEqualTo(TEXT);
        assertThat(decoded("zstd", zstd)).isEqualTo(TEXT);
        for (String coding : List.of("br", "zstd")) {
            byte[] body = coding.equals("br") ? brotli : zstd;
            assertThatIOException().isThrownBy(() -> decoded(coding, Arrays.copyOf(body, body.length - 3)));
            assertThatIOException().isThrownBy(() -> decoded(coding, new byte[] {1, 2, 3, 4, 5}));
        }
    }

    /** On an event loop, all users wait meanwhile. */
    @Test
    @Timeout(20)
    void nothingTakesForEver() {
        assertThat(find("css:p:matches((a+)+b)", "<p>" + "a".repeat(10_000))).isEmpty();
        assertThat(find("css:b > b@x", "<b>".repeat(100_000))).isEmpty();
        assertThat(find("xpath://i", "<b>".repeat(100_000))).isEmpty();
        assertThat(find("jsonpath:$..a", "[".repeat(500_000))).isEmpty();
    }

    @Test
    void aRegularExpressionTakesLinearTime() {
        assertThat(ContentReader.required().pattern("(a+)+$").test("a".repeat(100_000) + "b"))
                .isFalse();
        assertThat(ContentReader.required().pattern("id=\\d+").test("the id=12"))
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContentReader.required().pattern("(?=a)"))
                .withMessageStartingWith("expected a regular expression of RE2: ");
    }

    @Test
    void aSchemaNamesTheFirstDeviation() {
        Function<byte[], Optional<String>> deviation = ContentReader.required()
                .schema(
                        bytes(
                                """
                                        {"type": "object", "required": ["id"], "properties":
                                         {"id": {"type": "integer"}, "name": {"pattern": "^[a-z]+$"}}}
                                        """));
        assertThat(deviation.apply(bytes("{\"id\": 1, \"name\": \"a\"}"))).isEmpty();
        assertThat(deviation.apply(bytes("{\"id\": \"x\"}")).orElseThrow()).contains("/id", "integer");
        assertThat(deviation.apply(bytes("{\"id\": 1, \"name\": \"A\"}"))).isPresent();
        assertThat(deviation.apply(bytes("{")).orElseThrow()).startsWith("not JSON: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"pattern\": \"(\"}", "{\"$ref\": \"https://example.org/x\"}"})
    void aDocumentThatIsNoSchemaIsRejected(String schema) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContentReader.required().schema(bytes(schema)))
                .withMessageStartingWith("expected a JSON Schema: ");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
