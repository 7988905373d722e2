package io.phaseload.user;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A reason why requests that a plan asks for weren't sent. Requests for which the client's machine had no descriptor or
 * port left count under their {@link io.phaseload.measure.Cause} instead.
 */
public enum UnsentReason {
    /** No user was free in time. */
    DROPPED("dropped"),
    /** No user was free before the phase's end. */
    QUEUED("queued at the phase's end"),
    /** The run was stopped. */
    INTERRUPTED("interrupted"),
    /** The phase was ended by hand. */
    SKIPPED("skipped"),
    /** The run gave up a target to which no connection could be made. */
    UNREACHABLE("target unreachable"),
    /** The client itself failed. */
    CLIENT_FAULT("client fault"),
    /** A step before it failed, and ended the iteration. */
    EARLIER_STEP("an earlier step failed"),
    /** The rows of a data file were used up. */
    NO_DATA("no data left"),
    /** A value would have changed the request's structure. */
    UNSAFE_VALUE("a value can't be in a path, a header or bytes");

    private static final Set<UnsentReason> NO_USER_FREE = EnumSet.of(DROPPED, QUEUED);

    private final String key;

    UnsentReason(String key) {
        this.key = key;
    }

    /** {@return the text under which results count it} */
    public String key() {
        return key;
    }

    /**
     * The requests for which no user was free; others weren't sent because the run ended.
     *
     * @param notSent the unsent requests of a phase, by their reasons' keys
     */
    public static long noUserFree(Map<String, Long> notSent) {
        return NO_USER_FREE.stream()
                .mapToLong(reason -> notSent.getOrDefault(reason.key, 0L))
                .sum();
    }
}
