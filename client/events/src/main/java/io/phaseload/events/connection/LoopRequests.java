package io.phaseload.events.connection;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.journey.Session;
import io.phaseload.measure.TraceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run's requests as event loops send them, encoded whenever they change. */
public final class LoopRequests implements AutoCloseable {

    private final RequestSource prepared;
    private final Function<PreparedRequest, LoopRequest> encoder;
    private final AtomicReferenceArray<LoopRequest> encoded;
    // Guarded by this: requests with an old signature, which some loop may still be sending.
    private final List<LoopRequest> all = new ArrayList<>();

    /**
     * Encodes those that are the same each time.
     *
     * @param operations their number; 0 where each user has requests of its own
     * @param encoder of one
     */
    public LoopRequests(int operations, RequestSource prepared, Function<PreparedRequest, LoopRequest> encoder) {
        this.prepared = prepared;
        this.encoder = encoder;
        this.encoded = new AtomicReferenceArray<>(operations);
        for (int i = 0; i < operations; i++) {
            encode(i);
        }
    }

    /**
     * The request to send now.
     *
     * @param index the operation's in the scenario
     * @param session the user's; {@code null} without journeys
     * @param trace its place in a trace; {@code null} without one
     * @return the same one as long as nothing about it changes; {@code null} if a value of the session can't be where
     *     it is to be
     */
    public @Nullable LoopRequest get(int index, @Nullable Session session, @Nullable TraceContext trace) {
        PreparedRequest next = prepared.get(index, session);
        if (next == null) {
            return null;
        }
        PreparedRequest once = next.once(trace);
        if (session != null || trace != null && once != next) {
            return encoder.apply(once);
        }
        LoopRequest encodedNow = encoded.getAcquire(index);
        LoopRequest request = encodedNow.prepared() == next ? encodedNow : encode(index);
        return once == next ? request : request.streamed(once);
    }

    private synchronized LoopRequest encode(int index) {
        PreparedRequest now = prepared.get(index, null);
        LoopRequest request = encoded.get(index);
        if (request == null || request.prepared() != now) {
            request = encoder.apply(now);
            all.add(request);
            encoded.setRelease(index, request);
        }
        return request;
    }

    /** Call this when no loop sends any more. */
    @Override
    public synchronized void close() {
        all.forEach(LoopRequest::release);
        all.clear();
    }
}
