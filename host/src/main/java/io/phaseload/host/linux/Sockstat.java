package io.phaseload.host.linux;

import java.util.Optional;
import java.util.regex.Pattern;

/** Counts of {@code /proc/net/sockstat}, which cost little however many sockets there are. */
public final class Sockstat {

    private static final Pattern TIME_WAIT = Pattern.compile("(?m)^TCP: .*?\\btw\\b");

    private Sockstat() {}

    /**
     * How many TCP connections wait after their end, of IPv4 and IPv6 together.
     *
     * @param text all of the file
     * @return empty if it doesn't have it
     */
    public static Optional<Long> timeWait(String text) {
        return Numbers.counter(text, TIME_WAIT);
    }
}
