package io.phaseload.cluster.network;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.jgroups.util.DefaultSocketFactory;

/** The sockets of JGroups' transports: all of them authenticate the other end first. */
final class SecureSockets extends DefaultSocketFactory {

    private final Identity identity;

    SecureSockets(Identity identity) {
        this.identity = identity;
    }

    @Override
    public Socket createSocket(String use) throws IOException {
        return identity.newSocket(Identity.MEMBER_MILLIS);
    }

    @Override
    public ServerSocket createServerSocket(String use) throws IOException {
        return new SecureServerSocket(identity, Identity.HANDSHAKE_MILLIS);
    }
}
