package io.phaseload.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
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

    @ParameterizedTest
    @CsvSource({
        "-Xmx1g, -Xmx1g",
        "-Dfile.encoding=UTF-8, -Dfile.encoding=UTF-8",
        "-Dpassword=hunter2, -Dpassword=[redacted]",
        "-Djavax.net.ssl.keyStorePassword=a=b, -Djavax.net.ssl.keyStorePassword=[redacted]",
        "-Daws.secretKey=hunter2, -Daws.secretKey=[redacted]",
        "-Durl=https://h/?n=1&token=hunter2, -Durl=https://h/?n=1&token=[redacted]",
    })
    void aSecretFlagIsRedacted(String flag, String redacted) {
        assertThat(Secrets.redactFlag(flag)).isEqualTo(redacted);
    }

    @Test
    void secretsOfACommandLineAreRedacted() {
        assertThat(Secrets.redactArguments(List.of(
                        "java",
                        "-Dheader=Cookie: hunter2",
                        "--url",
                        "https://joe:hunter2@h/?token=hunter2&n=1",
                        "-H",
                        "Authorization: Bearer hunter2",
                        "--header",
                        "Accept: text/plain",
                        "--header=X-Api-Key: hunter2",
                        "--proxy-password",
                        "hunter2",
                        "-u",
                        "joe:hunter2",
                        "--user=joe:hunter2",
                        "-ujoe:hunter2",
                        "-HCookie: hunter2",
                        "-b",
                        "id=hunter2",
                        "--threads",
                        "20")))
                .containsExactly(
                        "java",
                        "-Dheader=Cookie: [redacted]",
                        "--url",
                        "https://[redacted]@h/?token=[redacted]&n=1",
                        "-H",
                        "Authorization: [redacted]",
                        "--header",
                        "Accept: text/plain",
                        "--header=X-Api-Key: [redacted]",
                        "--proxy-password",
                        "[redacted]",
                        "-u",
                        "[redacted]",
                        "--user=[redacted]",
                        "-u[redacted]",
                        "-HCookie: [redacted]",
                        "-b",
                        "[redacted]",
                        "--threads",
                        "20");
    }
}
