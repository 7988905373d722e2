package io.phaseload.host.linux;

import java.util.Optional;
import java.util.regex.Pattern;

/** Pressure stall information, {@code /proc/pressure/cpu} and others; see the kernel's psi.rst. */
public final class Pressure {

    private static final Pattern TOTAL = Pattern.compile("(?m)^some .*?total=");

    private Pressure() {}

    /**
     * How long at least one task of the machine waited for what the file is about.
     *
     * @param text all of it
     * @return in microseconds since the machine's start; empty if the file doesn't have it
     */
    public static Optional<Long> someMicros(String text) {
        return Numbers.counter(text, TOTAL);
    }
}
