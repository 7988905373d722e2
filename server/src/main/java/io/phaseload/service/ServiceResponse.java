package io.phaseload.service;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A response, independent of the transport.
 *
 * @param status the HTTP status
 * @param headers values by name, without the length of the body
 * @param body the body, which isn't copied and must not be changed
 */
public record ServiceResponse(int status, Map<String, String> headers, byte[] body) {

    private static final byte[] NOTHING = {};

    /**
     * Makes an answer.
     *
     * @param status the HTTP status
     * @param contentType the type of the body
     * @param body the body, not copied
     * @return the answer
     */
    public static ServiceResponse of(int status, String contentType, byte[] body) {
        return new ServiceResponse(status, Map.of("Content-Type", contentType), body);
    }

    /**
     * Makes an answer of plain text.
     *
     * @param status the HTTP status
     * @param text the text
     * @return the answer
     */
    public static ServiceResponse text(int status, String text) {
        return of(status, "text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes an answer of JSON.
     *
     * @param status the HTTP status
     * @param json the JSON
     * @return the answer
     */
    public static ServiceResponse json(int status, byte[] json) {
        return of(status, "application/json", json);
    }

    /**
     * Makes an answer without a body.
     *
     * @param status the HTTP status
     * @return the answer
     */
    public static ServiceResponse empty(int status) {
        return new ServiceResponse(status, Map.of(), NOTHING);
    }

    /**
     * Makes an error, {@code {"error": "…"}}.
     *
     * @param status the HTTP status, 400 or more
     * @return the answer
     */
    public static ServiceResponse error(int status, String reason) {
        return json(status, Json.object(json -> json.writeStringProperty("error", reason)));
    }

    /**
     * Creates the error for an unknown path.
     *
     * @param path the path as it was sent
     * @return the answer
     */
    public static ServiceResponse notFound(String path) {
        return json(404, Json.object(json -> {
            json.writeStringProperty("error", "not found");
            json.writeStringProperty("path", path);
        }));
    }

    /**
     * Creates the error for a method that a path doesn't support.
     *
     * @param method the method as it was sent
     * @param allowed the methods it has, as the {@code Allow} header lists them
     * @return the answer
     */
    public static ServiceResponse notAllowed(String method, String allowed) {
        ServiceResponse error = error(405, method + " isn't allowed, only " + allowed);
        return new ServiceResponse(405, Map.of("Content-Type", "application/json", "Allow", allowed), error.body());
    }

    /**
     * Creates the error for a body that is too long.
     *
     * @param limit the longest body allowed, in bytes
     * @return the answer
     */
    public static ServiceResponse tooLarge(int limit) {
        return error(413, "the body is longer than " + limit + " bytes");
    }
}
