package io.phaseload.capacity;

import java.util.Locale;

/** The outcome of a step. */
public enum Outcome {
    /** All objectives held. */
    HELD,
    /** An objective didn't hold, and the service was the cause. */
    BROKE,
    /** An objective didn't hold, or the load wasn't sent, and the client may have been the cause. */
    CLIENT,
    /** The step ended before the service was steady, and more time may change the outcome. */
    UNSTEADY;

    /** {@return the name in files: in lower case} */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
