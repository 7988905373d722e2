package io.phaseload.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A port whose queue of connections is full, and nobody takes from it: attempts to connect get no answer. On Linux,
 * that is; elsewhere the system may refuse them.
 */
final class FullBacklog implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 300;

    private final ServerSocket listener = new ServerSocket();
    private final List<Socket> queued = new ArrayList<>();

    FullBacklog(InetAddress address, int port) throws IOException {
        listener.bind(new InetSocketAddress(address, port), 1);
        // Twice in a row, as once might be a machine that was just too slow.
        int unanswered = 0;
        while (unanswered < 2) {
            if (queued.size() > 100) {
                close();
                throw new IOException("the queue of connections doesn't get full");
            }
            unanswered = isAnswered() ? 0 : unanswered + 1;
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    private boolean isAnswered() throws IOException {
        Socket socket = new Socket();
        queued.add(socket);
        try {
            socket.connect(listener.getLocalSocketAddress(), PATIENCE_MILLIS);
            return true;
        } catch (SocketTimeoutException full) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : queued) {
            socket.close();
        }
        listener.close();
    }
}
