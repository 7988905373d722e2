package io.phaseload.options;

/**
 * An option as it was written.
 *
 * @param place the layer it was written in
 * @param name such as {@code -c}, {@code -Dthreads} or {@code PHASELOAD_THREADS}
 */
public record Typed(Place place, String name) {

    /** The layers of options, from the lowest to the highest. */
    public enum Place {
        /** A variable of the environment. */
        VARIABLE,
        /** A system property. */
        PROPERTY,
        /** The command line. */
        LINE
    }

    /**
     * The beginning of a message.
     *
     * @param value the value as it was written
     * @return such as {@code --threads 5} or {@code PHASELOAD_THREADS=5}
     */
    public String with(String value) {
        return name + (place == Place.LINE ? " " : "=") + value;
    }
}
