package io.phaseload.timing;

import java.util.List;

/** A protocol's timing, found by {@code ServiceLoader}. */
public final class QueueTimings implements TimingProvider {

    static final Timing QUEUED = new Section("queues", "job").titled("wait of a %s", "queued", "queued");

    @Override
    public List<Timing> timings() {
        return List.of(QUEUED);
    }
}
