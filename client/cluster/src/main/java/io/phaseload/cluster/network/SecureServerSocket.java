package io.phaseload.cluster.network;

import io.phaseload.host.Daemons;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A server socket that accepts only clients that have authenticated themselves. At most {@link #MOST_PENDING}
 * handshakes are pending, each for a limited time: a further client replaces the oldest pending one once that had
 * {@link #LEAST_MILLIS}. So clients that say nothing neither block others nor use up threads and descriptors.
 */
final class SecureServerSocket extends ServerSocket {

    static final int MOST_PENDING = 256;
    static final int LEAST_MILLIS = 500;

    private static final int BETWEEN_CHECKS_MILLIS = 1_000;
    private static final int BACKLOG = 512;

    private record Pending(Socket client, long since) {

        boolean hasHad(int millis) {
            return System.nanoTime() - since >= TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    private final Identity identity;
    private final int mostMillis;
    private final BlockingQueue<Socket> authenticated = new LinkedBlockingQueue<>();
    // Guarded by itself; the oldest first.
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final ThreadPoolExecutor handshakes = new ThreadPoolExecutor(
            MOST_PENDING,
            MOST_PENDING,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named("cluster-handshake"));
    // Guarded by this.
    private boolean listens;

    /**
     * A server socket that isn't bound.
     *
     * @param mostMillis the time that a handshake may take
     */
    SecureServerSocket(Identity identity, int mostMillis) throws IOException {
        this.identity = identity;
        this.mostMillis = mostMillis;
        handshakes.allowCoreThreadTimeOut(true);
    }

    @Override
    public void bind(SocketAddress at, int backlog) throws IOException {
        super.bind(at, BACKLOG);
    }

    @Override
    public Socket accept() throws IOException {
        listen();
        try {
            while (!isClosed()) {
                Socket next = authenticated.poll(BETWEEN_CHECKS_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    return next;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new SocketException("closed");
    }

    private synchronized void listen() throws IOException {
        if (!listens) {
            listens = true;
            setSoTimeout(BETWEEN_CHECKS_MILLIS);
            Daemons.named("cluster-accept").newThread(this::acceptAll).start();
        }
    }

    private void acceptAll() {
        try {
            while (!isClosed()) {
                closeOlderThan(mostMillis);
                acceptNext();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptNext() throws InterruptedException {
        try {
            Pending next = new Pending(super.accept(), System.nanoTime());
            awaitPlace();
            synchronized (pending) {
                pending.add(next);
            }
            begin(next);
        } catch (SocketTimeoutException e) {
            // Time to look for clients that take too long.
        } catch (IOException e) {
            // Closed, or out of descriptors: those of pending clients come back.
            TimeUnit.MILLISECONDS.sleep(LEAST_MILLIS / 10);
        }
    }

    private void begin(Pending next) {
        try {
            handshakes.execute(() -> authenticate(next));
        } catch (RejectedExecutionException closed) {
            Identity.close(next.client());
        }
    }

    private void awaitPlace() throws InterruptedException {
        synchronized (pending) {
            while (pending.size() >= MOST_PENDING && !isClosed()) {
                if (pending.element().hasHad(LEAST_MILLIS)) {
                    Identity.close(pending.remove().client());
                } else {
                    pending.wait(LEAST_MILLIS / 10);
                }
            }
        }
    }

    private void closeOlderThan(int millis) {
        synchronized (pending) {
            while (!pending.isEmpty() && pending.element().hasHad(millis)) {
                Identity.close(pending.remove().client());
            }
        }
    }

    private void authenticate(Pending next) {
        try {
            next.client().setSoTimeout(mostMillis);
            Socket socket = identity.accept(next.client());
            next.client().setSoTimeout(0);
            authenticated.add(socket);
            if (isClosed()) {
                Identity.close(socket);
            }
        } catch (IOException | RuntimeException e) {
            Identity.close(next.client());
        } finally {
            synchronized (pending) {
                pending.remove(next);
                pending.notifyAll();
            }
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        handshakes.shutdown();
        synchronized (pending) {
            pending.forEach(each -> Identity.close(each.client()));
            pending.clear();
        }
        for (Socket each; (each = authenticated.poll()) != null; ) {
            Identity.close(each);
        }
    }
}
