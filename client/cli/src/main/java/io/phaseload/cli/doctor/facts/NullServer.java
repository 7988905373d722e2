package io.phaseload.cli.doctor.facts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server on the loopback that does no more than find the ends of requests and answer each with an empty 200, over
 * HTTP/1.1 or HTTP/2 without TLS: what is seen at full load is the client's limit. It has a thread in this JVM for
 * every two CPUs. Thread-safe.
 */
public final class NullServer implements AutoCloseable {

    private static final int BACKLOG = 4_096;

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final List<AcceptLoop> loops = new ArrayList<>();

    /** Starts it on a free port. */
    public NullServer() throws IOException {
        listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), BACKLOG);
        listener.configureBlocking(false);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        for (int i = 0; i < threads; i++) {
            loops.add(new AcceptLoop());
        }
        listener.register(loops.get(0).selector, SelectionKey.OP_ACCEPT);
        loops.forEach(loop -> loop.thread.start());
    }

    /** The port it listens on. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** The CPU time that it has used; zero if the JVM doesn't report it. */
    public Duration cpu() {
        long nanos = 0;
        for (AcceptLoop loop : loops) {
            nanos += Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(loop.thread.getId()));
        }
        return Duration.ofNanos(nanos);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (AcceptLoop loop : loops) {
            loop.close();
        }
    }

    /** A thread with its connections. */
    private final class AcceptLoop {

        private final Selector selector = Selector.open();
        private final Thread thread = new Thread(this::serve, "null-server");
        private final ByteBuffer in = ByteBuffer.allocateDirect(NullConnection.MOST_AT_ONCE);
        private final ByteBuffer out = ByteBuffer.allocateDirect(NullConnection.GROWTH * NullConnection.MOST_AT_ONCE);
        private int accepted;

        AcceptLoop() throws IOException {
            thread.setDaemon(true);
        }

        private void serve() {
            try {
                while (listener.isOpen()) {
                    selector.select(this::ready);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void ready(SelectionKey key) {
            try {
                if (key.isAcceptable()) {
                    accept();
                } else {
                    answer((SocketChannel) key.channel(), (NullConnection) key.attachment());
                }
            } catch (IOException | CancelledKeyException e) {
                // Its client has closed it, or the listener is closed.
                key.cancel();
            }
        }

        private void accept() throws IOException {
            SocketChannel peer = listener.accept();
            if (peer != null) {
                peer.configureBlocking(false);
                Selector next = loops.get(accepted++ % loops.size()).selector;
                peer.register(next, SelectionKey.OP_READ, new NullConnection());
                next.wakeup();
            }
        }

        private void answer(SocketChannel peer, NullConnection connection) throws IOException {
            in.clear();
            if (peer.read(in) < 0) {
                peer.close();
                return;
            }
            out.clear();
            connection.take(in.flip(), out);
            out.flip();
            while (out.hasRemaining()) {
                peer.write(out);
            }
        }

        private void close() throws IOException {
            selector.wakeup();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        }
    }
}
