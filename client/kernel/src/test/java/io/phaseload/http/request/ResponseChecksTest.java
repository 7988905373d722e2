package io.phaseload.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.ContentCoding;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.check.Check;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseChecksTest {

    private static final long SERVICE_NANOS = 200_000_000;

    private record Whole(int status, byte[] head, ByteArrayOutputStream body, long bodyBytes) implements Received {
        @Override
        public long retryAfter() {
            return -1;
        }
    }

    private static Whole response(int status, String head, byte[] body) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        kept.write(body, 0, Math.min(body.length, KeptBody.CHECKED_BYTES));
        return new Whole(status, head.getBytes(StandardCharsets.ISO_8859_1), kept, body.length);
    }

    private static Outcome outcome(String checks, Received response) {
        return new ResponseChecks(Check.parse(checks)).outcome(response, null, SERVICE_NANOS);
    }

    private static Outcome outcome(String checks, String body) {
        return outcome(checks, response(200, "Set-Cookie: sid=s3\n", body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "status!=404,       200, success",
        "status!=404,       404, check status!=404",
        "status!=404,       403, http 403",
        "status!=404,       500, http 500",
        "not:status<300,    302, success",
        "not:status<300,    200, check not:status<300",
        "not:status<300,    404, http 404",
        "status!=503,       503, http 503",
        "status<500,        404, success",
        "status<500,        503, http 503",
        "status<500,        429, success",
        "status>=200,       503, success",
        "status<500 status!=404, 404, check status!=404",
        "status<500 status!=404, 403, success",
        "status=404 as gone,     200, gone",
        "status!=302 as moved,   302, moved",
        "warn:status=404,        404, http 404",
    })
    void aStatusSucceedsOnlyWhereItIsAllowed(String checks, int status, String cause) {
        assertThat(outcome(checks, response(status, "", new byte[0])).cause().key())
                .isEqualTo(cause);
    }

    @Test
    void aBodyThatWasCutOffProvesNeitherACheckNorItsOpposite() {
        Whole large = response(200, "", new byte[KeptBody.CHECKED_BYTES + 1]);
        for (String check : List.of("sha256=" + "0".repeat(64), "bytes=00")) {
            for (String one : List.of(check, "not:" + check)) {
                assertThat(outcome(one, large))
                        .isInstanceOf(Outcome.CheckFailure.class)
                        .extracting(Outcome::detail)
                        .isEqualTo("only the first MiB of the body is kept");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "json:/state!=error,       <html>",
        "not:json:/x,              <html>",
        "not:json:/x,              ''",
        "body!~error,              ''",
        "body!=error,              ''",
        "sha256!=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b850, ''",
        "type!=json,               {}",
        "header:X-Id!=1,           {}",
        "warn:json:/state!=error,  {}",
    })
    void aNegatedCheckWithoutAValueHasNothingToCheck(String check, String body) {
        String cause = Check.parse(check).get(0).cause();
        assertThat(outcome(check, body)).isEqualTo(new Outcome.Success(Map.of(), Map.of(), Set.of(cause)));
    }

    @ParameterizedTest
    @CsvSource({
        "json:/state!=error,  '{\"state\":\"ok\"}'",
        "not:json:/x,         {}",
        "not:header:X-Id,     {}",
        "not:cookie:other,    {}",
        "body!~error,         ok",
        "json:/zip!=01234,    '{\"zip\":\"1234\"}'",
        "json:/zip=1234,      '{\"zip\":\"1234\"}'",
        "json:/zip>1000,      '{\"zip\":\"1234\"}'",
        "json:/zip=1234.0,    '{\"zip\":1234}'",
        "json:/zips/*=1234.0, '{\"zips\":[1234]}'",
        "json:/zips/*!=01234, '{\"zips\":[\"1234\"]}'",
        "time<201ms,          {}",
        "time>199ms,          {}",
    })
    void aCheckHoldsWithoutFurtherAdo(String check, String body) {
        assertThat(outcome(check, body)).isSameAs(Outcome.SUCCESS);
    }

    @ParameterizedTest
    @CsvSource({
        "cookie:sid=other,        found: [redacted]",
        "header:Set-Cookie=other, found: [redacted]",
        "json:/a/accessToken=x,   found: [redacted]",
        "json:/a/key=x,           found: [redacted]",
        "json:/a/keyboard=x,      found: 3",
        "json:/b=x,               found: 4",
        "time>300ms,              time 200.000 ms",
        "size=3,                  size 53",
    })
    void aFailureQuotesItsValueUnlessItIsASecret(String check, String detail) {
        String body = "{\"a\":{\"accessToken\":1,\"key\":2,\"keyboard\":3},\"b\":4}";
        assertThat(outcome(check, body + " ".repeat(53 - body.length())))
                .isInstanceOf(Outcome.CheckFailure.class)
                .extracting(Outcome::detail)
                .isEqualTo(detail);
        Outcome.Success soft = (Outcome.Success) outcome("warn:" + check, body + " ".repeat(53 - body.length()));
        assertThat(soft.warnings()).containsValue(detail);
    }

    @Test
    void theSizeOfAnEncodedBodyIsThatOfItsContent() throws Exception {
        int large = (3 << 20) + 17;
        Whole zeros = response(200, "Content-Encoding: gzip\n", gzip(new byte[large]));
        assertThat(ContentCoding.decoded(zeros, true).bytes()).isEqualTo(large);
        assertThat(ContentCoding.decoded(zeros, true).kept().size()).isEqualTo(KeptBody.CHECKED_BYTES);
        assertThat(ContentCoding.decoded(zeros, false).bytes()).isGreaterThan(KeptBody.CHECKED_BYTES);
        Whole plain = response(200, "", new byte[large]);
        assertThat(ContentCoding.decoded(plain, true).bytes()).isEqualTo(large);
    }

    @Test
    void theSizeOfAnEncodedBodyThatWasCutOffIsUnknown() throws Exception {
        byte[] noise = new byte[KeptBody.CHECKED_BYTES * 2];
        new Random(1).nextBytes(noise);
        ContentCoding.DecodedBody content =
                ContentCoding.decoded(response(200, "Content-Encoding: gzip\n", gzip(noise)), true);
        assertThat(content.bytes()).isEqualTo(Received.UNKNOWN);
        Whole unknown = new Whole(200, new byte[0], content.kept(), content.bytes());
        for (String check : List.of("size>3", "not:size>3")) {
            assertThat(outcome(check, unknown).detail()).isEqualTo("only the first MiB of the encoded body is kept");
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(content);
        }
        return out.toByteArray();
    }
}
