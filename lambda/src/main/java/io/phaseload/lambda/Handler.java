package io.phaseload.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.phaseload.service.Json;
import io.phaseload.service.ServiceLimits;
import io.phaseload.service.ServiceResponse;
import io.phaseload.service.TargetService;
import io.phaseload.service.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Answers the events of a Function URL or an HTTP API (payload format 2.0). Items live in the memory of one instance.
 * An event that can't be understood is answered with 400.
 *
 * <p>Safe for use by several threads, as an instance that takes several events at once has them.
 */
public final class Handler implements RequestStreamHandler {

    private static final String FIRST_EVENT =
            """
            {"rawPath": "/", "headers": {}, "requestContext": {"http": {"method": "POST"}},
            "body": "w6k=", "isBase64Encoded": true}
            """;

    private final TargetService service = new TargetService(ServiceLimits.DEFAULTS);
    private final Starts starts;

    /** Makes one, as the Lambda runtime does when an instance is initialised. */
    public Handler() {
        this(System.getenv("AWS_LAMBDA_INITIALIZATION_TYPE"));
    }

    Handler(String initializationType) {
        // Classes are loaded now, when Lambda lends more CPU than it does later, or before a
        // snapshot is taken; this answer goes nowhere.
        answer(FIRST_EVENT.getBytes(StandardCharsets.UTF_8), "");
        starts = new Starts(initializationType);
    }

    /**
     * Answers an event.
     *
     * @param in the event
     * @param context says which request this is; may be null
     * @throws IOException if the event can't be read or the answer not be written
     */
    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        out.write(answer(in.readAllBytes(), starts.next(context)));
    }

    private byte[] answer(byte[] json, String start) {
        HttpEvent event;
        try {
            event = HttpEvent.read(json);
        } catch (IllegalArgumentException e) {
            return write(ServiceResponse.error(400, "not an event: " + e.getMessage()), start);
        }
        try {
            return write(service.answer(event), start);
        } catch (IOException e) {
            // An event's body is in memory.
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(ServiceResponse answer, String start) {
        return Json.object(json -> {
            json.writeNumberProperty("statusCode", answer.status());
            json.writeObjectPropertyStart("headers");
            answer.headers().forEach(json::writeStringProperty);
            json.writeStringProperty(Starts.HEADER, start);
            json.writeEndObject();
            Optional<String> text = Utf8.text(answer.body());
            json.writeStringProperty(
                    "body", text.orElseGet(() -> Base64.getEncoder().encodeToString(answer.body())));
            json.writeBooleanProperty("isBase64Encoded", text.isEmpty());
        });
    }
}
