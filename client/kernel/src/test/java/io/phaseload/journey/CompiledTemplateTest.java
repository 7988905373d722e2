package io.phaseload.journey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.journey.Template;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompiledTemplateTest {

    private static final Program PROGRAM =
            Program.all(Sessions.plan(List.of(), "/")).get(0);

    private final Session session = Sessions.session(3);
    private final Bytes out = new Bytes();

    @Test
    void whatPathsCantHaveIsPercentEncoded() {
        session.set(Sessions.slots().of("id"), "a b/ü?€\uD83D\uDE00<%41");
        CompiledTemplate.path("/é/{id}", Sessions.slots()).write(session, out);
        assertThat(out).hasToString("/é/a%20b/%C3%BC?%E2%82%AC%F0%9F%98%80%3C%41");
        assertThat(out.refused()).isFalse();
    }

    @Test
    void lineEndsAreRefusedInPathsAndHeaders() {
        CompiledTemplate.path("/{a}", Sessions.slots()).write(session, out);
        assertThat(out.refused()).isTrue();
        out.clear();
        assertThat(out.refused()).isFalse();
        CompiledTemplate.header("{a}", Sessions.slots()).write(session, out);
        assertThat(out.refused()).isTrue();
        out.clear();
        CompiledTemplate.body("{a}", Sessions.slots()).write(session, out);
        assertThat(out.refused()).isFalse();
        assertThat(out).hasToString("x y\r\n\"é");
    }

    @Test
    void headersAreLatin1() {
        session.set(Sessions.slots().of("id"), "é");
        CompiledTemplate.header("ü{id}", Sessions.slots()).write(session, out);
        assertThat(out.length()).isEqualTo(2);
        session.set(Sessions.slots().of("id"), "€");
        CompiledTemplate.header("{id}", Sessions.slots()).write(session, out);
        assertThat(out.refused()).isTrue();
    }

    /** RFC 4231 §4.3 has the HMAC. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{base64:{key}:ü}|ayZ5OsO8",
                "{base64url:{key}:ü?>}|ayZ5OsO8Pz4",
                "{hex:{key}ü}|6b2679c3bc",
                "{urlencode:{key} ü~}|k%26y%20%C3%BC~",
                "{json:{a}}|x y\\r\\n\\\"é",
                "{hmac:id:what do ya want for nothing?}"
                        + "|5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                "{hs256:id:what do ya want for nothing?}|W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM",
                "{user}|3",
                "{random:5..5}|5"
            })
    void functionsEncode(String template, String expected) {
        session.set(Sessions.slots().of("id"), "Jefe");
        assertThat(CompiledTemplate.plain(Template.parse(template), Sessions.slots())
                        .value(session))
                .isEqualTo(expected);
    }

    /** RFC 7515 §5.2: split, decode, and compare the signature with the JDK's own. */
    @Test
    void aJwtIsSignedWithItsKey() throws GeneralSecurityException {
        session.set(Sessions.slots().of("id"), "a key of 32 bytes and a few more");
        String[] parts = CompiledTemplate.header("{jwt:id:{\"sub\":\"user-{user}\",\"iat\":{now:s}}}", Sessions.slots())
                .value(session)
                .split("\\.");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a key of 32 bytes and a few more".getBytes(UTF_8), "HmacSHA256"));
        byte[] signature = mac.doFinal((parts[0] + "." + parts[1]).getBytes(UTF_8));
        assertThat(Base64.getUrlDecoder().decode(parts[2])).isEqualTo(signature);
        assertThat(decoded(parts[0])).isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
        assertThat(decoded(parts[1])).matches("\\{\"sub\":\"user-3\",\"iat\":[0-9]{10}}");
    }

    private static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part), UTF_8);
    }

    @Test
    void momentsHaveUnits() {
        String[] now = CompiledTemplate.body("{now:s} {now} {now:us}", Sessions.slots())
                .value(session)
                .split(" ");
        assertThat(Long.parseLong(now[1]) / 1_000 - Long.parseLong(now[0])).isBetween(0L, 10L);
        assertThat(Long.parseLong(now[2]) / 1_000 - Long.parseLong(now[1])).isBetween(0L, 10_000L);
    }

    @Test
    void countersAndIterationsGoOn() {
        JourneyData data = Sessions.data();
        CompiledTemplate text = CompiledTemplate.body("{counter}/{counter:user}/{iteration}/{user}", data.slots());
        Session one = new Session(data, 0, new SplittableRandom(1));
        Session other = new Session(data, 1, new SplittableRandom(1));
        one.begin(PROGRAM);
        assertThat(text.value(one)).isEqualTo("1/1/0/0");
        other.begin(PROGRAM);
        assertThat(text.value(other)).isEqualTo("2/1/0/1");
        one.begin(PROGRAM);
        assertThat(text.value(one)).isEqualTo("3/2/1/0");
        Session nextPhase = new Session(data, 0, new SplittableRandom(1));
        nextPhase.begin(PROGRAM);
        assertThat(text.value(nextPhase)).isEqualTo("4/3/2/0");
    }

    @Test
    void randomNumbersAreInTheirRangeAndUuidsOfVersion4() {
        CompiledTemplate text = CompiledTemplate.body("{random:-3..3} {uuid}", Sessions.slots());
        for (int i = 0; i < 200; i++) {
            assertThat(text.value(session))
                    .matches("-?[0-3] [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        }
    }

    /** Else the second run would fail at a target that keeps what the first one made. */
    @Test
    void uuidsDifferFromRunToRunAndRandomNumbersDoNot() {
        Session nextRun = Sessions.session(3);
        CompiledTemplate numbers = CompiledTemplate.body("{random:1..1000000} {random:1..1000000}", Sessions.slots());
        assertThat(numbers.value(nextRun)).isEqualTo(numbers.value(session));
        CompiledTemplate uuid = CompiledTemplate.body("{uuid}", Sessions.slots());
        assertThat(uuid.value(nextRun)).isNotEqualTo(uuid.value(session));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-7, -7", "1234567890123, 1234567890123"})
    void numbersAreDecimal(long number, String expected) {
        out.add(number);
        assertThat(out).hasToString(expected);
        out.clear();
        out.add(Long.MIN_VALUE);
        assertThat(out).hasToString("-9223372036854775808");
    }

    @Test
    void anIterationRemembersNothingOfTheOneBefore() {
        session.set(Sessions.slots().of("id"), "7");
        session.begin(PROGRAM);
        assertThat(CompiledTemplate.body("{id}{key}", Sessions.slots()).value(session))
                .isEqualTo("k&y");
    }

    @Test
    void whatTheEnvironmentLacksIsNamed() {
        assertThatThrownBy(() -> JourneyData.open(Sessions.plan(List.of(), "/"), Map.of()))
                .hasMessage("variable key: expected KEY in the environment");
    }
}
