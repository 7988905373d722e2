package io.phaseload.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Sends requests to one server. */
final class TestClient {

    /** Longer than anything should take on a machine that is busy with other things. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final URI url;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TestClient(URI url) {
        this.url = url;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, BodyPublishers.noBody());
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return send(method, path, BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        return http.send(request(method, path, body, headers), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> getAsync(String path) {
        HttpRequest request = request("GET", path, BodyPublishers.noBody());
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve(path)).timeout(PATIENCE).method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    Map<String, String> metrics() throws IOException, InterruptedException {
        return JsonMap.of(get("/metrics.json").body());
    }

    /** Asks for the metrics until they are as wanted. */
    Map<String, String> awaitMetrics(Predicate<Map<String, String>> wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<String, String> metrics = metrics();
        while (!wanted.test(metrics)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("still not as wanted: " + metrics);
            }
            TimeUnit.MILLISECONDS.sleep(5);
            metrics = metrics();
        }
        return metrics;
    }

    /** Opens a connection for bytes that no client would send. */
    Socket connect() throws IOException {
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    /** Sends bytes, and reads until the server closes the connection. */
    String raw(String bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Reads up to and with the given bytes, and leaves the rest. */
    static String readTo(String end, InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int b = in.read();
            if (b < 0) {
                throw new AssertionError("ended early: " + text);
            }
            text.append((char) b);
        }
        return text.toString();
    }
}
