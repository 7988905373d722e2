package io.phaseload.cli.command;

import java.util.Optional;

/**
 * An address as users write it, such as {@code 127.0.0.1:7800}, {@code [::1]:7800} or {@code 7800}.
 *
 * @param host without brackets; empty if there was none
 * @param port from 0 to 65535
 */
public record HostPort(String host, int port) {

    private static final int HIGHEST = 65_535;

    /** Reads one; empty if it has no port, or nothing before the colon. */
    public static Optional<HostPort> parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon == 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > HIGHEST) {
            return Optional.empty();
        }
        String host = text.substring(0, Math.max(0, colon)).replaceAll("^\\[|]$", "");
        return Optional.of(new HostPort(host, Integer.parseInt(port)));
    }
}
