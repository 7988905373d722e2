package io.phaseload.health;

import io.phaseload.measure.UsersTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Events of the client itself in a phase.
 *
 * @param load the resources that its process used
 * @param stalls its stalls
 * @param usersTime the use of the users' time, in a closed phase
 * @param contaminated the seconds with requests that client stalls affected
 */
public record ClientHealth(
        ClientLoad load,
        Stalls stalls,
        SystemUse system,
        LoopLag loopLag,
        Optional<UsersTime> usersTime,
        List<Span> contaminated) {

    /** An empty time span. */
    public static final ClientHealth NONE = of(ClientLoad.NONE);

    /** Keeps the list from being changed. */
    public ClientHealth {
        contaminated = List.copyOf(contaminated);
    }

    /**
     * The health of a client of which only its load is known.
     *
     * @param load the resources that its process used
     * @return health without any events
     */
    public static ClientHealth of(ClientLoad load) {
        return new ClientHealth(load, Stalls.NONE, SystemUse.UNKNOWN, LoopLag.NONE, Optional.empty(), List.of());
    }

    /**
     * Adds what is known about users and requests.
     *
     * @param users see {@link #usersTime()}
     * @param spans see {@link #contaminated()}
     * @return a copy
     */
    public ClientHealth with(Optional<UsersTime> users, List<Span> spans) {
        return new ClientHealth(load, stalls, system, loopLag, users, spans);
    }

    /**
     * Combines two clients, each on its own machine or one after the other.
     *
     * @param other the other one's
     * @return their sums
     */
    public ClientHealth plus(ClientHealth other) {
        return new ClientHealth(
                load.plus(other.load),
                stalls.plus(other.stalls),
                system.plus(other.system),
                loopLag.or(other.loopLag),
                usersTime.isPresent() && other.usersTime.isPresent()
                        ? Optional.of(usersTime.get().plus(other.usersTime.get()))
                        : usersTime.or(() -> other.usersTime),
                Stream.concat(contaminated.stream(), other.contaminated.stream())
                        .toList());
    }
}
