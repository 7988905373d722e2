package io.phaseload.verdict.rules;

import io.phaseload.verdict.Finding;
import java.time.Duration;
import java.util.Optional;

/** Whether response times tell of the client's pool of connections. */
public final class PoolRules {

    /** From here on, more of a response time is the client's own wait than the server's work. */
    private static final double MOST_LEASE_SHARE = 0.5;

    private PoolRules() {}

    /**
     * Judges a phase.
     *
     * @param words of its run
     * @param phase its name
     * @param lease the time that requests waited for a connection, on average; zero without a pool
     * @param response their mean response time, of which that is a part
     * @return empty if the wait is at most half of it
     */
    public static Optional<Finding> judge(Wording words, String phase, Duration lease, Duration response) {
        double share = (double) lease.toNanos() / response.toNanos();
        return share > MOST_LEASE_SHARE
                ? Optional.of(Rule.POOL.in(
                        words,
                        phase,
                        share * 100,
                        HealthRules.seconds(lease) * 1_000,
                        HealthRules.seconds(response) * 1_000))
                : Optional.empty();
    }
}
