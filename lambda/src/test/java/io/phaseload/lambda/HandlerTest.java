package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerTest {

    private final Handler handler = new Handler();

    private Reply stored(String event) {
        return Reply.to(Events.stored(event), handler);
    }

    private Reply send(String method, String path) {
        return Reply.to(Events.of(method, path), handler);
    }

    private Reply send(String method, String path, String body) {
        return Reply.to(Events.of(method, path, body.getBytes(StandardCharsets.UTF_8)), handler);
    }

    @ParameterizedTest
    @ValueSource(strings = {"function-url-get", "minimal"})
    void isAlive(String event) {
        Reply reply = stored(event);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).containsEntry("Content-Type", "text/plain");
        assertThat(reply.text()).isEqualTo("alive");
    }

    @ParameterizedTest
    @CsvSource({"function-url-post-form, 8", "http-api-post-text, 6"})
    void returnsTheLengthOfAText(String event, String length) {
        Reply reply = stored(event);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo(length);
    }

    @Test
    void anHttpApisPathIsDecodedAndStartsWithItsStage() {
        assertThat(stored("http-api-stage-put").status()).isEqualTo(201);
        assertThat(stored("http-api-stage-put").status()).isEqualTo(204);
        Reply item = send("GET", "/items/100%25%20sure");
        assertThat(item.status()).isEqualTo(200);
        assertThat(item.headers()).containsEntry("Content-Type", "image/x-test");
        assertThat(item.body()).containsExactly(0, 0xff, 'x');
    }

    @Test
    void theStageAloneIsTheRoot() {
        String event = Events.stored("http-api-stage-put").replace("PUT", "GET");
        for (String path : new String[] {"/prod", "/prod/"}) {
            String root = event.replace("/prod/items/100% sure", path);
            assertThat(Reply.to(root, handler).text()).isEqualTo("alive");
        }
        String another = event.replace("/prod/items/100% sure", "/production");
        assertThat(Reply.to(another, handler).status()).isEqualTo(404);
    }

    @Test
    void storesFindsReplacesAndRemovesItems() {
        assertThat(stored("nulls").status()).isEqualTo(201);
        assertThat(send("PUT", "/items/nulls", "text").status()).isEqualTo(204);
        Reply item = send("GET", "/items/nulls");
        assertThat(item.text()).isEqualTo("text");
        assertThat(item.headers()).containsEntry("Content-Type", "application/octet-stream");
        assertThat(send("DELETE", "/items/nulls").status()).isEqualTo(204);
        assertThat(send("GET", "/items/nulls").error()).isEqualTo("no such item");
        assertThat(send("DELETE", "/items/nulls").status()).isEqualTo(404);
    }

    @Test
    void anyBytesRoundTrip() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        for (byte[] body : List.of(all, "é\0\n\"\\".getBytes(StandardCharsets.UTF_8))) {
            Reply.to(Events.of("PUT", "/items/bytes", body), handler);
            assertThat(send("GET", "/items/bytes").body()).isEqualTo(body);
        }
    }

    @Test
    void aPlusInAPathIsNotABlank() {
        send("PUT", "/items/a+b", "x");
        assertThat(send("GET", "/items/a%2Bb").status()).isEqualTo(200);
        assertThat(send("GET", "/items/a%20b").status()).isEqualTo(404);
    }

    @Test
    void boundsTextsAndItems() {
        assertThat(send("POST", "/", "x".repeat(1 << 20)).text()).isEqualTo("1048576");
        Reply longText = send("POST", "/", "x".repeat((1 << 20) + 1));
        assertThat(longText.status()).isEqualTo(413);
        assertThat(longText.error()).isEqualTo("the body is longer than 1048576 bytes");
        assertThat(send("PUT", "/items/a", "x".repeat(16 << 10)).status()).isEqualTo(201);
        assertThat(send("PUT", "/items/a", "x".repeat((16 << 10) + 1)).status()).isEqualTo(413);
        assertThat(send("PUT", "/items/" + "k".repeat(257), "x").error())
                .isEqualTo("the key is longer than 256 characters");
    }

    @Test
    void boundsTheStore() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(send("PUT", "/items/" + i).status()).isEqualTo(201);
        }
        Reply full = send("PUT", "/items/more");
        assertThat(full.status()).isEqualTo(507);
        assertThat(full.error()).isEqualTo("the store is full, it holds 10000 items");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/items", "/items/", "/items/a/b", "/delay", "//"})
    void anUnknownPathIsNotFound(String path) {
        Reply reply = send("GET", path);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text()).isEqualTo("{\"error\":\"not found\",\"path\":\"" + path + "\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /, 'GET, HEAD, POST'",
        "BREW, /, 'GET, HEAD, POST'",
        "POST, /items/a, 'GET, HEAD, PUT, DELETE'",
    })
    void aWrongMethodGetsTheAllowedOnes(String method, String path, String allowed) {
        Reply reply = send(method, path);
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers()).containsEntry("Allow", allowed);
        assertThat(reply.error()).isEqualTo(method + " isn't allowed, only " + allowed);
    }

    @Test
    void rejectsInvalidRequests() {
        assertThat(send("POST", "/").error()).isEqualTo("the body is empty, expected a text");
        byte[] latin1 = {(byte) 0xe9};
        Reply notUtf8 = Reply.to(Events.of("POST", "/", latin1), handler);
        assertThat(notUtf8.status()).isEqualTo(400);
        assertThat(notUtf8.error()).isEqualTo("the body isn't UTF-8");
        for (String key : new String[] {"%", "%4", "%zz", "%ff", "a%C3"}) {
            Reply wrongKey = send("GET", "/items/" + key);
            assertThat(wrongKey.status()).isEqualTo(400);
            assertThat(wrongKey.error()).isEqualTo("the key isn't percent-encoded UTF-8");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | expected a JSON object",
                "`null` | expected a JSON object",
                "`[]` | expected a JSON object",
                "`\"text\"` | expected a JSON object",
                "`{\"rawPath\"` | expected JSON",
                "`{'rawPath': 1}` | expected JSON",
                "`{} {}` | expected nothing after the JSON object",
                "`{}` | requestContext.http.method: is missing",
                "`{\"version\": \"1.0\", \"path\": \"/\", \"httpMethod\": \"GET\"}` " + "| version: expected 2.0",
                "`{\"requestContext\": {\"http\": {\"method\": \"GET\"}}}` "
                        + "| rawPath: expected a path that begins with /",
                "`{\"rawPath\": \"x\", \"requestContext\": {\"http\": {\"method\": \"GET\"}}}` "
                        + "| rawPath: expected a path that begins with /",
                "`{\"rawPath\": 1}` | rawPath: expected a text",
                "`{\"body\": {}}` | body: expected a text",
                "`{\"headers\": []}` | headers: expected an object",
                "`{\"headers\": {\"a\": 1}}` | a: expected a text",
                "`{\"requestContext\": \"x\"}` | requestContext: expected an object",
                "`{\"isBase64Encoded\": \"true\"}` | isBase64Encoded: expected true or false",
                "`{\"rawPath\": \"/\\ud800\"}` | expected characters that Unicode has",
                "`{\"rawPath\": \"/\", \"requestContext\": {\"http\": {\"method\": \"POST\"}}, "
                        + "\"body\": \"@\", \"isBase64Encoded\": true}` "
                        + "| body: expected base64",
            })
    void anInvalidEventGetsAReason(String event, String reason) {
        Reply reply = Reply.to(event, handler);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("not an event: " + reason);
    }

    @Test
    void deeplyNestedEventsAreRejected() {
        Reply reply = Reply.to("{\"a\":".repeat(100_000), handler);
        assertThat(reply.error()).isEqualTo("not an event: expected JSON");
    }

    @Test
    void aTypeCannotSmuggleAHeaderIn() {
        String event =
                Events.stored("nulls").replace("\"headers\": null", "\"headers\": {\"Content-Type\": \"a\\r\\nX: y\"}");
        assertThat(Reply.to(event, handler).error())
                .isEqualTo("the content type has a character that no header can have");
    }

    @Test
    void theFirstInvocationIsColdAndTheOthersAreWarm() {
        Reply first = stored("minimal");
        Reply malformed = Reply.to("?", handler);
        Reply third = stored("minimal");
        assertThat(first.start()).isEqualTo("cold; invocation=1");
        assertThat(malformed.start()).isEqualTo("warm; invocation=2");
        assertThat(third.start()).isEqualTo("warm; invocation=3");
        assertThat(first.instance()).isEqualTo(third.instance()).isEqualTo(malformed.instance());
        assertThat(Reply.to(Events.stored("minimal"), new Handler()).instance()).isNotEqualTo(first.instance());
    }

    @Test
    void theFirstInvocationAfterASnapshotIsRestored() {
        Handler restored = new Handler("snap-start");
        assertThat(Reply.to("{}", restored).start()).isEqualTo("restored; invocation=1");
        assertThat(Reply.to("{}", restored).start()).isEqualTo("warm; invocation=2");
        for (String type : new String[] {"on-demand", "provisioned-concurrency"}) {
            assertThat(Reply.to("{}", new Handler(type)).start()).isEqualTo("cold; invocation=1");
        }
    }

    @Test
    void severalThreadsCanInvokeIt() throws Exception {
        int threads = 4;
        int each = 500;
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Reply> replies = new ArrayList<>();
        try {
            List<Future<List<Reply>>> users = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                String text = "x".repeat(t + 1);
                users.add(pool.submit(() -> {
                    start.await();
                    List<Reply> mine = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        mine.add(send("POST", "/", text));
                    }
                    return mine;
                }));
            }
            for (int t = 0; t < threads; t++) {
                String length = Integer.toString(t + 1);
                assertThat(users.get(t).get())
                        .allSatisfy(reply -> assertThat(reply.text()).isEqualTo(length));
                replies.addAll(users.get(t).get());
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(replies)
                .extracting(Reply::instance)
                .containsOnly(replies.get(0).instance());
        List<String> expected = LongStream.rangeClosed(1, threads * each)
                .mapToObj(n -> (n == 1 ? "cold" : "warm") + "; invocation=" + n)
                .toList();
        assertThat(replies).extracting(Reply::start).containsExactlyInAnyOrderElementsOf(expected);
    }
}
