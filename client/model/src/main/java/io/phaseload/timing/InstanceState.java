package io.phaseload.timing;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of the instance that answered, of a target such as AWS Lambda: the first word of the response's header
 * {@value #HEADER}, up to a semicolon.
 */
public enum InstanceState {
    /** This was the instance's first request; it was started for it. */
    COLD,
    /** This was its first request after it had been restored from a snapshot. */
    RESTORED,
    /** It had answered before. */
    WARM;

    /** The header's name. */
    public static final String HEADER = "Phaseload-Start";

    /**
     * Reads a header's value.
     *
     * @param value the header's value
     * @return the state, or {@code null} if it is none of these
     */
    public static @Nullable InstanceState parse(String value) {
        String word = value.split(";", 2)[0].strip().toUpperCase(Locale.ROOT);
        for (InstanceState state : values()) {
            if (state.name().equals(word)) {
                return state;
            }
        }
        return null;
    }
}
