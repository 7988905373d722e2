package io.phaseload.user;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The plan of one phase. Immutable.
 *
 * @param plan the whole plan
 * @param phase one of its phases
 */
public record PhaseSettings(Plan plan, Phase phase) {

    /** Half the range of the clock, so that adding it to any time compares as later. */
    private static final long ENDLESS_NANOS = Long.MAX_VALUE / 2;

    /**
     * {@return the number of users of the phase here: 0 or more; 1 or more if the plan isn't shared with other clients}
     */
    public int users() {
        return plan.users(phase);
    }

    /** {@return the number of users of all clients that share the plan} */
    int allUsers() {
        return phase.users(plan.threads());
    }

    /** {@return the number of operations that the scenario has: 1 or more} */
    public int operations() {
        return plan.scenario().operations().size();
    }

    /** {@return the number of tallies: one an operation, then one for what is timed as a whole} */
    public int tallies() {
        return operations() + plan.scenario().timed().size();
    }

    /** {@return true if the phase has a set duration, rather than a number of iterations: for a duration} */
    public boolean timed() {
        return phase.length() instanceof PhaseLength.Lasting;
    }

    /**
     * The iterations of a user.
     *
     * @param user its index, from 0
     * @return 0 or more; in a timed phase, practically unlimited
     */
    long iterations(int user) {
        if (phase.length() instanceof PhaseLength.Iterations counted) {
            return counted.perUser();
        }
        if (phase.length() instanceof PhaseLength.Total total) {
            long all = total.count() / arrivalsEach();
            return all / allUsers() + (plan.part().user(user) < all % allUsers() ? 1 : 0);
        }
        return Long.MAX_VALUE;
    }

    /** The arrivals of an open phase, of all clients. */
    long arrivals() {
        if (phase.length() instanceof PhaseLength.Total total) {
            return total.count();
        }
        return timed() ? Long.MAX_VALUE : allUsers() * iterations(0) * arrivalsEach();
    }

    /**
     * {@return the requested number of requests: 0 in a timed phase; of journeys, those behind conditions among them}
     */
    public long asked() {
        if (timed()) {
            return 0;
        }
        long[] turns = requests();
        if (turns.length == 1 && phase.length() instanceof PhaseLength.Iterations counted) {
            return users() * counted.perUser() * turns[0];
        }
        return IntStream.range(0, users())
                .mapToLong(user -> iterations(user) * turns[plan.part().user(user) % turns.length])
                .sum();
    }

    /** How many requests an iteration is, by turns of users or arrivals. */
    long[] requests() {
        return plan.scenario()
                .journeys()
                .map(journeys -> Arrays.stream(journeys.turns(phase.name()))
                        .mapToLong(turn -> journeys.all().get(turn).requests())
                        .toArray())
                .orElseGet(() -> new long[] {plan.scenario().order().length});
    }

    /** {@return the phase's length in nanoseconds; practically unlimited if it isn't timed} */
    public long durationNanos() {
        List<Duration> looks = plan.looks(phase);
        if (!looks.isEmpty()) {
            return looks.get(looks.size() - 1).toNanos();
        }
        return phase.length() instanceof PhaseLength.Lasting lasting
                ? lasting.duration().toNanos()
                : ENDLESS_NANOS;
    }

    /**
     * The shortest time that an open phase lasts, even if its last request ends earlier. A timed phase lasts to its
     * end; otherwise the gap after the last request would be missing when the rate is computed.
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
        // Users that are added later begin at once.
        return phase.load() instanceof Load.Closed closed && plan.part().user(user) < allUsers()
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

    /** {@return true if connections are opened at a limited pace: {@code false} for as fast as possible} */
    boolean paced() {
        return plan.engine().connectRate().isPresent();
    }

    /** How many arrivals an iteration is: an arrival is one request, or a journey. */
    long arrivalsEach() {
        return plan.scenario().journeys().isPresent() ? 1 : plan.scenario().order().length;
    }

    /**
     * {@return the pace at which the phase's connections are opened here: a pace that has given no turn; empty for as
     * fast as possible}
     */
    public Optional<ConnectPace> newConnectPace() {
        Optional<Rate> rate = plan.engine().connectRate();
        return rate.isPresent() && users() > 0
                ? Optional.of(new ConnectPace(rate.get().times((double) users() / allUsers())))
                : Optional.empty();
    }

    /**
     * The requests of an open phase.
     *
     * @param throttle the phase's load
     * @return all unclaimed; empty for a closed phase
     */
    public Optional<Arrivals> newArrivals(Throttle throttle) {
        return phase.load() instanceof Load.Open open
                ? Optional.of(new Arrivals(
                        throttle,
                        open.overload(),
                        durationNanos(),
                        arrivals(),
                        plan.part(),
                        allUsers(),
                        arrivalsEach() == 1 ? requests() : new long[] {1}))
                : Optional.empty();
    }
}
