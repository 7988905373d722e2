package io.phaseload.host.linux;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The traffic of a network interface since its start.
 *
 * @param receivedBytes bytes that came
 * @param sentBytes bytes that went
 * @param lost packets that were dropped or broken, both ways; packets of unknown protocols are among them
 */
public record Traffic(long receivedBytes, long sentBytes, long lost) {

    /**
     * Reads {@code /proc/net/dev}, see proc_pid_net(5).
     *
     * @param text all of it
     * @return by interface; lines that make no sense are left out
     */
    public static Map<String, Traffic> parse(String text) {
        Map<String, Traffic> interfaces = new HashMap<>();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            // Old kernels leave no space behind it.
            int colon = line.lastIndexOf(':');
            if (colon > 0) {
                traffic(Numbers.words(line.substring(colon + 1)))
                        .ifPresent(traffic ->
                                interfaces.put(line.substring(0, colon).strip(), traffic));
            }
        }
        return interfaces;
    }

    /** bytes packets errs drop fifo frame compressed multicast, and the same of what went. */
    private static Optional<Traffic> traffic(String[] words) {
        long[] numbers = new long[12];
        for (int i = 0; i < numbers.length; i++) {
            Optional<Long> number = Numbers.counter(words, i);
            if (number.isEmpty()) {
                return Optional.empty();
            }
            numbers[i] = number.get();
        }
        return Optional.of(new Traffic(numbers[0], numbers[8], numbers[2] + numbers[3] + numbers[10] + numbers[11]));
    }

    /**
     * The growth since an earlier moment.
     *
     * @param before the traffic until then
     * @return the increase
     */
    public Traffic minus(Traffic before) {
        return new Traffic(receivedBytes - before.receivedBytes, sentBytes - before.sentBytes, lost - before.lost);
    }
}
