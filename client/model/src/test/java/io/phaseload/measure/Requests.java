package io.phaseload.measure;

import java.time.Instant;
import java.util.Optional;

/** Made-up requests that are kept. */
public final class Requests {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private Requests() {}

    /** One that succeeded after some nanoseconds, and was due so long after noon. */
    public static KeptRequest success(long nanos, long millis) {
        return kept(Samples.success(nanos), millis);
    }

    /** One that failed, and was due so long after noon. */
    public static KeptRequest failed(Outcome outcome, long millis) {
        return kept(Samples.of(0, outcome, 5_000_000), millis);
    }

    private static KeptRequest kept(Sample sample, long millis) {
        return KeptRequest.of(
                sample,
                START.plusMillis(millis),
                "GET /a?b=\"c\",\n<d>",
                sample.exchange().outcome().detail(),
                7,
                Optional.of(3L));
    }
}
