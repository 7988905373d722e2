package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a plan says about one of its phases. Immutable.
 *
 * @param plan the whole plan
 * @param phase one of its phases
 */
public record PhaseSettings(Plan plan, Phase phase) {

    /** Half the range of the clock, so that adding it to any time compares as later. */
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2;

    /**
     * {@return how many users run the phase here: 0 or more; 1 or more if the plan isn't shared
     * with other clients}
     */
    public int users() {
        return plan.users(phase);
    }

    /** How many users all clients have that share the plan. */
    private int allUsers() {
        return phase.users(plan.threads());
    }

    /** {@return how many operations the scenario has: 1 or more} */
    public int operations() {
        return plan.scenario().operations().size();
    }

    /**
     * {@return whether the phase has a set duration, rather than a number of iterations: {@code
     * true} for a duration}
     */
    public boolean timed() {
        return phase.length() instanceof PhaseLength.Lasting;
    }

    /** {@return how many iterations each user runs; in a timed phase, practically unlimited} */
    long iterations() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? counted.perUser()
                : Long.MAX_VALUE;
    }

    /** {@return how many requests the phase asks for: 0 in a timed phase} */
    public long asked() {
        return timed() ? 0 : users() * iterations() * operations();
    }

    /** {@return the phase's length in nanoseconds; practically unlimited if it isn't timed} */
    public long durationNanos() {
        return phase.length() instanceof PhaseLength.Lasting lasting
                ? lasting.duration().toNanos()
                : ENDLESS_NANOS;
    }

    /**
     * The shortest time that an open phase lasts, even if its last request ends earlier. A timed
     * phase lasts to its end; otherwise the gap after the last request would be missing when the
     * rate is computed.
     *
     * @return nanoseconds; 0 in a phase that isn't timed
     */
    public long leastNanos() {
        return timed() ? durationNanos() : 0;
    }

    /**
     * When a user of a closed phase starts.
     *
     * @param user its index, from 0
     * @return nanoseconds after the phase's start
     */
    long rampNanos(int user) {
        return phase.load() instanceof Load.Closed closed
                ? closed.ramp().toNanos() * plan.part().user(user) / allUsers()
                : 0;
    }

    /**
     * A user's own random numbers.
     *
     * @param user its index, from 0
     * @return the same sequence at each call
     */
    SplittableRandom random(int user) {
        return new SplittableRandom(
                plan.seed() + phase.name().hashCode() * 31L + plan.part().user(user));
    }

    /**
     * {@return whether connections are opened at a limited pace: {@code false} for as fast as
     * possible}
     */
    boolean paced() {
        return plan.engine().connectRate().isPresent();
    }

    /**
     * {@return the pace at which the phase's connections are opened here: a pace that has given no
     * turn; empty for as fast as possible}
     */
    public Optional<ConnectPace> newConnectPace() {
        return plan.engine()
                .connectRate()
                .filter(rate -> users() > 0)
                .map(rate -> rate.times((double) users() / allUsers()))
                .map(ConnectPace::new);
    }

    /** {@return the requests of an open phase, all unclaimed; empty for a closed phase} */
    public Optional<Arrivals> newArrivals() {
        return phase.load() instanceof Load.Open open
                ? Optional.of(
                        new Arrivals(
                                open,
                                durationNanos(),
                                timed() ? Long.MAX_VALUE : allUsers() * iterations() * operations(),
                                plan.part(),
                                allUsers()))
                : Optional.empty();
    }
}
