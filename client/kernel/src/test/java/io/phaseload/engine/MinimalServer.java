package io.phaseload.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * A server of one thread that does no more than find the ends of requests without bodies, and answer: cheap enough that
 * what is seen of a client at full load is the client's.
 */
final class MinimalServer implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nalive".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Thread thread = new Thread(this::serve, "minimal-server");
    private final ByteBuffer received = ByteBuffer.allocateDirect(1 << 16);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER);
    private final LongConsumer afterAnswer;
    private long requests;

    /**
     * Starts it on a free port.
     *
     * @param afterAnswer is given the number of the request, from 1, in the server's thread
     */
    MinimalServer(LongConsumer afterAnswer) throws IOException {
        this.afterAnswer = afterAnswer;
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
    }

    /** Its base. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.socket().getLocalPort() + "/");
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
                SocketChannel peer = listener.accept();
                peer.configureBlocking(false);
                peer.register(selector, SelectionKey.OP_READ, new int[1]);
            } else {
                answer((SocketChannel) key.channel(), (int[]) key.attachment());
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    /**
     * Answers each request whose end has arrived.
     *
     * @param matched how much of an end has arrived so far
     */
    private void answer(SocketChannel peer, int[] matched) throws IOException {
        received.clear();
        if (peer.read(received) < 0) {
            peer.close();
            return;
        }
        received.flip();
        while (received.hasRemaining()) {
            byte next = received.get();
            matched[0] = next == END[matched[0]] ? matched[0] + 1 : next == END[0] ? 1 : 0;
            if (matched[0] == END.length) {
                matched[0] = 0;
                peer.write(answer.rewind());
                afterAnswer.accept(++requests);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
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
