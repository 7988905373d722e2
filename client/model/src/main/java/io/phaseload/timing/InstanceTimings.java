package io.phaseload.timing;

import java.util.List;

/** The times of targets that run in instances, such as AWS Lambda. */
public final class InstanceTimings implements TimingProvider {

    /** Their part of the figures, beside counts of the instances' states. */
    public static final Section SECTION = new Section("instances", "request");

    /** End − intended, of requests for which an instance was started or restored. */
    public static final Timing COLD_START = SECTION.timing("cold-start", "coldStart");

    /** For {@link java.util.ServiceLoader}. */
    public InstanceTimings() {}

    @Override
    public List<Timing> timings() {
        return List.of(COLD_START);
    }
}
