package io.phaseload.events.connection;

import io.phaseload.http.PreparedRequest;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A run's requests as event loops send them. Those of a plan with a signer change now and then, so
 * one is taken from here each time that it is sent. Thread-safe; shared by all loops.
 */
public final class LoopRequests extends AbstractList<LoopRequest> implements AutoCloseable {

    /** How one is encoded. */
    @FunctionalInterface
    public interface Encoder {
        LoopRequest encode(int index, PreparedRequest request);
    }

    private final List<PreparedRequest> prepared;
    private final Encoder encoder;
    private final AtomicReferenceArray<LoopRequest> encoded;
    // Guarded by this: some loop may still send those whose signature was renewed.
    private final List<LoopRequest> all = new ArrayList<>();

    public LoopRequests(List<PreparedRequest> prepared, Encoder encoder) {
        this.prepared = prepared;
        this.encoder = encoder;
        this.encoded = new AtomicReferenceArray<>(prepared.size());
        for (int i = 0; i < prepared.size(); i++) {
            encode(i);
        }
    }

    @Override
    public int size() {
        return prepared.size();
    }

    /**
     * The request to be sent now.
     *
     * @throws RuntimeException if it has to be signed anew and can't be
     */
    @Override
    public LoopRequest get(int index) {
        LoopRequest request = encoded.getAcquire(index);
        return request.prepared() == prepared.get(index) ? request : encode(index);
    }

    private synchronized LoopRequest encode(int index) {
        PreparedRequest now = prepared.get(index);
        LoopRequest request = encoded.get(index);
        if (request == null || request.prepared() != now) {
            request = encoder.encode(index, now);
            all.add(request);
            encoded.setRelease(index, request);
        }
        return request;
    }

    /** To be called when no loop sends any more. */
    @Override
    public synchronized void close() {
        all.forEach(LoopRequest::release);
        all.clear();
    }
}
