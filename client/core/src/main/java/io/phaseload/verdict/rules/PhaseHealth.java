package io.phaseload.verdict.rules;

import io.phaseload.health.ClientHealth;
import io.phaseload.measure.UsersTime;
import java.time.Duration;
import java.util.Optional;

/**
 * Everything that is known about the client in a phase.
 *
 * @param words of its run
 * @param phase its name
 * @param counts true if it is a measured phase
 * @param whole true if it ran to the end
 * @param usersTime the use of the users' time, in a closed phase
 * @param offered the offered load, in an open phase
 * @param tail its slowest requests
 * @param medianService the median service time
 */
public record PhaseHealth(
        Wording words,
        String phase,
        Duration wall,
        boolean counts,
        boolean whole,
        ClientHealth client,
        Optional<UsersTime> usersTime,
        Optional<OfferedLoad> offered,
        Tail tail,
        Duration medianService) {}
