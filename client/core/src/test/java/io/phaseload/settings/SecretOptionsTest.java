package io.phaseload.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretOptionsTest {

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
        assertThat(SecretOptions.redactFlag(flag)).isEqualTo(redacted);
    }

    @Test
    void secretsOfACommandLineAreRedacted() {
        assertThat(SecretOptions.redact(List.of(
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

    @Test
    void thePlaceOfASecretIsNone() {
        List<String> line =
                List.of("-H", "@token.txt", "--bearer-token", "env:TOKEN", "--credentials", "-", "--header=@secrets");
        assertThat(SecretOptions.redact(line)).isEqualTo(line);
        assertThat(SecretOptions.redact(List.of("-u", "@secret", "--bearer-token", "env:a b")))
                .containsExactly("-u", "[redacted]", "--bearer-token", "[redacted]");
    }
}
