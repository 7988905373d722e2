package io.phaseload.host.linux;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * TCP's counters of {@code /proc/net/snmp} and {@code /proc/net/netstat}, of IPv4 and IPv6 together, since the start of
 * the network namespace; see the kernel's snmp_counter.rst.
 *
 * @param values by the kernel's names, such as {@code RetransSegs}; kernels differ in which they have
 */
public record TcpCounters(Map<String, Long> values) {

    /** Keeps the values from being changed. */
    public TcpCounters {
        values = Map.copyOf(values);
    }

    /**
     * Reads the files, in which a line of names comes before each line of numbers.
     *
     * @param texts all of each
     * @return the counters of the lines {@code Tcp:} and {@code TcpExt:}; those that make no sense are left out
     */
    public static TcpCounters parse(String... texts) {
        Map<String, Long> values = new HashMap<>();
        for (String text : texts) {
            String[] names = {""};
            for (String line : (Iterable<String>) text.lines()::iterator) {
                if (line.startsWith("Tcp: ") || line.startsWith("TcpExt: ")) {
                    String[] words = Numbers.words(line);
                    if (words[0].equals(names[0])) {
                        for (int i = 1; i < Math.min(names.length, words.length); i++) {
                            String name = names[i];
                            // MaxConn may be -1.
                            Numbers.counter(words[i]).ifPresent(value -> values.put(name, value));
                        }
                    }
                    names = words[0].equals(names[0]) ? new String[] {""} : words;
                }
            }
        }
        return new TcpCounters(values);
    }

    /**
     * One of them.
     *
     * @param name the kernel's
     * @return empty if the kernel doesn't have it
     */
    public Optional<Long> get(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
