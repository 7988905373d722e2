package io.phaseload.cli.watch;

import io.phaseload.cli.command.HostPort;
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
        HostPort at = HostPort.parse(text).orElseThrow(() -> wrong(option, text));
        if (at.host().isEmpty()) {
            return new ListenAddress("localhost", new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()));
        }
        InetSocketAddress socket = new InetSocketAddress(at.host(), at.port());
        if (socket.isUnresolved()) {
            throw wrong(option, text);
        }
        return new ListenAddress(at.host(), socket);
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
