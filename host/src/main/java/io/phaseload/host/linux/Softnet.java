package io.phaseload.host.linux;

import java.util.Optional;

/**
 * Counts of packets between the network's interfaces and the protocols, of all CPUs together.
 *
 * @param dropped packets that a CPU's queue had no room for
 * @param squeezed the number of times that a CPU's turn ended with packets left
 */
public record Softnet(long dropped, long squeezed) {

    /**
     * Reads {@code /proc/net/softnet_stat}: a line a CPU, in hex, of which the second and the third number are these.
     *
     * @param text all of it
     * @return the sums; empty if there is no line that makes sense
     */
    public static Optional<Softnet> parse(String text) {
        Optional<Softnet> sum = Optional.empty();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            String[] words = Numbers.words(line);
            if (words.length >= 3) {
                try {
                    long dropped = Long.parseLong(words[1], 16);
                    long squeezed = Long.parseLong(words[2], 16);
                    Softnet before = sum.orElse(new Softnet(0, 0));
                    sum = Optional.of(new Softnet(before.dropped + dropped, before.squeezed + squeezed));
                } catch (NumberFormatException e) {
                    // It is no such line.
                }
            }
        }
        return sum;
    }
}
