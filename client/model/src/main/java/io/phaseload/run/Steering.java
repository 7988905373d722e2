package io.phaseload.run;

import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import java.time.Duration;
import java.util.Optional;

/** A hand on the load of a run that goes on. Thread-safe. */
public interface Steering {

    /** The origin of a change by a key of the terminal. */
    String KEY = "key";

    /** The origin of a change by the live page. */
    String PAGE = "page";

    /** The origin of a change by a script. */
    String CONTROL = "control";

    /**
     * Changes the load of the phase that runs, a moment later, so that all users know of it in time; or ends the phase
     * or the run at once.
     *
     * @param kind the kind of the change
     * @param to the new rate, or number of users; empty for the other kinds
     * @param origin {@link #KEY}, {@link #PAGE} or {@link #CONTROL}
     * @return the change and its time
     * @throws IllegalArgumentException with a line for people, if that can't be changed now
     */
    LoadEvent steer(Kind kind, String to, String origin);

    /** {@return the load of the phase that runs; empty between phases, and if it can't be changed} */
    Optional<LoadState> load();

    /**
     * For a load that can't be changed.
     *
     * @param why for people
     * @param stop ends the run in order, as does an abort then
     * @return refuses all else
     */
    static Steering refusing(String why, Runnable stop) {
        return new Steering() {
            @Override
            public LoadEvent steer(Kind kind, String to, String origin) {
                if (!kind.endsRun()) {
                    throw new IllegalArgumentException(kind.key() + ": " + why);
                }
                stop.run();
                return new LoadEvent(Duration.ZERO, new LoadChange("", Duration.ZERO, kind, to), "", origin);
            }

            @Override
            public Optional<LoadState> load() {
                return Optional.empty();
            }
        };
    }
}
