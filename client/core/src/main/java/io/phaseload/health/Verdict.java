package io.phaseload.health;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Whether the measurement itself is valid; says nothing of the target's performance.
 *
 * @param status the gravest of what the reasons say
 * @param reasons whole sentences for people; empty if valid
 */
public record Verdict(Status status, List<String> reasons) {

    /** From good to bad. */
    public enum Status {
        /** Nothing speaks against the numbers. */
        VALID,
        /** The numbers may be the client's as much as the target's. */
        SUSPECT,
        /** The numbers must not be used. */
        INVALID
    }

    /** Where peers warn, too: k6's guide, Hyperfoil's watchdog. */
    private static final double MAX_CPU_SHARE = 0.80;

    private static final double MAX_GC_SHARE = 0.05;

    /** Nothing speaks against the numbers. */
    public static final Verdict VALID = new Verdict(Status.VALID, List.of());

    /** Keeps the reasons from being changed. */
    public Verdict {
        reasons = List.copyOf(reasons);
    }

    /**
     * This verdict, with a reason for each limit that the client itself ran into.
     *
     * @param where the phase, for the reason's text
     * @param load what the client used in it
     * @return at least SUSPECT if the client used more than 80 % of the machine's CPU, or stood
     *     still for garbage collection for more than 5 % of the time
     */
    public Verdict and(String where, ClientLoad load) {
        Verdict verdict = this;
        if (load.cpuShare() > MAX_CPU_SHARE) {
            verdict =
                    verdict.and(
                            Status.SUSPECT,
                            String.format(
                                    Locale.ROOT,
                                    "%s: the client's process used %.0f %% of %d cores; times"
                                            + " include waiting for the CPU.",
                                    where,
                                    load.cpuShare() * 100,
                                    load.cores()));
        }
        if (load.gcShare() > MAX_GC_SHARE) {
            verdict =
                    verdict.and(
                            Status.SUSPECT,
                            String.format(
                                    Locale.ROOT,
                                    "%s: the client stood still for garbage collection for %.0f %%"
                                            + " of the time.",
                                    where,
                                    load.gcShare() * 100));
        }
        return verdict;
    }

    /**
     * This verdict with one more reason.
     *
     * @param atLeast what the reason says of the measurement
     * @param reason a whole sentence
     * @return the graver of both
     */
    public Verdict and(Status atLeast, String reason) {
        Status graver = status.compareTo(atLeast) >= 0 ? status : atLeast;
        return new Verdict(graver, Stream.concat(reasons.stream(), Stream.of(reason)).toList());
    }

    /**
     * This verdict with the reasons of another one.
     *
     * @param other whose reasons follow
     * @return the graver of both
     */
    public Verdict and(Verdict other) {
        Verdict both = this;
        for (String reason : other.reasons()) {
            both = both.and(other.status(), reason);
        }
        return both;
    }
}
