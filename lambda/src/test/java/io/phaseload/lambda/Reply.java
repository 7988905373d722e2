package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a function answered; can only be made of a well-formed answer of payload format 2.0. */
record Reply(int status, Map<String, String> headers, byte[] body) {

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    static Reply to(String event, RequestStreamHandler handler) {
        return to(event.getBytes(StandardCharsets.UTF_8), handler);
    }

    static Reply to(byte[] event, RequestStreamHandler handler) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            handler.handleRequest(new ByteArrayInputStream(event), out, null);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return of(out.toByteArray());
    }

    static Reply of(byte[] json) {
        JsonNode answer = STRICT.readTree(json);
        assertThat(answer.propertyNames())
                .containsExactlyInAnyOrder("statusCode", "headers", "body", "isBase64Encoded");
        assertThat(answer.get("statusCode").isInt()).isTrue();
        int status = answer.get("statusCode").intValue();
        assertThat(status).isBetween(200, 599);
        Map<String, String> headers = new TreeMap<>();
        for (Map.Entry<String, JsonNode> header : answer.get("headers").properties()) {
            assertThat(header.getValue().isString()).isTrue();
            headers.put(header.getKey(), header.getValue().stringValue());
        }
        assertThat(headers)
                .allSatisfy((name, value) -> {
                    assertThat(name).matches("[A-Za-z-]+");
                    assertThat(value).matches("[\t -~\u00a0-\u00ff]*");
                })
                .hasEntrySatisfying("Phaseload-Start", start -> assertThat(start)
                        .matches("(cold|restored|warm); instance=[0-9a-f-]{36};" + " invocation=[1-9][0-9]*"));
        String body = answer.get("body").stringValue();
        return new Reply(
                status,
                headers,
                answer.get("isBase64Encoded").booleanValue()
                        ? Base64.getDecoder().decode(body)
                        : body.getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String error() {
        assertThat(headers).containsEntry("Content-Type", "application/json");
        return STRICT.readTree(body).get("error").stringValue();
    }

    /** The header that tells how warm the instance was, without what differs between instances. */
    String start() {
        return headers.get("Phaseload-Start").replaceFirst("instance=[^;]*; ", "");
    }

    String instance() {
        return headers.get("Phaseload-Start").split("; ")[1];
    }
}
