package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A change of a phase's load while it runs. Its text is such as {@code peak at 12.5s: rate 200/s}.
 *
 * @param phase its name
 * @param at the time since the phase's start
 * @param kind the kind of the change
 * @param to the new rate, or number of users; empty for the other kinds
 */
public record LoadChange(String phase, Duration at, Kind kind, String to) {

    /** The kind of a change. */
    public enum Kind {
        /** Requests of an open phase are due at another rate. */
        RATE,
        /** Another number of users runs a closed phase that has a duration. */
        USERS,
        /** No request is due, and no iteration begins. */
        PAUSE,
        /** The end of a pause. */
        RESUME,
        /** The phase ends, and the next one begins. */
        NEXT,
        /** The run ends in order. */
        STOP,
        /** The run ends at once: requests in flight are cut off. */
        ABORT;

        /**
         * Finds a kind.
         *
         * @param key see {@link #key()}
         * @return the kind
         * @throws IllegalArgumentException naming all of them
         */
        public static Kind of(String key) {
            return Arrays.stream(values())
                    .filter(kind -> kind.key().equals(key))
                    .findFirst()
                    .orElseThrow(() -> new ValueException(
                            "change " + key,
                            "one of " + Arrays.stream(values()).map(Kind::key).collect(Collectors.joining(", "))));
        }

        /** {@return its name in files: in lower case} */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** {@return {@code true} if it ends the run, so that no plan can have it} */
        public boolean endsRun() {
            return this == STOP || this == ABORT;
        }
    }

    private static final Pattern TEXT = Pattern.compile("(\\S+) at (\\S+): (\\S+)(?: (\\S+))?");
    private static final int MOST_USERS = 1_000_000;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException naming the value, and what is allowed
     */
    public LoadChange {
        if (kind == Kind.RATE) {
            to = rate(to).toString();
        } else if (kind == Kind.USERS) {
            to = Integer.toString(users(to));
        } else if (!to.isEmpty()) {
            throw new ValueException("%s %s".formatted(kind.key(), to), "no value");
        }
    }

    /**
     * Reads a text.
     *
     * @param text as {@link #toString} writes it
     * @return the change
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public static LoadChange parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new ValueException("a change such as 'peak at 30s: rate 200/s'");
        }
        Kind kind = Kind.of(parts.group(3));
        if (kind.endsRun()) {
            throw new ValueException("a change that doesn't end the run");
        }
        return new LoadChange(
                parts.group(1),
                Quantities.parseDuration(parts.group(2), true),
                kind,
                parts.group(4) == null ? "" : parts.group(4));
    }

    /**
     * Checks whether a phase's load can be changed so.
     *
     * @param of the phase
     * @throws IllegalArgumentException with the reason, if not
     */
    public void check(Phase of) {
        if (kind == Kind.RATE && of.load() instanceof Load.Closed) {
            throw refused("has users instead of a rate");
        } else if (kind == Kind.RATE
                && of.load() instanceof Load.Open open
                && open.schedule() instanceof BurstArrivals) {
            throw refused("sends bursts");
        } else if (kind == Kind.USERS && of.load() instanceof Load.Open) {
            throw refused("has a rate; its users only wait for requests that are due");
        } else if (kind == Kind.USERS && !(of.length() instanceof PhaseLength.Lasting)) {
            throw refused("has a number of iterations for each user instead of a duration");
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("%s %s: phase %s %s".formatted(kind.key(), to, phase, why));
    }

    /** {@return the new rate} */
    public Rate rate() {
        return rate(to);
    }

    /** {@return the new number of users} */
    public int users() {
        return users(to);
    }

    private static Rate rate(String text) {
        try {
            return Rate.parse(text);
        } catch (ValueException e) {
            throw e.in("rate " + text);
        }
    }

    private static int users(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new ValueException("users " + text, "1 to " + MOST_USERS);
        }
        return (int) Args.range("users", Integer.parseInt(text), 1, MOST_USERS);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        long nanos = at.toNanos();
        return "%s at %d.%06dms: %s".formatted(phase, nanos / 1_000_000, nanos % 1_000_000, kind.key())
                + (to.isEmpty() ? "" : " " + to);
    }
}
