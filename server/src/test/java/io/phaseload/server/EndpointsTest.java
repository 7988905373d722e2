package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointsTest {

    private static final int MAX_BODY = 2000;
    private static final int MAX_ITEM = 1000;

    private static TargetServer server;
    private static TestClient client;

    @BeforeAll
    static void start() throws IOException {
        server = TargetServer.start(ServerSettings.builder()
                .port(0)
                .maxBodyBytes(MAX_BODY)
                .maxItemBytes(MAX_ITEM)
                .maxItems(3)
                .build());
        client = new TestClient(server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void assertError(HttpResponse<String> response, int status, String reason) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(JsonMap.of(response.body())).containsEntry("error", reason);
    }

    @Test
    void rootIsAlive() throws Exception {
        HttpResponse<String> response = client.get("/");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("alive");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain");
        assertThat(response.headers().firstValue("Content-Length")).hasValue("5");
    }

    @ParameterizedTest
    @CsvSource({"hello, 5", "' ', 1", "héé, 3", "日本語, 3", "😀!, 2", "a=1&b=2, 7"})
    void rootReturnsTheLengthOfAText(String text, String length) throws Exception {
        HttpResponse<String> response = client.send("POST", "/", text);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(length);
    }

    @Test
    void aFormIsATextToo() throws Exception {
        HttpResponse<String> response = client.send(
                "POST", "/", BodyPublishers.ofString("a=1&b=2"), "Content-Type", "application/x-www-form-urlencoded");
        assertThat(response.body()).isEqualTo("7");
    }

    @Test
    void rejectsAnEmptyText() throws Exception {
        assertError(client.send("POST", "/", ""), 400, "the body is empty, expected a text");
    }

    @Test
    void rejectsInvalidUtf8() throws Exception {
        byte[] latin1 = "é".getBytes(StandardCharsets.ISO_8859_1);
        HttpResponse<String> response = client.send("POST", "/", BodyPublishers.ofByteArray(latin1));
        assertError(response, 400, "the body isn't UTF-8");
    }

    @Test
    void acceptsATextUpToTheLimitInEitherFraming() throws Exception {
        byte[] most = "x".repeat(MAX_BODY).getBytes(StandardCharsets.UTF_8);
        assertThat(client.send("POST", "/", BodyPublishers.ofByteArray(most)).body())
                .isEqualTo("2000");
        HttpResponse<String> chunked =
                client.send("POST", "/", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(most)));
        assertThat(chunked.body()).isEqualTo("2000");
    }

    @Test
    void rejectsATextOverTheLimit() throws Exception {
        HttpResponse<String> response = client.send("POST", "/", "x".repeat(MAX_BODY + 1));
        assertError(response, 413, "the body is longer than 2000 bytes");
    }

    @Test
    void rejectsAChunkedTextAsSoonAsItExceedsTheLimit() throws Exception {
        try (Socket socket = client.connect()) {
            String chunk = "7d1\r\n" + "x".repeat(0x7d1) + "\r\n";
            String head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
            // There is no last chunk: a server that read on would wait for it.
            socket.getOutputStream().write((head + chunk).getBytes(StandardCharsets.US_ASCII));
            String response = TestClient.readTo("}", socket.getInputStream());
            assertThat(response)
                    .startsWith("HTTP/1.1 413")
                    .endsWith("{\"error\":\"the body is longer than 2000 bytes\"}");
        }
    }

    @Test
    void storesFindsReplacesAndRemovesItems() throws Exception {
        byte[] bytes = {0, (byte) 0xff, 'x'};
        HttpResponse<String> put =
                client.send("PUT", "/items/a%20b", BodyPublishers.ofByteArray(bytes), "Content-Type", "image/x-test");
        assertThat(put.statusCode()).isEqualTo(201);
        assertThat(put.headers().firstValue("Content-Length")).hasValue("0");
        assertThat(client.raw(rawGet("/items/a%20b")))
                .contains("HTTP/1.1 200", "Content-Type: image/x-test", "Content-Length: 3")
                .endsWith("\0\u00ffx");
        assertThat(client.send("PUT", "/items/a%20b", "new").statusCode()).isEqualTo(204);
        HttpResponse<String> replaced = client.get("/items/a%20b");
        assertThat(replaced.body()).isEqualTo("new");
        assertThat(replaced.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
        assertThat(client.send("DELETE", "/items/a%20b", "").statusCode()).isEqualTo(204);
        assertError(client.get("/items/a%20b"), 404, "no such item");
        assertError(client.send("DELETE", "/items/a%20b", ""), 404, "no such item");
    }

    @Test
    void boundsTheStore() throws Exception {
        assertError(
                client.send("PUT", "/items/large", "x".repeat(MAX_ITEM + 1)),
                413,
                "the body is longer than 1000 bytes");
        String longKey = "k".repeat(257);
        assertError(client.send("PUT", "/items/" + longKey, "x"), 400, "the key is longer than 256 characters");
        for (String key : new String[] {"1", "2", "3"}) {
            assertThat(client.send("PUT", "/items/" + key, "x").statusCode()).isEqualTo(201);
        }
        assertError(client.send("PUT", "/items/4", "x"), 507, "the store is full, it holds 3 items");
        // What is there can still be replaced, and a removal makes room.
        assertThat(client.send("PUT", "/items/3", "y").statusCode()).isEqualTo(204);
        assertThat(client.send("DELETE", "/items/1", "").statusCode()).isEqualTo(204);
        assertThat(client.send("PUT", "/items/4", "x").statusCode()).isEqualTo(201);
        for (String key : new String[] {"2", "3", "4"}) {
            assertThat(client.send("DELETE", "/items/" + key, "").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void delays() throws Exception {
        long before = System.nanoTime();
        HttpResponse<String> response = client.get("/delay?ms=120");
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(120_000_000L);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("120");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ms=", "?ms=-1", "?ms=60001", "?ms=1.5", "?ms=x", "?ms=%25zz"})
    void rejectsAnInvalidDelay(String query) throws Exception {
        assertError(client.get("/delay" + query), 400, "ms: expected a whole number from 0 to 60000");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 205, 299, 302, 304, 400, 404, 429, 500, 503, 599})
    void answersWithTheStatusAskedFor(int status) throws Exception {
        HttpResponse<String> response = client.get("/status/" + status);
        assertThat(response.statusCode()).isEqualTo(status);
        if (status >= 400) {
            assertError(response, status, "status " + status + ", as asked");
        } else if (status == 204 || status == 205 || status == 304) {
            assertThat(response.body()).isEmpty();
        } else {
            assertThat(response.body()).isEqualTo(Integer.toString(status));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/100", "/199", "/600", "/abc", "/200/x", "/-1"})
    void rejectsAnInvalidStatus(String rest) throws Exception {
        assertError(client.get("/status" + rest), 400, "expected /status/ and a number from 200 to 599");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 27, 100_000})
    void sendsBytes(int length) throws Exception {
        HttpResponse<String> response = client.get("/bytes/" + length);
        assertThat(response.headers().firstValue("Content-Length")).hasValue(Integer.toString(length));
        String alphabet = "abcdefghijklmnopqrstuvwxyz";
        assertThat(response.body()).isEqualTo(alphabet.repeat(length / 26 + 1).substring(0, length));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/-1", "/67108865", "/99999999999999999999", "/1k"})
    void rejectsBytesOverTheLimit(String rest) throws Exception {
        assertError(client.get("/bytes" + rest), 400, "expected /bytes/ and a number from 0 to 67108864");
    }

    @ParameterizedTest
    @CsvSource({"/, 5", "/delay?ms=0, 1", "/status/200, 3", "/bytes/30000, 30000"})
    void headIsAGetWithoutItsBody(String path, String length) throws Exception {
        HttpResponse<String> response = client.send("HEAD", path, BodyPublishers.noBody());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Length")).hasValue(length);
        // On the wire, nothing follows the headers.
        String request = "HEAD " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        assertThat(client.raw(request)).endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/index.html", "/delay/x", "/items/", "/items/a/b"})
    void anUnknownPathIsNotFound(String path) throws Exception {
        for (String method : new String[] {"GET", "POST", "PUT"}) {
            HttpResponse<String> response = client.send(method, path, "x");
            assertError(response, 404, "not found");
            assertThat(JsonMap.of(response.body())).containsEntry("path", path);
        }
    }

    @Test
    void thePathOfANotFoundIsEscaped() throws Exception {
        String response = client.raw(rawGet("/no'such%22\u00e9<b>"));
        assertThat(response).startsWith("HTTP/1.1 4").doesNotContain("<html");
        String body = response.substring(response.indexOf("\r\n\r\n") + 4);
        assertThat(JsonMap.of(body)).containsKey("error");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /, 'GET, HEAD, POST'",
        "DELETE, /, 'GET, HEAD, POST'",
        "OPTIONS, /, 'GET, HEAD, POST'",
        "TRACE, /, 'GET, HEAD, POST'",
        "BREW, /, 'GET, HEAD, POST'",
        "POST, /items/a, 'GET, HEAD, PUT, DELETE'",
        "POST, /delay?ms=1, 'GET, HEAD'",
        "POST, /status/200, 'GET, HEAD'",
        "DELETE, /bytes/1, 'GET, HEAD'",
        "POST, /metrics, 'GET, HEAD'",
        "POST, /metrics.json, 'GET, HEAD'"
    })
    void aWrongMethodGetsTheAllowedOnes(String method, String path, String allowed) throws Exception {
        HttpResponse<String> response = client.send(method, path, BodyPublishers.noBody());
        assertError(response, 405, method + " isn't allowed, only " + allowed);
        assertThat(response.headers().firstValue("Allow")).hasValue(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GARBAGE\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /items/a%2Fb HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"
            })
    void errorsOfTomcatAreJsonToo(String request) throws Exception {
        String response = client.raw(request);
        assertThat(response).startsWith("HTTP/1.1 400").contains("application/json");
        String body = response.substring(response.indexOf("\r\n\r\n") + 4);
        assertThat(JsonMap.of(body)).containsKey("error");
    }

    @Test
    void aConnectionIsKeptForMoreThanAHundredRequests() throws Exception {
        try (Socket socket = client.connect()) {
            byte[] request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 250; i++) {
                socket.getOutputStream().write(request);
                assertThat(TestClient.readTo("alive", socket.getInputStream()))
                        .startsWith("HTTP/1.1 200")
                        .doesNotContain("Connection: close");
            }
        }
    }

    private static String rawGet(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    }
}
