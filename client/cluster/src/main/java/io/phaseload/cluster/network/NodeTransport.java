package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.TP;

/** How a member's messages get to others. Its channel starts and ends its protocols. */
public interface NodeTransport extends AutoCloseable {

    /** How long an attempt to connect to a member may take. */
    int PROBE_MILLIS = 1_000;

    /** The senders and receivers. */
    TP protocol();

    /** The discovery of the other members. */
    Discovery discovery();

    /** The signatures of messages. */
    Commands commands();

    /** Where agents find this member. */
    InetSocketAddress address();

    /**
     * Checks whether the process of a member that has just left has ended; it may be called repeatedly, and takes up to
     * {@link #PROBE_MILLIS}.
     */
    BooleanSupplier end(Address member);

    /** Once its channel is closed. */
    @Override
    void close();

    /**
     * A port that was free a moment ago. JGroups' own message for one that isn't names no reason.
     *
     * @param port 0 for any
     * @throws IOException that says why this process can't listen there
     */
    static int freePort(InetAddress bind, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, bind)) {
            return socket.getLocalPort();
        } catch (BindException e) {
            throw new IOException(
                    String.valueOf(e.getMessage()).startsWith("Address already in use")
                            ? "another process listens there"
                            : "this machine can't listen there: " + e.getMessage(),
                    e);
        }
    }

    /** A machine refuses connections to a port where nobody listens; one that is cut off doesn't. */
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
