package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept: text/html|Accept|text/html",
                "Accept:text/html|Accept|text/html",
                "'  Accept :  text/html  '|Accept|text/html",
                "X-Empty:|X-Empty|''",
                "X-Time: 12:30:00|X-Time|12:30:00",
            })
    void parseSplitsAtTheFirstColon(String text, String name, String value) {
        assertThat(Header.parse(text)).isEqualTo(new Header(name, value));
    }

    /** What was given may be a secret, so the message doesn't repeat it. */
    @ParameterizedTest
    @ValueSource(strings = {"hunter2", ": hunter2", ""})
    void aTextWithoutANameIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Header.parse(text))
                .withMessageContaining("expected 'Name: value'")
                .withMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "ä", "a(b)", "a\"b"})
    void aNameThatIsNotATokenIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Header(name, "x"))
                .withMessage("header name '%s': expected letters, digits and -", name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2\r\nX-Other: 1", "hunter2\n", "hunter2\0", "hunter2\u007f", "hunter2€"})
    void aValueThatWouldBreakTheMessageIsRejectedAndNotEchoed(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Header("X-Key", value))
                .withMessage("header X-Key: expected a value without control characters, in Latin-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Upgrade", "Trailer"})
    void aHeaderThatFramesTheMessageIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Header(name, "1"))
                .withMessage("header %s: the client sets it itself", name);
    }

    @Test
    void onlyOneThingCanBeExpected() {
        assertThat(new Header("expect", "100-Continue").value()).isEqualTo("100-Continue");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Header("Expect", "200-ok"))
                .withMessage("header Expect: expected 100-continue");
    }

    @Test
    void everyLatin1ValueIsAccepted() {
        assertThat(new Header("X-Name", "Grüße\tan ÿ~").value()).isEqualTo("Grüße\tan ÿ~");
    }
}
