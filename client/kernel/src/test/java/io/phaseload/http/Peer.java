package io.phaseload.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The server's end of one connection. Text is Latin-1 in both directions, so that every byte is one character. Used by
 * one thread; {@link #hangUp()} may be called by any.
 */
public final class Peer {

    /** A small response, and one that keeps the connection. */
    public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final Socket raw;
    private final Socket socket;
    private final InputStream in;
    private final Consumer<String> readRequests;

    /**
     * Wraps an accepted connection.
     *
     * @param raw the accepted socket
     * @param socket the one to talk over, TLS or {@code raw} itself
     * @param readRequests told of each request that was read
     */
    Peer(Socket raw, Socket socket, Consumer<String> readRequests) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.readRequests = readRequests;
    }

    /**
     * Reads a request, head and as much of a body as its Content-Length says.
     *
     * @return the request as it came
     * @throws EOFException if the client hung up first
     */
    public String readRequest() throws IOException {
        String head = readHead();
        byte[] body = in.readNBytes(contentLength(head));
        String request = head + new String(body, StandardCharsets.ISO_8859_1);
        readRequests.accept(request);
        return request;
    }

    /** Reads the head of a request alone. */
    public String readHead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            bytes.write(readByte());
            head = bytes.toString(StandardCharsets.ISO_8859_1);
        }
        return head;
    }

    /** Reads some bytes; fewer if the client hangs up before. */
    public byte[] read(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** Sends text at once: what fits into one packet comes in one. */
    public void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes at once. */
    public void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends the same text again and again, with a pause before each, until the client hangs up. */
    public void drip(String text, Duration pause) throws IOException, InterruptedException {
        while (true) {
            pause(pause);
            write(text);
        }
    }

    /** Does nothing for a while. */
    public void pause(Duration pause) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }

    /** Sends the same text as fast as it goes, until the client hangs up. */
    public void flood(String text) throws IOException {
        while (true) {
            write(text);
        }
    }

    /**
     * Reads and forgets whatever comes until the client hangs up.
     *
     * @return whether it did so in order (FIN), not with a reset (RST)
     */
    public boolean awaitHangUp() {
        try {
            in.transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (IOException reset) {
            return false;
        }
    }

    /** Waits until something comes, and takes what has come of it. */
    public void awaitFirstByte() throws IOException {
        readByte();
    }

    /** Sends the end of the stream (FIN) and goes on reading. */
    public void endOutput() throws IOException {
        raw.shutdownOutput();
    }

    /** Says that it sends no more (close_notify, where there is TLS, and FIN) and goes on reading. */
    public void sayGoodbye() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes with close_notify, where there is TLS, and a reset (RST) at once. */
    public void sayGoodbyeAndReset() throws IOException {
        raw.setSoLinger(true, 0);
        closeInOrder();
    }

    /** Waits until something has arrived, and doesn't read it. */
    public void awaitUnread() throws IOException, InterruptedException {
        while (raw.getInputStream().available() == 0) {
            pause(Duration.ofMillis(1));
        }
    }

    /** Closes with a reset (RST); what was sent and not yet read by the client may be lost. */
    public void reset() throws IOException {
        raw.setSoLinger(true, 0);
        raw.close();
    }

    /**
     * Closes in order (FIN). The client must have sent nothing that wasn't read here, else the system makes a reset of
     * it.
     */
    public void closeInOrder() throws IOException {
        socket.close();
        raw.close();
    }

    /** Ends whatever the script is waiting for on this connection. */
    void hangUp() {
        try {
            raw.close();
        } catch (IOException ignored) {
            // Closed it is.
        }
    }

    private int readByte() throws IOException {
        int value = in.read();
        if (value < 0) {
            throw new EOFException("the client hung up");
        }
        return value;
    }

    private static int contentLength(String head) {
        for (String line : head.toLowerCase(Locale.ROOT).split("\r\n")) {
            if (line.startsWith("content-length:")) {
                return Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return 0;
    }
}
