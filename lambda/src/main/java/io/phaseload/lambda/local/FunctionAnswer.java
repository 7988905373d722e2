package io.phaseload.lambda.local;

import io.phaseload.service.JsonReader;
import io.phaseload.service.ServiceResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** The answer of a function, in payload format 2.0. */
final class FunctionAnswer {

    private int status;
    private Map<String, String> headers = Map.of();
    private String body;
    private boolean base64;

    private FunctionAnswer() {}

    /**
     * Reads an answer; one without a status is the body of an answer with 200, in JSON.
     *
     * @throws IllegalArgumentException if it isn't an answer
     */
    static ServiceResponse read(byte[] json) {
        FunctionAnswer answer = new FunctionAnswer();
        JsonReader.read(json, answer::read);
        if (answer.status == 0) {
            return ServiceResponse.json(200, json);
        }
        if (answer.status < 200 || answer.status > 599) {
            throw new IllegalArgumentException("statusCode: expected 200 to 599");
        }
        return new ServiceResponse(answer.status, answer.headers, answer.content());
    }

    private void read(JsonReader value, String name) {
        switch (name) {
            case "statusCode" -> status = value.number();
            case "headers" -> headers = value.texts();
            case "body" -> body = value.text();
            case "isBase64Encoded" -> base64 = value.flag();
            default -> {}
        }
    }

    private byte[] content() {
        if (body == null) {
            return new byte[0];
        }
        return base64 ? Base64.getDecoder().decode(body) : body.getBytes(StandardCharsets.UTF_8);
    }
}
