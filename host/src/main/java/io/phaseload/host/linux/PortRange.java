package io.phaseload.host.linux;

import java.util.Optional;

/**
 * The local ports of outgoing connections, {@code /proc/sys/net/ipv4/ip_local_port_range}.
 *
 * @param first the lowest
 * @param last the highest
 */
public record PortRange(int first, int last) {

    private static final int MOST = 0xffff;

    /**
     * Reads the file.
     *
     * @param text two ports
     * @return empty if it holds something else
     */
    public static Optional<PortRange> parse(String text) {
        String[] words = Numbers.words(text);
        long first = Numbers.counter(words, 0).orElse(-1L);
        long last = Numbers.counter(words, 1).orElse(-1L);
        return first >= 0 && last >= first && last <= MOST
                ? Optional.of(new PortRange((int) first, (int) last))
                : Optional.empty();
    }

    /**
     * How many ports there are.
     *
     * @return 1 or more
     */
    public int size() {
        return last - first + 1;
    }
}
