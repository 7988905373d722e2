package io.phaseload.cli.prove;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * A server whose figures are known, since it measures them itself: it counts its requests, takes a known time for each,
 * and freezes once for a known time.
 */
final class SelfTarget implements AutoCloseable {

    private static final byte[] RESPONSE =
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n".getBytes(StandardCharsets.US_ASCII);

    /** One request in ten takes longer. */
    private static final int SLOW = 10;

    private final ServerSocket socket;
    private final Histogram times = new Histogram(3);
    private long served;
    private Duration usual = Duration.ZERO;
    private Duration slow = Duration.ZERO;
    private Duration untilFreeze;
    private Duration freeze = Duration.ZERO;
    private long frozenFrom;
    private long frozenUntil;

    private SelfTarget(ServerSocket socket) {
        this.socket = socket;
    }

    static SelfTarget start() throws IOException {
        SelfTarget target = new SelfTarget(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()));
        thread("self-target", target::accept);
        return target;
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
    }

    /** Begins to count and to measure anew. */
    synchronized void take(Duration usually, Duration sometimes) {
        usual = usually;
        slow = sometimes;
        served = 0;
        times.reset();
    }

    /** Freezes some time after the next request. */
    synchronized void freeze(Duration after, Duration length) {
        untilFreeze = after;
        freeze = length;
    }

    synchronized long served() {
        return served;
    }

    /** From a request's first byte to the end of its response, in ms. */
    synchronized double millis(double percentile) {
        return times.getValueAtPercentile(percentile) / 1e3;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                thread("self-target-connection", () -> serve(connection));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            int ends = 0;
            long first = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                first = first == 0 ? System.nanoTime() : first;
                ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
                if (ends == 2) {
                    wait(pause(first));
                    out.write(RESPONSE);
                    record(System.nanoTime() - first);
                    first = 0;
                    ends = 0;
                }
            }
        } catch (IOException e) {
            // The client's end of it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void wait(Duration time) throws InterruptedException {
        if (!time.isZero()) {
            Thread.sleep(time.toMillis(), time.getNano() % 1_000_000);
        }
    }

    private synchronized Duration pause(long now) {
        served++;
        if (untilFreeze != null) {
            frozenFrom = now + untilFreeze.toNanos();
            frozenUntil = frozenFrom + freeze.toNanos();
            untilFreeze = null;
        }
        long frozen = now >= frozenFrom && now < frozenUntil ? frozenUntil - now : 0;
        return (served % SLOW == 0 ? slow : usual).plusNanos(frozen);
    }

    private synchronized void record(long nanos) {
        times.recordValue(nanos / 1_000);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
