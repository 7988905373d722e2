package io.phaseload.plan.connection;

import io.phaseload.input.Args;
import java.nio.file.Path;
import java.util.List;

/**
 * The way that connections take to a target. Requests are the same on each: header {@code Host} and the certificate's
 * name are the target's.
 */
public sealed interface Route {

    /** To the addresses of the target's host. */
    Route DIRECT = new Direct();

    /** To the addresses of the target's host. */
    record Direct() implements Route {}

    /**
     * To other hosts, in place of looking up the target's.
     *
     * @param hosts names or addresses, IPv6 without brackets; the first one that answers is used
     * @param port 1 to 65535
     */
    record To(List<String> hosts, int port) implements Route {

        /**
         * Checks every part.
         *
         * @throws IllegalArgumentException if there is no host, or no such port
         */
        public To {
            hosts = Args.notEmpty("hosts", hosts);
            hosts.forEach(host -> Args.notBlank("host", host));
            Args.range("port", port, 1, 65_535);
        }
    }

    /**
     * To the nodes of a cluster, in turn; of messages only. Of pair i, the sender connects to node i, and its receivers
     * to the ones after that.
     *
     * @param nodes each with one host
     */
    record Nodes(List<To> nodes) implements Route {

        /**
         * Checks that there are some.
         *
         * @throws IllegalArgumentException if there is none
         */
        public Nodes {
            nodes = Args.notEmpty("nodes", nodes);
        }
    }

    /**
     * To a Unix domain socket on this machine.
     *
     * @param file the socket
     */
    record UnixSocket(Path file) implements Route {}

    /**
     * By way of a proxy.
     *
     * @param proxy of HTTP, which passes plain requests on and makes tunnels for TLS; or SOCKS 5
     */
    record By(Proxy proxy) implements Route {}
}
