package io.phaseload.verdict.rules;

import io.phaseload.health.ClientHealth;
import io.phaseload.measure.UsersTime;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that is known about the client in a phase.
 *
 * @param phase its name
 * @param wall how long it took
 * @param counts whether it is a measured phase
 * @param whole whether it ran to the end
 * @param client what happened to the client
 * @param usersTime how users spent their time, in a closed phase
 * @param offered the offered load, in an open phase
 * @param tail its slowest requests
 * @param medianService the median service time
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
