package io.phaseload.cli.watch;

import io.phaseload.options.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The place where a page is served, as {@code [HOST:]PORT} of an option. Without a host, only this machine reaches it.
 *
 * @param host the name or address that was given, without brackets; {@code localhost} if there was none
 * @param socket the place
 */
record ListenAddress(String host, InetSocketAddress socket) {

    /** Of an option's value. */
    static ListenAddress of(String option, String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon)).replaceAll("^\\[|]$", "");
        String port = text.substring(colon + 1);
        if (colon == 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            throw wrong(option, text);
        }
        if (host.isEmpty()) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            return new ListenAddress("localhost", new InetSocketAddress(loopback, Integer.parseInt(port)));
        }
        InetSocketAddress socket = new InetSocketAddress(host, Integer.parseInt(port));
        if (socket.isUnresolved()) {
            throw wrong(option, text);
        }
        return new ListenAddress(host, socket);
    }

    private static UsageException wrong(String option, String text) {
        return new UsageException("%s %s: expected a port, or an address of this machine and a port, such as 9464 or"
                        .formatted(option, text)
                + " 0.0.0.0:9464");
    }

    /**
     * The address of a page.
     *
     * @param port the port in use: that of this address may be 0
     * @param path begins with a slash
     */
    String url(int port, String path) {
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + path;
    }
}
