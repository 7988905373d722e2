package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties of causes that were read from files: those of the causes that were written. */
class CauseTest {

    @ParameterizedTest
    @CsvSource({
        "http 503, 503",
        "http 404, 404",
        "http 99, 0",
        "http 5030, 0",
        "http , 0",
        "http 503 at home, 0",
        "check status=503, 0",
        "read timeout, 0",
    })
    void hasTheStatusOfItsKey(String key, int status) {
        Cause cause = Cause.of(key);

        assertThat(cause.status().orElse(0)).isEqualTo(status);
        assertThat(cause.isStatus(any -> true)).isEqualTo(status > 0);
        assertThat(cause.isStatus(such -> such == 503)).isEqualTo(status == 503);
        assertThat(cause.key()).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({
        "client: unknown host, true, false",
        "client: no route to host, true, false",
        "client: too many open files, false, true",
        "client: no free local port, false, true",
        "client: SomeException, false, true",
        "client: stopped in flight, false, false",
        "connect refused, true, false",
        "connect timeout, true, false",
        "tls failure, true, false",
        "read timeout, false, false",
        "success, false, false",
    })
    void saysWhoKeepsTheTargetFromBeingReached(String key, boolean unreachable, boolean limit) {
        Cause cause = Cause.of(key);

        assertThat(cause.isUnreachable()).isEqualTo(unreachable);
        assertThat(cause.isClientLimit()).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({
        "reset before response, true, false",
        "reset in header, true, false",
        "reset in body, true, false",
        "reset by a test, false, false",
        "check body~'alive', false, true",
        "checked, false, false",
    })
    void knowsResetsAndChecks(String key, boolean reset, boolean check) {
        assertThat(Cause.of(key).isReset()).isEqualTo(reset);
        assertThat(Cause.of(key).isCheck()).isEqualTo(check);
    }

    /** Of a status out of range, the text remains. */
    @ParameterizedTest
    @CsvSource({"99, 0", "100, 100", "503, 503", "999, 999", "1000, 0"})
    void isAStatusFromOneHundredTo999(int code, int status) {
        assertThat(Cause.ofStatus(code).key()).isEqualTo("http " + code);
        assertThat(Cause.ofStatus(code).status().orElse(0)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "my own check, true",
        "no token in login, true",
        "success, false",
        "read timeout, false",
        "http 503, false",
        "check body~'alive', false",
        "client: ENOBUFS, false",
    })
    void isNamedByAPlanUnlessItIsKnownOrOfAnotherKind(String key, boolean named) {
        assertThat(Cause.of(key).isNamed()).isEqualTo(named);
    }

    @Test
    void readsAsItsKey() {
        assertThat(Cause.READ_TIMEOUT).hasToString("read timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http 503", "my own check", "client: ENOBUFS", "read timeout"})
    void isEqualByItsKey(String key) {
        assertThat(Cause.of(key)).isEqualTo(Cause.of(key)).isNotEqualTo(Cause.of(key + "x"));
    }
}
