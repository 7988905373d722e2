package io.phaseload.verdict.rules;

import io.phaseload.health.ClientHealth;
import io.phaseload.stats.UsersTime;
import java.time.Duration;
import java.util.Optional;

/**
 * All that is known of the client in a phase, to be judged.
 *
 * @param phase its name
 * @param wall how long it took
 * @param counts whether its figures are what the run is about, as those of a warmup aren't
 * @param whole whether it ran to its end
 * @param client what happened to the client
 * @param usersTime of a closed phase
 * @param offered of an open phase
 * @param tail its slowest requests
 * @param medianService what its requests took from being sent: the median
 */
public record PhaseHealth(
        String phase,
        Duration wall,
        boolean counts,
        boolean whole,
        ClientHealth client,
        Optional<UsersTime> usersTime,
        Optional<OfferedLoad> offered,
        Tail tail,
        Duration medianService) {}
