package io.phaseload.lambda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Stored events, and small ones made for a test. */
final class Events {

    static final List<String> STORED = List.of(
            "function-url-get",
            "function-url-post-form",
            "http-api-post-text",
            "http-api-stage-put",
            "minimal",
            "nulls");

    private Events() {}

    static String stored(String name) {
        try (InputStream in = Events.class.getResourceAsStream("/events/" + name + ".json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String of(String method, String path, byte[] body) {
        return """
               {"version": "2.0", "rawPath": "%s", "requestContext": {"http": {"method": "%s"}},
                "body": "%s", "isBase64Encoded": true}"""
                .formatted(path, method, Base64.getEncoder().encodeToString(body));
    }

    static String of(String method, String path) {
        return of(method, path, new byte[0]);
    }
}
