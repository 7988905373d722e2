package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The input of a TCP socket, read with or without blocking. Owned by one thread at a time.
 *
 * <p>Blocking reads are those of the socket's stream. A read without blocking costs five more system calls; a
 * {@link SocketTimeoutException} then says that nothing has arrived, since TLS takes that to mean that it can try
 * again.
 */
final class TcpInput extends InputStream {

    private static final class NothingCame extends SocketTimeoutException {

        private static final long serialVersionUID = 1L;

        private static final NothingCame INSTANCE = new NothingCame();

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private final SocketChannel channel;
    private final InputStream in;
    private boolean waiting = true;
    private boolean ended;

    /**
     * Takes a socket.
     *
     * @param socket a connected socket of a channel
     */
    TcpInput(Socket socket) throws IOException {
        this.channel = socket.getChannel();
        this.in = socket.getInputStream();
    }

    /** Sets whether reads block from now on. */
    void waiting(boolean wanted) {
        waiting = wanted;
    }

    /** Whether a read has met the end of the stream. */
    boolean ended() {
        return ended;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = waiting ? in.read(bytes, from, length) : readNow(bytes, from, length);
        if (read < 0) {
            ended = true;
        }
        return read;
    }

    private int readNow(byte[] bytes, int from, int length) throws IOException {
        int read;
        channel.configureBlocking(false);
        try {
            read = channel.read(ByteBuffer.wrap(bytes, from, length));
        } finally {
            channel.configureBlocking(true);
        }
        if (read == 0 && length > 0) {
            throw NothingCame.INSTANCE;
        }
        return read;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
