package io.phaseload.plan;

import io.phaseload.options.ValueException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One part of a run that is measured on its own.
 *
 * @param name lower-case letters, digits, {@code -} and {@code _}, such as {@code peak}
 * @param share the part of the plan's threads that run it: more than 0, at most 1
 * @param length the time that it lasts; in an open model, a number of iterations stands for the requests that users
 *     would send in a closed one
 * @param load the load of its users
 */
public record Phase(String name, double share, PhaseLength length, Load load) {

    private static final Set<String> APART = Set.of("warmup", "cooldown");

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

    /**
     * Checks name and share.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Phase {
        if (!NAME.matcher(name).matches()) {
            throw new ValueException("phase name '%s'".formatted(name), "lower-case letters, digits, - and _");
        }
        if (!(share > 0 && share <= 1)) {
            throw new ValueException("phase %s: share %s".formatted(name, share), "more than 0 and at most 1");
        }
    }

    /**
     * A phase in a closed model, without pauses.
     *
     * @throws IllegalArgumentException as the canonical constructor does
     */
    public Phase(String name, double share, PhaseLength length) {
        this(name, share, length, Load.Closed.AT_ONCE);
    }

    /**
     * The default phases: warmup with 10 % of the threads, loading with 50 %, peak with 100 %, cooldown with 25 %.
     *
     * @param length of each phase
     */
    public static List<Phase> fourPhases(PhaseLength length) {
        return List.of(
                new Phase("warmup", 0.1, length),
                new Phase("loading", 0.5, length),
                new Phase("peak", 1, length),
                new Phase("cooldown", 0.25, length));
    }

    /**
     * The measured phases: those that headline figures, sweeps, comparisons, and thresholds without a phase are about.
     * They are all but {@code warmup} and {@code cooldown}, unless there are no others.
     *
     * @param names of all phases
     * @return those of them that are measured, in the same order
     */
    public static List<String> measured(List<String> names) {
        List<String> others =
                names.stream().filter(name -> !APART.contains(name)).toList();
        return others.isEmpty() ? List.copyOf(names) : others;
    }

    /**
     * How many users run this phase.
     *
     * @param threads the plan's threads, at least 1
     * @return the phase's share of them, rounded down, at least 1
     */
    public int users(int threads) {
        // In decimal: 0.29 * 100 is 28.999999999999996 in binary floating point.
        BigDecimal users = BigDecimal.valueOf(share).multiply(BigDecimal.valueOf(threads));
        return Math.max(1, users.setScale(0, RoundingMode.DOWN).intValueExact());
    }
}
