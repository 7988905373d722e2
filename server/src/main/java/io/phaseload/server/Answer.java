package io.phaseload.server;

import java.nio.charset.StandardCharsets;

/**
 * What a request is answered with, whatever carries it there.
 *
 * @param status the HTTP status
 * @param contentType the type of the body, null if there is none
 * @param body the body, not copied, so not to be changed
 */
public record Answer(int status, String contentType, byte[] body) {

    private static final byte[] NOTHING = {};

    /**
     * Makes an answer of plain text.
     *
     * @param status the HTTP status
     * @param text the text
     * @return the answer
     */
    public static Answer text(int status, String text) {
        return new Answer(status, "text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes an answer without a body.
     *
     * @param status the HTTP status
     * @return the answer
     */
    public static Answer empty(int status) {
        return new Answer(status, null, NOTHING);
    }

    /**
     * Makes an error, {@code {"error": "…"}}.
     *
     * @param status the HTTP status, 400 or more
     * @param reason what is wrong, for a person
     * @return the answer
     */
    public static Answer error(int status, String reason) {
        return json(status, Json.object(json -> json.writeStringProperty("error", reason)));
    }

    /**
     * Makes the error for a path that leads nowhere.
     *
     * @param path the path as it was sent
     * @return the answer
     */
    public static Answer notFound(String path) {
        return json(
                404,
                Json.object(
                        json -> {
                            json.writeStringProperty("error", "not found");
                            json.writeStringProperty("path", path);
                        }));
    }

    /**
     * Makes the error for a body that is longer than is allowed.
     *
     * @param limit the longest body allowed, in bytes
     * @return the answer
     */
    public static Answer tooLarge(int limit) {
        return error(413, "the body is longer than " + limit + " bytes");
    }

    static Answer json(int status, byte[] json) {
        return new Answer(status, "application/json", json);
    }
}
