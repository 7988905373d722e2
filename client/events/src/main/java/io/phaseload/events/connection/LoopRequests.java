package io.phaseload.events.connection;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.journey.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run's requests as event loops send them, encoded whenever they change. */
public final class LoopRequests implements RequestSource<LoopRequest>, AutoCloseable {

    private final RequestSource<PreparedRequest> prepared;
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
    public LoopRequests(
            int operations, RequestSource<PreparedRequest> prepared, Function<PreparedRequest, LoopRequest> encoder) {
        this.prepared = prepared;
        this.encoder = encoder;
        this.encoded = new AtomicReferenceArray<>(operations);
        for (int i = 0; i < operations; i++) {
            encode(i);
        }
    }

    @Override
    public @Nullable LoopRequest get(int index, @Nullable Session session) {
        if (session != null) {
            PreparedRequest own = prepared.get(index, session);
            return own == null ? null : encoder.apply(own);
        }
        LoopRequest request = encoded.getAcquire(index);
        return request.prepared() == prepared.get(index, null) ? request : encode(index);
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
