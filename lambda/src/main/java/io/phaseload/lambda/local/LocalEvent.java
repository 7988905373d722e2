package io.phaseload.lambda.local;

import io.phaseload.service.Json;
import io.phaseload.service.ServiceRequest;
import io.phaseload.service.Utf8;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.core.JsonGenerator;

/** The event of payload format 2.0 that a Function URL makes of a request. */
final class LocalEvent {

    private static final String ID = "local";
    private static final String DOMAIN = ID + ".lambda-url.localhost";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);

    private LocalEvent() {}

    static byte[] of(ServiceRequest request, byte[] body) {
        Map<String, String> headers = request.headers();
        String cookies = headers.remove("cookie");
        String text = isText(headers.get("content-type")) ? Utf8.text(body).orElse(null) : null;
        return Json.object(json -> {
            json.writeStringProperty("version", "2.0");
            json.writeStringProperty("routeKey", "$default");
            json.writeStringProperty("rawPath", request.path());
            json.writeStringProperty("rawQueryString", request.query());
            if (cookies != null) {
                json.writeArrayPropertyStart("cookies");
                for (String cookie : cookies.split("; *")) {
                    json.writeString(cookie);
                }
                json.writeEndArray();
            }
            json.writeObjectPropertyStart("headers");
            headers.forEach(json::writeStringProperty);
            json.writeEndObject();
            writeParameters(json, request.query());
            writeContext(json, request, headers.get("user-agent"));
            if (body.length > 0) {
                json.writeStringProperty(
                        "body", text == null ? Base64.getEncoder().encodeToString(body) : text);
            }
            json.writeBooleanProperty("isBase64Encoded", body.length > 0 && text == null);
        });
    }

    private static void writeParameters(JsonGenerator json, String query) {
        if (query.isEmpty()) {
            return;
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : query.split("&")) {
            String[] pair = parameter.split("=", 2);
            String value = pair.length < 2 ? "" : decoded(pair[1]);
            parameters.merge(decoded(pair[0]), value, (first, next) -> first + "," + next);
        }
        json.writeObjectPropertyStart("queryStringParameters");
        parameters.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static String decoded(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return encoded;
        }
    }

    private static void writeContext(JsonGenerator json, ServiceRequest request, String userAgent) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        json.writeObjectPropertyStart("requestContext");
        json.writeStringProperty("accountId", "anonymous");
        json.writeStringProperty("apiId", ID);
        json.writeStringProperty("domainName", DOMAIN);
        json.writeStringProperty("domainPrefix", ID);
        json.writeObjectPropertyStart("http");
        json.writeStringProperty("method", request.method());
        json.writeStringProperty("path", request.path());
        json.writeStringProperty("protocol", "HTTP/1.1");
        json.writeStringProperty("sourceIp", "127.0.0.1");
        json.writeStringProperty("userAgent", userAgent);
        json.writeEndObject();
        json.writeStringProperty("requestId", UUID.randomUUID().toString());
        json.writeStringProperty("routeKey", "$default");
        json.writeStringProperty("stage", "$default");
        json.writeStringProperty("time", TIME.format(now));
        json.writeNumberProperty("timeEpoch", now.toInstant().toEpochMilli());
        json.writeEndObject();
    }

    // What is a text, Lambda's documents don't say; these are, a form isn't.
    private static boolean isText(String contentType) {
        if (contentType == null) {
            return false;
        }
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.startsWith("text/")
                || type.equals("application/json")
                || type.equals("application/xml")
                || type.equals("application/javascript");
    }
}
