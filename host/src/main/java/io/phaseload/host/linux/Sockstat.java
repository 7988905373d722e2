package io.phaseload.host.linux;

import java.util.Optional;

/** Counts of {@code /proc/net/sockstat}, which cost little however many sockets there are. */
public final class Sockstat {

    private Sockstat() {}

    /**
     * How many TCP connections wait after their end, of IPv4 and IPv6 together.
     *
     * @param text all of the file
     * @return empty if it doesn't have it
     */
    public static Optional<Long> timeWait(String text) {
        for (String line : (Iterable<String>) text.lines()::iterator) {
            String[] words = Numbers.words(line);
            if (words[0].equals("TCP:")) {
                for (int i = 1; i < words.length; i++) {
                    if (words[i].equals("tw")) {
                        return Numbers.counter(words, i + 1);
                    }
                }
            }
        }
        return Optional.empty();
    }
}
