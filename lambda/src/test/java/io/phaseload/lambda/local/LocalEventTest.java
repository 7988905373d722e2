package io.phaseload.lambda.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.service.ServiceRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class LocalEventTest {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private record Sent(String method, String path, String query, Map<String, String> headers)
            implements ServiceRequest {

        @Override
        public String base() {
            return "";
        }

        @Override
        public byte[] body(int limit) {
            throw new UnsupportedOperationException();
        }
    }

    private static ObjectNode event(
            String method, String path, String query, Map<String, String> headers, byte[] body) {
        Sent request = new Sent(method, path, query, new TreeMap<>(headers));
        return (ObjectNode) MAPPER.readTree(LocalEvent.of(request, body));
    }

    @Test
    void matchesTheEventOfAFunctionUrl() {
        ObjectNode event = event(
                "POST",
                "/items/a%20b",
                "x=1&y=a%20b&x=2&z",
                Map.of("content-type", "text/plain", "cookie", "session=1; theme=dark", "user-agent", "test"),
                "é".getBytes(StandardCharsets.UTF_8));
        ObjectNode context = (ObjectNode) event.get("requestContext");
        assertThat(UUID.fromString(context.remove("requestId").stringValue())).isNotNull();
        Instant time = Instant.ofEpochMilli(context.remove("timeEpoch").longValue());
        assertThat(OffsetDateTime.parse(
                                context.remove("time").stringValue(),
                                DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT))
                        .toEpochSecond())
                .isEqualTo(time.getEpochSecond());
        JsonNode expected = MAPPER.readTree(
                """
                        {
                          "version": "2.0",
                          "routeKey": "$default",
                          "rawPath": "/items/a%20b",
                          "rawQueryString": "x=1&y=a%20b&x=2&z",
                          "cookies": ["session=1", "theme=dark"],
                          "headers": {"content-type": "text/plain", "user-agent": "test"},
                          "queryStringParameters": {"x": "1,2", "y": "a b", "z": ""},
                          "requestContext": {
                            "accountId": "anonymous",
                            "apiId": "local",
                            "domainName": "local.lambda-url.localhost",
                            "domainPrefix": "local",
                            "http": {
                              "method": "POST",
                              "path": "/items/a%20b",
                              "protocol": "HTTP/1.1",
                              "sourceIp": "127.0.0.1",
                              "userAgent": "test"
                            },
                            "routeKey": "$default",
                            "stage": "$default"
                          },
                          "body": "é",
                          "isBase64Encoded": false
                        }
                        """);
        assertThat(event).isEqualTo(expected);
    }

    @Test
    void missingPartsAreLeftOut() {
        ObjectNode event = event("GET", "/", "", Map.of(), new byte[0]);
        assertThat(event.propertyNames())
                .containsExactlyInAnyOrder(
                        "version",
                        "routeKey",
                        "rawPath",
                        "rawQueryString",
                        "headers",
                        "requestContext",
                        "isBase64Encoded");
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, false",
        "TEXT/html;charset=utf-8, false",
        "application/json, false",
        "application/xml, false",
        "application/javascript, false",
        "application/x-www-form-urlencoded, true",
        "application/octet-stream, true",
        "image/svg+xml, true",
        ", true"
    })
    void aBinaryBodyIsBase64(String type, boolean base64) {
        Map<String, String> headers = type == null ? Map.of() : Map.of("content-type", type);
        JsonNode event = event("POST", "/", "", headers, new byte[] {'a'});
        assertThat(event.get("isBase64Encoded").booleanValue()).isEqualTo(base64);
        assertThat(event.get("body").stringValue()).isEqualTo(base64 ? "YQ==" : "a");
    }
}
