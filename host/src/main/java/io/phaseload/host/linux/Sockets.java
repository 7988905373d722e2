package io.phaseload.host.linux;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The TCP sockets of the network namespace, {@code /proc/net/tcp} and {@code /proc/net/tcp6}; see proc_net_tcp(5).
 *
 * @param byState their number; a state without any is missing
 * @param ports the local ports of the range that they use
 * @param acceptQueues the connections that wait until a server accepts them, by the server's port
 * @param sending clients' connections over which {@value #MUCH} bytes or more were written that the peer's system
 *     hasn't acknowledged
 */
public record Sockets(Map<SocketState, Integer> byState, int ports, Map<Integer, Integer> acceptQueues, int sending) {

    private static final int MUCH = 16_384;

    /** Keeps the counts from being changed. */
    public Sockets {
        byState = Map.copyOf(byState);
        acceptQueues = Map.copyOf(acceptQueues);
    }

    /**
     * Reads the files. It makes no string a line: there may be tens of thousands.
     *
     * @param range of outgoing connections' ports
     * @param texts all of each file
     * @return the values; invalid lines are left out
     */
    public static Sockets parse(PortRange range, String... texts) {
        SocketLines lines = new SocketLines();
        for (String text : texts) {
            // The first line has names.
            int line = text.indexOf('\n') + 1;
            while (line > 0 && line < text.length()) {
                int end = text.indexOf('\n', line);
                lines.add(text, line, end < 0 ? text.length() : end);
                line = end + 1;
            }
        }
        return lines.sockets(range);
    }

    /** The lines that were read. */
    private static final class SocketLines {

        private final Map<SocketState, Integer> states = new EnumMap<>(SocketState.class);
        private final BitSet ports = new BitSet();
        private final Map<Integer, Integer> acceptQueues = new HashMap<>();
        private final Map<Integer, Integer> sending = new HashMap<>();

        /**
         * {@code 0: 0100007F:07E8 0100007F:C350 01 00000000:00000000 …}: number, local, remote, state, bytes that wait
         * to be sent and to be read, all in hex; a server's socket has connections in place of the latter.
         */
        void add(String text, int from, int to) {
            int number = text.indexOf(':', from);
            int local = number < 0 ? -1 : text.indexOf(':', number + 1);
            int remote = local < 0 ? -1 : text.indexOf(':', local + 1);
            if (remote < 0 || remote + 8 > to) {
                return;
            }
            int port = hex(text, local + 1, local + 5);
            SocketState state =
                    SocketState.of(hex(text, remote + 6, remote + 8)).orElse(null);
            if (port >= 0 && state != null) {
                states.merge(state, 1, Integer::sum);
                if (state != SocketState.LISTEN) {
                    ports.set(port);
                    if (state == SocketState.ESTABLISHED
                            && remote + 17 <= to
                            && hex(text, remote + 9, remote + 17) >= MUCH) {
                        sending.merge(port, 1, Integer::sum);
                    }
                } else if (remote + 26 <= to) {
                    acceptQueues.merge(port, Math.max(0, hex(text, remote + 18, remote + 26)), Integer::sum);
                }
            }
        }

        Sockets sockets(PortRange range) {
            int used = ports.get(range.first(), range.last() + 1).cardinality();
            sending.keySet().removeAll(acceptQueues.keySet());
            return new Sockets(
                    states,
                    used,
                    acceptQueues,
                    sending.values().stream().mapToInt(Integer::intValue).sum());
        }
    }

    /** -1 if it is none. */
    private static int hex(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            number = 16 * number + digit;
        }
        return number;
    }

    /**
     * How many are in some states.
     *
     * @param states the states
     * @return their sum
     */
    public long in(SocketState... states) {
        long sum = 0;
        for (SocketState state : states) {
            sum += byState.getOrDefault(state, 0);
        }
        return sum;
    }
}
