package io.phaseload.http.tls;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
        CountDownLatch ended = new CountDownLatch(1);
        Thread deadline = new Thread(
                () -> {
                    try {
                        if (!ended.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                            plain.close();
                        }
                    } catch (InterruptedException | IOException e) {
                        // Nobody interrupts it, and a socket that can't be closed is closed.
                    }
                },
                "phaseload-handshake");
        deadline.setDaemon(true);
        deadline.start();
        try {
            secured.startHandshake();
        } finally {
            ended.countDown();
        }
    }
}
