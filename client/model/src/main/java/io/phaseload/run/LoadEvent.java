package io.phaseload.run;

import io.phaseload.plan.LoadChange;
import java.time.Duration;

/**
 * A change of the load that took place.
 *
 * @param at its time, since the run's start
 * @param change the change
 * @param from the rate or the number of users before it, such as {@code 100/s} or {@code 20}
 * @param origin {@code plan}, {@code decided}, {@code key}, {@code page} or {@code control}: where it was asked for
 */
public record LoadEvent(Duration at, LoadChange change, String from, String origin) {

    /** The origin of changes that the plan has. */
    public static final String PLANNED = "plan";

    /** The origin of the end of a phase whose thresholds are decided. */
    public static final String DECIDED = "decided";

    /** {@return {@code true} if a person or a script asked for it while the run went on} */
    public boolean byHand() {
        return !origin.equals(PLANNED) && !origin.equals(DECIDED);
    }
}
