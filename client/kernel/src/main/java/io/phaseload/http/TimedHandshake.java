package io.phaseload.http;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * A TLS handshake that ends in time, whatever the peer sends. A timeout of the socket isn't enough: it begins again
 * with every byte.
 */
public final class TimedHandshake {

    private TimedHandshake() {}

    /**
     * Does the handshake in the caller's thread.
     *
     * @param secured TLS over {@code plain}
     * @param plain closed when the time is up
     * @param limit of the whole handshake
     * @throws IOException if it fails or its time is up
     */
    public static void start(SSLSocket secured, Socket plain, Duration limit) throws IOException {
        Deadline deadline = new Deadline(() -> close(plain));
        try (Deadlines deadlines = new Deadlines(limit.toNanos())) {
            deadlines.add(deadline);
            deadline.arm(System.nanoTime(), limit.toNanos());
            try {
                secured.startHandshake();
            } finally {
                deadline.disarm(System.nanoTime());
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // A socket that can't be closed is closed.
        }
    }
}
