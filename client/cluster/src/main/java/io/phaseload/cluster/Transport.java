package io.phaseload.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.TP;

/** How a member's messages get to others. Its channel starts and ends its protocols. */
interface Transport extends AutoCloseable {

    /** How long an attempt to connect to a member may take. */
    int PROBE_MILLIS = 1_000;

    /** What sends and receives. */
    TP protocol();

    /** What finds the other members. */
    Discovery discovery();

    /** Where agents find this member. */
    InetSocketAddress address();

    /**
     * What tells whether the process of a member that has just left is there no more; it may be
     * asked again and again, and takes up to {@link #PROBE_MILLIS}.
     */
    BooleanSupplier end(Address member);

    /** Once its channel is closed. */
    @Override
    void close();

    /**
     * A machine refuses connections to a port where nobody listens; one that is cut off doesn't.
     */
    static boolean refuses(InetSocketAddress at) {
        try (Socket socket = new Socket()) {
            socket.connect(at, PROBE_MILLIS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
