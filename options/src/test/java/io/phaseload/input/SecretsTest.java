package io.phaseload.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    private static final String SECRET = "a b&c/~*é\"🔑\\x%";

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
    @ValueSource(
            strings = {
                SECRET,
                "a+b%26c%2F~*%C3%A9%22%F0%9F%94%91%5Cx%25",
                "a%20b%26c%2f~%2a%c3%a9%22%f0%9f%94%91%5cx%25",
                "a%20b&c/~*%C3%A9%22%F0%9F%94%91\\x%",
                "a b&c/~*é\\\"🔑\\\\x%",
                "a b&c\\/~*\\u00e9\\u0022\\uD83D\\uDD11\\u005Cx%",
                "a b&amp;c/~*é&quot;🔑\\x%",
                "a b&#38;c&#x2f;~*é&#34;&#x1F511;\\x%",
                "YSBiJmMvfirDqSLwn5SRXHgl"
            })
    void aSecretIsRedactedInEachForm(String form) {
        List<String> secrets = List.of("", SECRET);

        assertThat(Secrets.redactValues("<" + form + ">" + form, secrets)).isEqualTo("<[redacted]>[redacted]");
    }

    @Test
    void theLongestSecretIsRedacted() {
        assertThat(Secrets.redactValues("user-1-word, user-1", List.of("user-1", "user-1-word")))
                .isEqualTo("[redacted], [redacted]");
    }

    @ParameterizedTest
    @CsvSource({
        "<pass%20w, <[redacted]",
        "<pass%2, <[redacted]",
        "<p, <[redacted]",
        "<pass word>, <[redacted]>",
        "<pa>, <pa>",
        "<pass wood, <pass wood"
    })
    void thePartOfASecretAtTheEndIsRedacted(String text, String redacted) {
        assertThat(Secrets.redactValuesOfCut(text, List.of("pass word"))).isEqualTo(redacted);
    }

    @Test
    void aTextThatIsWholeKeepsItsEnd() {
        assertThat(Secrets.redactValues("<pass", List.of("pass word"))).isEqualTo("<pass");
    }
}
