package io.phaseload.result;

import io.phaseload.plan.LoadChange;
import io.phaseload.run.LoadEvent;
import java.time.Duration;

/**
 * A change of the load while the run went on.
 *
 * @param atMs its time, since the run's start
 * @param phase the phase that ran; empty between phases
 * @param phaseMs the time since the phase's start
 * @param change the {@linkplain LoadChange.Kind#key() kind} of the change
 * @param from the rate or the number of users before it
 * @param to the new rate, or number of users; empty for the other kinds
 * @param origin {@code plan}, {@code key}, {@code page} or {@code control}
 */
public record ChangedLoad(
        double atMs, String phase, double phaseMs, String change, String from, String to, String origin) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** As a run reported it. */
    public static ChangedLoad of(LoadEvent event) {
        LoadChange change = event.change();
        return new ChangedLoad(
                event.at().toNanos() / NANOS_PER_MILLI,
                change.phase(),
                change.at().toNanos() / NANOS_PER_MILLI,
                change.kind().key(),
                event.from(),
                change.to(),
                event.origin());
    }

    /** {@return the event that it was made of} */
    public LoadEvent event() {
        return new LoadEvent(
                millis(atMs), new LoadChange(phase, millis(phaseMs), LoadChange.Kind.of(change), to), from, origin);
    }

    /** {@return it in a few words, such as {@code rate 100/s to 200/s}} */
    public String text() {
        return to.isEmpty() ? change : "%s %s to %s".formatted(change, from, to);
    }

    private static Duration millis(double of) {
        return Duration.ofNanos(Math.round(of * NANOS_PER_MILLI));
    }
}
