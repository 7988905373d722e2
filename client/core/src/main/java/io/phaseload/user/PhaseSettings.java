package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a plan says of one of its phases. Immutable.
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

    /** {@return how many iterations each user runs: practically endless in a timed phase} */
    long iterations() {
        return phase.length() instanceof PhaseLength.Iterations counted
                ? counted.perUser()
                : Long.MAX_VALUE;
    }

    /** {@return how many requests the phase asks for: 0 in a timed phase} */
    public long asked() {
        return timed() ? 0 : users() * iterations() * operations();
    }

    /**
     * {@return how long the phase is: nanoseconds; practically endless in a phase that isn't timed}
     */
    public long durationNanos() {
        return phase.length() instanceof PhaseLength.Lasting lasting
                ? lasting.duration().toNanos()
                : ENDLESS_NANOS;
    }

    /**
     * How long an open phase lasts, however early its last request is sent. A timed one lasts to
     * its end: else the gap after the last request would be missing from the time that its rate is
     * of.
     *
     * @return nanoseconds; 0 in a phase that isn't timed
     */
    public long leastNanos() {
        return timed() ? durationNanos() : 0;
    }

    /**
     * When a closed phase's user begins.
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

    /**
     * {@return the requests of an open phase: arrivals of which none is claimed; empty for a closed
     * phase}
     */
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
