package io.phaseload.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.OneUser;
import io.phaseload.http.Script;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request to the byte, as encoded and as it comes to a server. */
class PreparedRequestTest {

    private static final Target TARGET = target("http://Host.Example:8080/base/?q=1");

    @Test
    void get() {
        assertThat(wire(TARGET, Operation.get("/")))
                .isEqualTo(lines(
                        "GET /base/?q=1 HTTP/1.1",
                        "Accept: */*",
                        "Host: host.example:8080",
                        "User-Agent: phaseload",
                        "",
                        ""));
    }

    @Test
    void post() {
        assertThat(wire(TARGET, Operation.post("/items?a=b", Body.ofText("grün €"))))
                .isEqualTo(lines(
                        "POST /base/items?a=b HTTP/1.1",
                        "Accept: */*",
                        "Content-Type: text/plain; charset=utf-8",
                        "Host: host.example:8080",
                        "User-Agent: phaseload",
                        "Content-Length: 9",
                        "",
                        "gr\u00c3\u00bcn \u00e2\u0082\u00ac"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"item\": 7} | application/json",
                "` [1, {}]\n` | application/json",
                "{item} | text/plain; charset=utf-8",
                "{} {} | text/plain; charset=utf-8",
                "[1, | text/plain; charset=utf-8",
                "7 | text/plain; charset=utf-8",
                "`` | text/plain; charset=utf-8"
            })
    void aJsonBodyGetsItsContentType(String body, String type) {
        assertThat(wire(TARGET, Operation.post("/", Body.ofText(body)))).contains("\r\nContent-Type: " + type + "\r\n");
    }

    @Test
    void anExplicitContentTypeIsKept() {
        Target target = new Target(
                TARGET.uri(),
                List.of(new Header("content-type", "application/hal+json")),
                OneUser.LONG,
                OneUser.LONG,
                false);

        assertThat(wire(target, Operation.post("/", Body.ofText("{}"))))
                .contains("\r\ncontent-type: application/hal+json\r\n")
                .doesNotContain("application/json");
    }

    @Test
    void bodyBytesAreUnchanged() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        byte[] wire = new PreparedRequest(TARGET, Operation.post("/", Body.ofBytes(bytes))).wire();

        assertThat(Arrays.copyOfRange(wire, wire.length - 256, wire.length)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH"})
    void methodsThatUsuallyHaveABodySendALengthOfZero(String method) {
        assertThat(wire(TARGET, Operation.of(method, "/"))).contains("\r\nContent-Length: 0\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "DELETE", "OPTIONS"})
    void otherMethodsSendNoLength(String method) {
        assertThat(wire(TARGET, Operation.of(method, "/"))).doesNotContain("Content-Length");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,true",
        "HEAD,true",
        "OPTIONS,true",
        "TRACE,true",
        "PUT,true",
        "DELETE,true",
        "POST,false",
        "PATCH,false"
    })
    void someMethodsAreIdempotent(String method, boolean idempotent) {
        assertThat(new PreparedRequest(TARGET, Operation.of(method, "/")).idempotent())
                .isEqualTo(idempotent);
    }

    @Test
    void anyMethodMayHaveABody() {
        assertThat(wire(TARGET, Operation.of("DELETE", "/").withBody(Body.ofText("x"))))
                .startsWith("DELETE /base/?q=1 HTTP/1.1\r\n")
                .endsWith("Content-Length: 1\r\n\r\nx");
    }

    @ParameterizedTest
    @CsvSource({
        "http://a,              /,      /",
        "http://a/,             /,      /",
        "http://a?q=1,          /,      /?q=1",
        "http://a/b,            /,      /b",
        "http://a/b?q=1,        /,      /b?q=1",
        "http://a/b/?q=1,       /c,     /b/c",
        "http://a/b,            /c?d=e, /b/c?d=e",
        "http://a,              /c,     /c",
        "http://a/%C3%BC%20x,   /%2F,   /%C3%BC%20x/%2F"
    })
    void requestTarget(String uri, String path, String expected) {
        assertThat(wire(target(uri), Operation.get(path))).startsWith("GET " + expected + " HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://EXAMPLE,         example",
        "http://example:80,      example:80",
        "https://example:8443/x, example:8443",
        "http://[::1]:8080,      [::1]:8080",
        "http://127.0.0.1,       127.0.0.1"
    })
    void host(String uri, String expected) {
        assertThat(wire(target(uri), Operation.get("/"))).contains("\r\nHost: " + expected + "\r\n");
    }

    @Test
    void operationHeadersOverrideTargetHeadersWhichOverrideDefaults() {
        Target target = new Target(
                URI.create("http://example"),
                List.of(
                        new Header("user-agent", "target"),
                        new Header("HOST", "other.example"),
                        new Header("X-Target", "1"),
                        new Header("X-Both", "target")),
                OneUser.LONG,
                OneUser.LONG,
                false);
        Operation operation = new Operation(
                "all",
                "POST",
                "/",
                List.of(
                        new Header("x-both", "operation"),
                        new Header("content-type", "text/csv"),
                        new Header("X-Latin", "gr\u00fcn")),
                Optional.of(Body.ofText("a")),
                List.of());

        assertThat(wire(target, operation))
                .isEqualTo(lines(
                        "POST / HTTP/1.1",
                        "Accept: */*",
                        "content-type: text/csv",
                        "HOST: other.example",
                        "user-agent: target",
                        "x-both: operation",
                        "X-Latin: gr\u00fcn",
                        "X-Target: 1",
                        "Content-Length: 1",
                        "",
                        "a"));
    }

    /** No {@code Expect: 100-continue}, nothing else: the wire is what was prepared. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8_000, 8_192, 100_000, 5_000_000})
    void reachesTheServerAsEncoded(int size) throws Exception {
        Operation operation = Operation.post("/a", Body.ofText("x".repeat(size)));
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.send(operation).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(user.send(operation).outcome()).isEqualTo(Outcome.SUCCESS);

            String expected = wire(Target.of(server.uri()), operation);
            assertThat(expected).doesNotContainIgnoringCase("expect").endsWith("x".repeat(size));
            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().get(0).equals(expected)).isTrue();
            assertThat(server.requests().get(1).equals(expected)).isTrue();
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private static Target target(String uri) {
        return Target.of(URI.create(uri));
    }

    private static String wire(Target target, Operation operation) {
        return new String(new PreparedRequest(target, operation).wire(), StandardCharsets.ISO_8859_1);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines);
    }
}
