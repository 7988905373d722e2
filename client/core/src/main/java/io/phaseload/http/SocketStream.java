package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLSocket;

/** A connected socket, with what came and isn't read yet. Owned by one thread at a time. */
final class SocketStream {

    /** Most responses are smaller; each user has a buffer. */
    private static final int SMALL_BUFFER = 2 << 10;

    private static final int LARGE_BUFFER = 64 << 10;

    /** So much of a large request is sent between two looks for a response. */
    private static final int PIECE = 64 << 10;

    private final TcpInput tcp;
    private final SSLSocket secured;
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
     * @param socket the connection
     * @param tcp what comes over it
     * @param secured TLS over it, or {@code null} where there is none
     */
    SocketStream(Socket socket, TcpInput tcp, SSLSocket secured) throws IOException {
        this.tcp = tcp;
        this.secured = secured;
        this.in = secured == null ? tcp : secured.getInputStream();
        this.out = (secured == null ? socket : secured).getOutputStream();
    }

    /** Begins to count again. */
    void begin() {
        received = 0;
        firstByteNanos = 0;
    }

    /** Whether more has arrived with the last response than belongs to it. */
    boolean hasRest() {
        return at < filled;
    }

    /**
     * Finds out without waiting if another request may be sent.
     *
     * @return {@code false} if the server has ended the stream, or has sent unsolicited data; empty
     *     lines are discarded
     */
    boolean isQuiet() {
        try {
            int read = 1;
            while (read > 0) {
                while (at < filled) {
                    byte next = buffer[at++];
                    if (next != '\r' && next != '\n') {
                        return false;
                    }
                }
                read = fillNow();
            }
            return read == 0;
        } catch (IOException broken) {
            return false;
        }
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /**
     * Sends a request of some size, and looks for a response meanwhile: a server that doesn't want
     * all of it may say so and close (RFC 9112 §9.5).
     *
     * @return whether all was sent; if not, the response is whole
     */
    boolean sendLarge(byte[] bytes, ResponseParser response)
            throws IOException, MalformedException {
        int sent = 0;
        while (sent < bytes.length) {
            int length = Math.min(PIECE, bytes.length - sent);
            try {
                out.write(bytes, sent, length);
            } catch (IOException refused) {
                receiveTheRest(response, refused);
                return false;
            }
            sent += length;
            if (sent < bytes.length && tcp.available() > 0) {
                receiveNow(response);
                if (response.done() && !response.keepsConnection()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What came before the connection broke can still be read. */
    private void receiveTheRest(ResponseParser response, IOException refused)
            throws IOException, MalformedException {
        try {
            receive(response);
        } catch (IOException noMore) {
            throw refused;
        }
    }

    private void receiveNow(ResponseParser response) throws IOException, MalformedException {
        while (!response.done()) {
            int read = fillNow();
            if (read == 0) {
                return;
            }
            if (read < 0) {
                end(response);
                return;
            }
            at = response.parse(buffer, at, filled);
        }
    }

    /**
     * Reads a response to its end.
     *
     * @throws EndOfStreamException if the peer ended the stream before
     */
    void receive(ResponseParser response) throws IOException, MalformedException {
        while (!response.done()) {
            if (at == filled && fill() < 0) {
                end(response);
                return;
            }
            at = response.parse(buffer, at, filled);
        }
    }

    /** TCP's end alone doesn't say that all has arrived where TLS has a word for it. */
    private void end(ResponseParser response) throws IOException {
        if (!response.endOfStream()) {
            throw new EndOfStreamException();
        }
        if (secured != null && tcp.ended()) {
            throw new NoCloseNotifyException();
        }
    }

    /**
     * Returns how much there is; 0 if nothing has arrived yet, below 0 at the end of the stream.
     */
    private int fillNow() throws IOException {
        tcp.waiting(false);
        try {
            return fill();
        } catch (SocketTimeoutException nothingCame) {
            return 0;
        } finally {
            tcp.waiting(true);
        }
    }

    private int fill() throws IOException {
        if (filled == buffer.length && filled < LARGE_BUFFER) {
            buffer = new byte[LARGE_BUFFER];
        }
        at = 0;
        filled = 0;
        int read = in.read(buffer, 0, buffer.length);
        if (firstByteNanos == 0) {
            firstByteNanos = System.nanoTime();
        }
        filled = Math.max(0, read);
        received += filled;
        return read;
    }

    /** How many bytes came since {@link #begin()}. */
    long received() {
        return received;
    }

    /** When the first of them came; for one or more. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** Whether TLS is spoken. */
    boolean secured() {
        return secured != null;
    }

    /** Says that no more will be sent, where TLS has a word for it. */
    void end() {
        if (secured != null) {
            try {
                secured.shutdownOutput();
            } catch (IOException ignored) {
                // The peer didn't wait for it.
            }
        }
    }
}
