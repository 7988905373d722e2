package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({
        // The base itself.
        "http://host, /, /",
        "http://host/, /, /",
        "http://host/app, /, /app",
        "http://host/app/, /, /app/",
        "http://host?a=1, /, /?a=1",
        "http://host/app?a=1, /, /app?a=1",
        // A path is appended to the base's.
        "http://host, /items, /items",
        "http://host/, /items, /items",
        "http://host/app, /items, /app/items",
        "http://host/app/, /items, /app/items",
        "http://host/app/, /items/, /app/items/",
        "http://host/app, /items?n=1&m=2, /app/items?n=1&m=2",
        "http://host, /?n=1, /?n=1",
        // Encoding stays as it is.
        "http://host/a%20b, /c%2Fd, /a%20b/c%2Fd",
        "http://host/app?q=%26, /, /app?q=%26",
    })
    void requestTarget(URI uri, String path, String expected) {
        assertThat(Target.of(uri).requestTarget(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080/, localhost, 8080, false",
        "http://localhost, localhost, 80, false",
        "https://example.org/x, example.org, 443, true",
        "HTTPS://example.org, example.org, 443, true",
        "https://example.org:8443, example.org, 8443, true",
        "http://127.0.0.1:1, 127.0.0.1, 1, false",
        "http://[::1]:8080/, ::1, 8080, false",
        "https://[2001:db8::2]/, 2001:db8::2, 443, true",
        "http://localhost:65535, localhost, 65535, false",
        "http://localhost:/, localhost, 80, false",
    })
    void hostPortAndTls(URI uri, String host, int port, boolean tls) {
        Target target = Target.of(uri);

        assertThat(target.host()).isEqualTo(host);
        assertThat(target.port()).isEqualTo(port);
        assertThat(target.tls()).isEqualTo(tls);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "/path",
                "localhost:8080",
                "ftp://host/",
                "http:///path",
                "http:opaque",
                "http://host:0/",
                "http://host:65536/",
                "http://under_score/"
            })
    void aUriWithoutAServerIsRejected(URI uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Target.of(uri))
                .withMessage("url '%s': expected http://host[:port]/path or https://…", uri);
    }

    @ParameterizedTest
    @CsvSource({
        "http://h/ü, http://h/%C3%BC",
        "http://h/a%20b/日?q=ö&r=%26, http://h/a%20b/%E6%97%A5?q=%C3%B6&r=%26",
        "http://h/\uD83D\uDE00, http://h/%F0%9F%98%80",
        "http://bücher.example, http://xn--bcher-kva.example",
        "http://Bücher.example:8080/ü, http://xn--bcher-kva.example:8080/%C3%BC",
    })
    void nonAsciiCharactersAreEncoded(URI uri, URI sent) {
        assertThat(Target.of(uri).uri()).isEqualTo(sent);
    }

    /** One standard has it as strasse.example, the next one as another host. */
    @Test
    void aHostThatStandardsDisagreeOnIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Target.of(URI.create("http://straße.example/")))
                .withMessage("host 'straße.example': expected its ASCII form (xn--…)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Target.of(URI.create("http://b_ü.example/")))
                .withMessage("host 'b_ü.example': expected a name of letters, digits and -");
    }

    @Test
    void userInformationIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Target.of(URI.create("http://me:hunter2@host/")))
                .withMessage("url 'http://…@host/': expected no user information; send an Authorization" + " header");
    }

    /** The JDK finds no user information in the last three, since it finds no host in them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:hunter2@host/",
                "http://hunter2@host/",
                "http://me:hunter2@host:0/",
                "ftp://me:hunter2@host/",
                "http://me:hunter2@under_score/",
                "http://me:hunter2@host:port/",
                "http://a@hunter2@host/"
            })
    void userInformationIsNotEchoed(URI uri) {
        assertThat(catchThrowable(() -> Target.of(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url '")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aFragmentIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Target.of(URI.create("http://host/#top")))
                .withMessage("url 'http://host/#top': expected no fragment (#…)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT721H"})
    void timeoutsOutOfRangeAreRejected(Duration timeout) {
        URI uri = URI.create("http://host/");
        Duration fine = Duration.ofSeconds(1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Target(uri, List.of(), timeout, fine, false))
                .withMessage("connect timeout %s: expected more than 0 and at most 30 days", timeout);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Target(uri, List.of(), fine, timeout, false))
                .withMessage("response timeout %s: expected more than 0 and at most 30 days", timeout);
    }

    @Test
    void timeoutsAreFiniteByDefault() {
        Target target = Target.of(URI.create("http://host/"));

        assertThat(target.connectTimeout()).hasSeconds(5);
        assertThat(target.responseTimeout()).hasSeconds(5);
    }
}
