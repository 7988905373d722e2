package io.phaseload.timing;

import java.util.Set;

/**
 * A part of the figures in {@code result.json} with the times of one protocol. It is left out if none was measured.
 *
 * @param path the keys that lead to it, joined by dots; empty for the figures themselves
 * @param noun the name of one sample
 */
public record Section(String path, String noun) {

    /** The figures themselves. */
    public static final Section REQUESTS = new Section("", "request");

    /**
     * Makes a timing whose title is its name in files.
     *
     * @param key its name in files, in lower-case letters and dashes
     * @param json its key in this section; empty if it isn't there
     * @param uses its uses
     * @return the timing, for a {@link TimingProvider}
     */
    public Timing timing(String key, String json, Timing.Use... uses) {
        return titled(key.replace('-', ' '), key, json, uses);
    }

    /**
     * Makes a timing.
     *
     * @param title its title in reports, in which {@code %s} is the noun
     * @param key its name in files, in lower-case letters and dashes
     * @param json its key in this section; empty if it isn't there
     * @param uses its uses
     * @return the timing, for a {@link TimingProvider}
     */
    public Timing titled(String title, String key, String json, Timing.Use... uses) {
        return new Timing(this, key, json, title, Set.of(uses));
    }
}
