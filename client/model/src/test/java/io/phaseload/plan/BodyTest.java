package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodyTest {

    @Test
    void textIsSentAsUtf8() {
        Body body = Body.ofText("Grüße €");

        assertThat(body.bytes()).isEqualTo("Grüße €".getBytes(StandardCharsets.UTF_8));
        assertThat(body.text()).hasValue("Grüße €");
    }

    @Test
    void bytesThatAreNotUtf8HaveNoText() {
        assertThat(Body.ofBytes(new byte[] {(byte) 0xff, 0}).text()).isEmpty();
    }

    @Test
    void isImmutable() {
        byte[] given = {'a', 'b'};
        Body body = Body.ofBytes(given);

        given[0] = 'x';
        body.bytes()[1] = 'y';

        assertThat(body.text()).hasValue("ab");
    }

    @Test
    void bodiesWithTheSameBytesAreEqual() {
        Body text = Body.ofText("ab");
        Body bytes = Body.ofBytes(new byte[] {'a', 'b'});

        assertThat(text).isEqualTo(bytes).hasSameHashCodeAs(bytes);
        assertThat(text).isNotEqualTo(Body.ofText("abc")).isNotEqualTo("ab");
    }

    /** A body may hold a password. */
    @Test
    void itsContentsStayOutOfLogs() {
        assertThat(Body.ofText("hunter2")).hasToString("Body[7 bytes]");
    }
}
