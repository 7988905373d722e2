package io.phaseload.host.linux;

import java.util.BitSet;
import java.util.Optional;

/** The CPUs that a process may run on, of {@code /proc/self/status}; see proc_pid_status(5). */
public final class AllowedCpus {

    private static final String LIST = "Cpus_allowed_list:";

    /** More than any kernel is made for. */
    private static final int MOST = 1 << 16;

    private AllowedCpus() {}

    /**
     * Reads a line such as {@code Cpus_allowed_list: 0-3,8}.
     *
     * @param text the whole file
     * @return their numbers; none if the file doesn't have them
     */
    public static BitSet parse(String text) {
        BitSet allowed = new BitSet();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(LIST)) {
                for (String range : line.substring(LIST.length()).strip().split(",")) {
                    String[] ends = range.split("-", 2);
                    Optional<Long> first = Numbers.counter(ends, 0);
                    Optional<Long> last = Numbers.counter(ends, ends.length - 1);
                    if (first.isEmpty() || last.isEmpty() || first.get() > last.get() || last.get() >= MOST) {
                        return new BitSet();
                    }
                    allowed.set(first.get().intValue(), last.get().intValue() + 1);
                }
            }
        }
        return allowed;
    }
}
