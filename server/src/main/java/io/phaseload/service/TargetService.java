package io.phaseload.service;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;

/**
 * The service that every target offers:
 *
 * <table>
 * <caption>Requests and answers</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code GET /}</td><td>{@code alive}</td></tr>
 * <tr><td>{@code POST /}</td><td>the length of the text sent, in characters</td></tr>
 * <tr><td>{@code PUT, GET, DELETE /items/{key}}</td><td>a bounded store in memory</td></tr>
 * </table>
 *
 * <p>Where {@code GET} is answered, {@code HEAD} is too, with the body that {@code GET} has: the server that sends the
 * answer leaves it out. Everything else is an error, {@code {"error": "…"}}.
 */
public final class TargetService implements Service {

    private static final String ITEMS = "/items/";
    private static final ServiceResponse ALIVE = ServiceResponse.text(200, "alive");

    private final ServiceLimits limits;
    private final ItemStore items;

    /**
     * Makes a service with an empty store.
     *
     * @param limits its limits
     */
    public TargetService(ServiceLimits limits) {
        this.limits = limits;
        this.items = new ItemStore(limits.items());
    }

    @Override
    public ServiceResponse answer(ServiceRequest request) throws IOException {
        String path = request.path().substring(request.base().length());
        if (path.equals("/") || path.isEmpty()) {
            return root(request);
        }
        if (path.startsWith(ITEMS)) {
            String key = path.substring(ITEMS.length());
            if (!key.isEmpty() && key.indexOf('/') < 0) {
                return item(key, request);
            }
        }
        return ServiceResponse.notFound(request.path());
    }

    private ServiceResponse root(ServiceRequest request) throws IOException {
        return switch (request.method()) {
            case "GET", "HEAD" -> ALIVE;
            case "POST" -> {
                byte[] body = request.body(limits.bodyBytes());
                yield body == null ? ServiceResponse.tooLarge(limits.bodyBytes()) : length(body);
            }
            default -> ServiceResponse.notAllowed(request.method(), "GET, HEAD, POST");
        };
    }

    private ServiceResponse item(String encodedKey, ServiceRequest request) throws IOException {
        String key;
        try {
            key = Utf8.decodePercent(encodedKey);
        } catch (CharacterCodingException e) {
            return ServiceResponse.error(400, "the key isn't percent-encoded UTF-8");
        }
        return switch (request.method()) {
            case "GET", "HEAD" -> items.get(key);
            case "PUT" -> {
                byte[] body = request.body(limits.itemBytes());
                yield body == null
                        ? ServiceResponse.tooLarge(limits.itemBytes())
                        : items.put(key, request.headers().get("content-type"), body);
            }
            case "DELETE" -> items.delete(key);
            default -> ServiceResponse.notAllowed(request.method(), "GET, HEAD, PUT, DELETE");
        };
    }

    /**
     * Counts the characters of a text: its Unicode code points, so that an emoji is one character in every language a
     * target may be written in.
     */
    private static ServiceResponse length(byte[] utf8) {
        if (utf8.length == 0) {
            return ServiceResponse.error(400, "the body is empty, expected a text");
        }
        try {
            return ServiceResponse.text(200, Integer.toString(codePoints(utf8)));
        } catch (CharacterCodingException e) {
            return ServiceResponse.error(400, "the body isn't UTF-8");
        }
    }

    private static int codePoints(byte[] utf8) throws CharacterCodingException {
        for (byte b : utf8) {
            if (b < 0) {
                String text = Utf8.decode(utf8);
                return text.codePointCount(0, text.length());
            }
        }
        return utf8.length;
    }
}
