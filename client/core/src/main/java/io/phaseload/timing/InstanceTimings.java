package io.phaseload.timing;

import java.util.List;

/** The times of targets that run in instances, such as AWS Lambda. */
public final class InstanceTimings {

    /** Their part of the figures, beside counts of the instances' states. */
    public static final Section SECTION = new Section("instances", "request");

    /** End − intended, of requests for which an instance was started or restored. */
    public static final Timing COLD_START = SECTION.timing("cold-start", "coldStart");

    static final List<Timing> ALL = List.of(COLD_START);

    private InstanceTimings() {}
}
