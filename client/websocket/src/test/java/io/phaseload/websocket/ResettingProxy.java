package io.phaseload.websocket;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes bytes on in both directions, and resets each connection after some of its client's. */
final class ResettingProxy implements AutoCloseable {

    private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final int after;
    private final AtomicInteger resets = new AtomicInteger();

    ResettingProxy(int target, int after) throws IOException {
        this.target = target;
        this.after = after;
        start(this::accept);
    }

    int port() {
        return port.getLocalPort();
    }

    int resets() {
        return resets.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = port.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            start(() -> pass(client, server, after));
            start(() -> pass(server, client, Integer.MAX_VALUE));
        }
    }

    private void pass(Socket from, Socket to, int most) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[8192];
            int passed = 0;
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                to.getOutputStream().write(bytes, 0, read);
                passed += read;
                if (passed > most) {
                    resets.incrementAndGet();
                    from.setSoLinger(true, 0);
                    to.setSoLinger(true, 0);
                    return;
                }
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException ended) {
                // By the other direction, or with the test.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
