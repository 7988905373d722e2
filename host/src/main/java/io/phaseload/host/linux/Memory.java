package io.phaseload.host.linux;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The machine's memory, {@code /proc/meminfo}; see proc_meminfo(5).
 *
 * @param totalKib all that the kernel uses
 * @param availableKib the memory that programs can still get without swapping
 */
public record Memory(long totalKib, long availableKib) {

    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal:");
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable:");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:");

    /**
     * Reads the file.
     *
     * @param text all of it
     * @return empty if it doesn't have both
     */
    public static Optional<Memory> parse(String text) {
        Optional<Long> total = Numbers.counter(text, TOTAL);
        Optional<Long> available = Numbers.counter(text, AVAILABLE);
        return total.isPresent() && available.isPresent()
                ? Optional.of(new Memory(total.get(), available.get()))
                : Optional.empty();
    }

    /**
     * The memory that a process has in RAM.
     *
     * @param status all of its {@code /proc/self/status}
     * @return in KiB; empty if the file doesn't have it
     */
    public static Optional<Long> residentKib(String status) {
        return Numbers.counter(status, RESIDENT);
    }

    /** Of a line such as {@code MemTotal: 8131020 kB}, where a kB is 1,024 bytes. */
    /**
     * Memory that programs can't get any more.
     *
     * @return in KiB
     */
    public long usedKib() {
        return totalKib - availableKib;
    }
}
