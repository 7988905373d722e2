package io.phaseload.measure;

import java.util.Map;

/**
 * Figures of the client or of servers at the end of an interval, of about its second.
 *
 * @param values finite numbers by the names that {@code docs/results.md} explains, such as
 *     {@code tcpRetransmitsPerSecond}; a figure has the same name, and means the same, of the client and of a server.
 *     Where several servers are asked, each server's name and a dot come before it. One that isn't known is missing
 */
public record HostFigures(Map<String, Double> values) {

    /** Nothing was known: a target didn't answer, or not in time. */
    public static final HostFigures GAP = new HostFigures(Map.of());

    /** Keeps the values from being changed. */
    public HostFigures {
        values = Map.copyOf(values);
    }

    /**
     * Whether there is nothing in it.
     *
     * @return {@code true} if there is no value
     */
    public boolean isGap() {
        return values.isEmpty();
    }
}
