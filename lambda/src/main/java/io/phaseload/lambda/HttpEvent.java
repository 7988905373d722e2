package io.phaseload.lambda;

import io.phaseload.service.JsonReader;
import io.phaseload.service.ServiceRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** A request as an event of payload format 2.0. Parts that the service doesn't need are skipped. */
final class HttpEvent implements ServiceRequest {

    private String version;
    private String rawPath;
    private String query = "";
    private Map<String, String> headers = Map.of();
    private String text;
    private boolean base64;
    private String domain;
    private String stage;
    private String method;
    private byte[] content;

    private HttpEvent() {}

    /**
     * Reads an event.
     *
     * @throws IllegalArgumentException if it isn't one; the message says why
     */
    static HttpEvent read(byte[] json) {
        HttpEvent event = new HttpEvent();
        JsonReader.read(json, event::read);
        event.check();
        event.content = event.content();
        return event;
    }

    private void read(JsonReader value, String name) {
        switch (name) {
            case "version" -> version = value.text();
            case "rawPath" -> rawPath = value.text();
            case "rawQueryString" -> query = value.text();
            case "headers" -> headers = value.texts();
            case "body" -> text = value.text();
            case "isBase64Encoded" -> base64 = value.flag();
            case "requestContext" -> value.object(property -> readContext(value, property));
            default -> {}
        }
    }

    private void readContext(JsonReader value, String name) {
        switch (name) {
            case "domainName" -> domain = value.text();
            case "stage" -> stage = value.text();
            case "http" -> value.object(property -> {
                if (property.equals("method")) {
                    method = value.text();
                }
            });
            default -> {}
        }
    }

    private void check() {
        if (version != null && !version.equals("2.0")) {
            throw new IllegalArgumentException("version: expected 2.0");
        }
        if (method == null || method.isEmpty()) {
            throw new IllegalArgumentException("requestContext.http.method: is missing");
        }
        if (rawPath == null || !rawPath.startsWith("/")) {
            throw new IllegalArgumentException("rawPath: expected a path that begins with /");
        }
    }

    private byte[] content() {
        if (text == null) {
            return new byte[0];
        }
        if (!base64) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("body: expected base64", e);
        }
    }

    @Override
    public String method() {
        return method;
    }

    /** An HTTP API decodes the path before it sends it; a Function URL doesn't. */
    @Override
    public String path() {
        boolean encoded = domain == null || domain.contains(".lambda-url.");
        return encoded ? rawPath : rawPath.replace("%", "%25");
    }

    /** An HTTP API's path begins with its stage, unless that is the default one. */
    @Override
    public String base() {
        if (stage == null || stage.equals("$default")) {
            return "";
        }
        String prefix = "/" + stage;
        return rawPath.equals(prefix) || rawPath.startsWith(prefix + "/") ? prefix : "";
    }

    @Override
    public String query() {
        return query == null ? "" : query;
    }

    @Override
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public byte[] body(int limit) {
        return content.length > limit ? null : content;
    }
}
