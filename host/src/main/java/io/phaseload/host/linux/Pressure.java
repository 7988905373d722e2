package io.phaseload.host.linux;

import java.util.Optional;

/** Pressure stall information, {@code /proc/pressure/cpu} and others; see the kernel's psi.rst. */
public final class Pressure {

    private static final String TOTAL = "total=";

    private Pressure() {}

    /**
     * How long at least one task of the machine waited for what the file is about.
     *
     * @param text all of it
     * @return in microseconds since the machine's start; empty if the file doesn't have it
     */
    public static Optional<Long> someMicros(String text) {
        for (String line : (Iterable<String>) text.lines()::iterator) {
            int total = line.indexOf(TOTAL);
            if (line.startsWith("some ") && total >= 0) {
                return Numbers.counter(line.substring(total + TOTAL.length()).strip());
            }
        }
        return Optional.empty();
    }
}
