package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.input.Secrets;
import io.phaseload.journey.ValueFinder;
import io.phaseload.measure.TraceContext;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The details of a request that is sent once. Owned by its user. */
final class RequestDetails {

    private final @Nullable TraceContext trace;
    private final List<String> names;
    private byte[] head = {};

    /**
     * Those of a request without a response.
     *
     * @param trace its place in a trace; {@code null} without one
     * @param names the headers to keep of its response
     */
    RequestDetails(@Nullable TraceContext trace, List<String> names) {
        this.trace = trace;
        this.names = names;
    }

    @Nullable TraceContext trace() {
        return trace;
    }

    /** {@return true if the header of its response is to be kept} */
    boolean ofHead() {
        return !names.isEmpty();
    }

    /** Its response has this header. */
    void received(byte[] lines) {
        head = lines;
    }

    /** {@return the headers to keep that its response had, by name, without secrets} */
    Map<String, String> headers(List<String> secrets) {
        Map<String, String> kept = new LinkedHashMap<>();
        for (String name : names) {
            ValueFinder.header(head, name).ifPresent(value -> {
                byte[] shown = Secrets.redactHeader(name, value).getBytes(StandardCharsets.UTF_8);
                kept.put(name, KeptBody.quoted(shown, secrets));
            });
        }
        return kept;
    }
}
