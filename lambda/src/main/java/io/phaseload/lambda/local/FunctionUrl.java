package io.phaseload.lambda.local;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.phaseload.service.Json;
import io.phaseload.service.Service;
import io.phaseload.service.ServiceRequest;
import io.phaseload.service.ServiceResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;

/**
 * A Function URL like Lambda's: it sends each request as an event to an instance that has nothing else to do, starts a
 * new one if there is none, and refuses with 429 what would need more instances than are allowed.
 */
public final class FunctionUrl implements Service {

    private static final System.Logger LOG = System.getLogger(FunctionUrl.class.getName());
    // Lambda's own limit.
    private static final int MAX_BODY_BYTES = 6 << 20;
    private static final ServiceResponse TOO_LARGE = refusal(413, "RequestTooLarge", "Request too large.");
    private static final ServiceResponse TOO_MANY =
            refusal(429, "ReservedFunctionConcurrentInvocationLimitExceeded", "Rate Exceeded.");

    private final Instances instances;

    /** Makes one without any instance yet. */
    public FunctionUrl(Instances instances) {
        this.instances = instances;
    }

    @Override
    public ServiceResponse answer(ServiceRequest request) throws IOException {
        byte[] body = request.body(MAX_BODY_BYTES);
        if (body == null) {
            return TOO_LARGE;
        }
        byte[] event = LocalEvent.of(request, body);
        RequestStreamHandler instance;
        try {
            instance = instances.take();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped while an instance was starting");
        }
        if (instance == null) {
            return TOO_MANY;
        }
        try {
            return FunctionAnswer.read(invoke(instance, event));
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "The function failed", e);
            return ServiceResponse.text(502, "Internal Server Error");
        } finally {
            instances.giveBack(instance);
        }
    }

    private static byte[] invoke(RequestStreamHandler instance, byte[] event) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        instance.handleRequest(new ByteArrayInputStream(event), answer, null);
        return answer.toByteArray();
    }

    private static ServiceResponse refusal(int status, String reason, String message) {
        return ServiceResponse.json(status, Json.object(json -> {
            json.writeStringProperty("Reason", reason);
            json.writeStringProperty("Type", "User");
            json.writeStringProperty("message", message);
        }));
    }
}
