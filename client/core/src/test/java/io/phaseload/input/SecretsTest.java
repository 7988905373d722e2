package io.phaseload.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "proxy-authorization",
                "COOKIE",
                "X-Api-Key",
                "X-ApiKey",
                "api_key",
                "X-Amz-Security-Token",
                "X-CSRF-Token",
                "X-Client-Secret",
                "X-Hub-Signature-256"
            })
    void aSecretHeaderIsRedacted(String name) {
        assertThat(Secrets.redactHeader(name, "hunter2")).isEqualTo("[redacted]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "Content-Type", "X-Request-Id", "Keep-Alive", "Host"})
    void otherHeadersAreKept(String name) {
        assertThat(Secrets.redactHeader(name, "value")).isEqualTo("value");
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a?b=c, /a?b=c",
        "/a?token=hunter2, /a?token=[redacted]",
        "/a?token=, /a?token=[redacted]",
        "/a?b=c&TOKEN=hunter2&d=e, /a?b=c&TOKEN=[redacted]&d=e",
        "/a?access_token=hunter=2&key=3, /a?access_token=[redacted]&key=[redacted]",
        "https://h/?sig=hunter2#x, https://h/?sig=[redacted]#x",
        "/a?monkey=1&keys=2, /a?monkey=1&keys=2",
        "/token=1, /token=1",
    })
    void aSecretParameterIsRedacted(String uri, String redacted) {
        assertThat(Secrets.redactQuery(uri)).isEqualTo(redacted);
    }
}
