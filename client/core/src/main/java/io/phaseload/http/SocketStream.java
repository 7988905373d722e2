package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** A connected socket, with what came and isn't read yet. Owned by one thread at a time. */
final class SocketStream {

    /** Most responses are smaller; each user has a buffer. */
    private static final int SMALL_BUFFER = 2 << 10;

    private static final int LARGE_BUFFER = 64 << 10;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private byte[] buffer = new byte[SMALL_BUFFER];
    private int at;
    private int filled;
    private long received;
    private long firstByteNanos;

    /**
     * Takes a socket.
     *
     * @param socket what requests go through: with TLS on it, where there is TLS
     */
    SocketStream(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Begins to count anew. */
    void begin() {
        received = 0;
        firstByteNanos = 0;
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /**
     * Reads a response to its end.
     *
     * @throws EndOfStreamException if the peer ended the stream before
     */
    void receive(ResponseParser response) throws IOException, MalformedException {
        if (at < filled) {
            throw new MalformedException("bytes before the request was sent");
        }
        while (!response.done()) {
            if (at == filled && !fill()) {
                if (response.endOfStream()) {
                    return;
                }
                throw new EndOfStreamException();
            }
            at = response.parse(buffer, at, filled);
        }
    }

    private boolean fill() throws IOException {
        if (filled == buffer.length && filled < LARGE_BUFFER) {
            buffer = new byte[LARGE_BUFFER];
        }
        int read = in.read(buffer, 0, buffer.length);
        if (firstByteNanos == 0) {
            firstByteNanos = System.nanoTime();
        }
        at = 0;
        filled = Math.max(0, read);
        received += filled;
        return read >= 0;
    }

    /** How many bytes came since {@link #begin()}. */
    long received() {
        return received;
    }

    /** When the first of them came; for one or more. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** Says that no more will be sent, where TLS has a word for it. */
    void end() {
        if (socket instanceof SSLSocket secured) {
            try {
                secured.shutdownOutput();
            } catch (IOException ignored) {
                // The peer didn't wait for it.
            }
        }
    }
}
