package io.phaseload.http;

import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;

/** A connected socket, with bytes that arrived and aren't parsed yet. Owned by one thread at a time. */
final class SocketStream {

    /** Most responses are smaller; each user has its own buffer. */
    private static final int SMALL_BUFFER = 2 << 10;

    private static final int LARGE_BUFFER = 64 << 10;

    /** How much of a large request to send between two checks for a response. */
    private static final int PIECE = 64 << 10;

    private final Socket socket;
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
     * @param tcp its input
     * @param secured TLS over it, or {@code null} without TLS
     */
    SocketStream(Socket socket, TcpInput tcp, SSLSocket secured) throws IOException {
        this.socket = socket;
        this.tcp = tcp;
        this.secured = secured;
        this.in = secured == null ? tcp : secured.getInputStream();
        this.out = (secured == null ? socket : secured).getOutputStream();
    }

    /** Starts counting from 0. */
    void begin() {
        received = 0;
        firstByteNanos = 0;
    }

    /**
     * Whether anything came after the last response, as far as that is known without a read: over TLS, close_notify.
     */
    boolean hasRest() throws IOException {
        return at < filled || secured != null && tcp.available() > 0;
    }

    /**
     * Checks without blocking whether another request may be sent.
     *
     * @return {@code false} if the server closed the stream or sent unsolicited data; empty lines are discarded
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
     * Waits until the server asks for a request's body, or answers without.
     *
     * @param limitMillis the time that it may say nothing
     * @return true if the body is to be sent; if not, a response has begun
     */
    boolean isBodyWanted(ResponseParser response, int limitMillis) throws IOException, MalformedException {
        socket.setSoTimeout(limitMillis);
        try {
            while (!response.continued() && !response.headRead()) {
                if (at == filled && fill() < 0) {
                    end(response);
                }
                at = response.parse(buffer, at, filled);
            }
            return !response.headRead();
        } catch (SocketTimeoutException silent) {
            return true;
        } finally {
            socket.setSoTimeout(0);
        }
    }

    /**
     * Sends a large request, and checks for a response meanwhile: a server that refuses it may respond early and close
     * (RFC 9112 §9.5).
     *
     * @return true if all was sent; if not, the response is complete
     */
    boolean sendLarge(byte[] bytes, ResponseParser response) throws IOException, MalformedException {
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

    /** Data that arrived before the connection broke can still be read. */
    private void receiveTheRest(ResponseParser response, IOException refused) throws IOException, MalformedException {
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

    /** Over TLS, only close_notify says that everything has arrived. */
    private void end(ResponseParser response) throws IOException {
        if (!response.endOfStream()) {
            throw new EndOfStreamException();
        }
        if (secured != null && tcp.ended()) {
            throw new NoCloseNotifyException();
        }
    }

    /** Returns how many bytes arrived; 0 if none, negative at the end of the stream. */
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

    /** The number of bytes since {@link #begin()}. */
    long received() {
        return received;
    }

    /** When the first of them arrived; valid if there is one. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** Whether it is without TLS, and the server has closed its side (FIN). */
    boolean plainlyEnded() {
        return secured == null && tcp.ended();
    }

    /**
     * Whether the server answered with a reset what was sent after its end, which the next write reports.
     *
     * @param waitNanos the time that the reset may take
     */
    boolean wasReset(long waitNanos) {
        LockSupport.parkNanos(waitNanos);
        try {
            socket.getOutputStream().write(0);
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Sends close_notify over TLS. */
    void end() {
        if (secured != null) {
            try {
                secured.shutdownOutput();
            } catch (IOException ignored) {
                // The peer has gone already.
            }
        }
    }
}
