package io.phaseload.websocket;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/**
 * Agrees to WebSockets, byte by byte: it answers pings and closes, and messages with whatever it is told to, which
 * needn't be a frame.
 */
public final class FrameServer implements AutoCloseable {

    /** Sends messages back as they came, compressed or not. */
    public static final UnaryOperator<Frame> ECHO = frame -> frame;

    private static final Pattern KEY = Pattern.compile("(?i)Sec-WebSocket-Key: (\\S+)");
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int CLOSE = 8;

    /** What came or goes: the first byte of a frame and what it carries, or bytes as they are. */
    public record Frame(int first, byte[] payload, boolean raw) {

        /** Bytes in hexadecimal digits; blanks don't count. */
        public static Frame raw(String hex) {
            return new Frame(0, HexFormat.of().parseHex(hex.replace(" ", "")), true);
        }

        Frame with(int other) {
            return new Frame(other, payload, false);
        }

        byte[] bytes() {
            if (raw) {
                return payload;
            }
            int head = payload.length < 126 ? 2 : 4;
            byte[] bytes = new byte[head + payload.length];
            bytes[0] = (byte) first;
            bytes[1] = (byte) (head == 2 ? payload.length : 126);
            if (head == 4) {
                bytes[2] = (byte) (payload.length >> 8);
                bytes[3] = (byte) payload.length;
            }
            System.arraycopy(payload, 0, bytes, head, payload.length);
            return bytes;
        }
    }

    private final ServerSocket port;
    private final String more;
    private final UnaryOperator<Frame> answer;
    private volatile String head = "";
    private volatile int firstByte;

    /**
     * Listens.
     *
     * @param sockets of TCP or TLS
     * @param more lines of its answer to a handshake; or all of it, if it begins with HTTP
     * @param answer to each message; {@code null} ends the connection
     */
    public FrameServer(ServerSocketFactory sockets, String more, UnaryOperator<Frame> answer) throws IOException {
        this.port = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.more = more;
        this.answer = answer;
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "frame-server");
        thread.setDaemon(true);
        thread.start();
    }

    public URI url(String scheme) {
        return URI.create(scheme + "://localhost:" + port.getLocalPort() + "/%7Bpair%7D");
    }

    /** The last handshake. */
    String head() {
        return head;
    }

    /** Of the last message. */
    int firstByte() {
        return firstByte;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = port.accept();
                start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            StringBuilder read = new StringBuilder();
            while (read.indexOf("\r\n\r\n") < 0) {
                read.append((char) in.readUnsignedByte());
            }
            head = read.toString();
            out.write(agreed(head).getBytes(StandardCharsets.ISO_8859_1));
            Frame answered = answer(read(in));
            while (answered != null) {
                out.write(answered.bytes());
                answered = answer(read(in));
            }
        } catch (IOException gone) {
            // The client closed it, or didn't trust us.
        }
    }

    private Frame answer(Frame frame) {
        int kind = frame.first() & 0xf;
        if (kind == PING) {
            return frame.with(0x80 | PONG);
        }
        if (kind == CLOSE || kind == PONG) {
            return kind == CLOSE ? frame : Frame.raw("");
        }
        firstByte = frame.first();
        return answer.apply(frame);
    }

    /** Clients mask what they send (RFC 6455 §5.3). */
    private static Frame read(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        }
        byte[] mask = new byte[4];
        in.readFully(mask);
        byte[] payload = new byte[length];
        in.readFully(payload);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return new Frame(first, payload, false);
    }

    private String agreed(String request) {
        Matcher key = KEY.matcher(request);
        if (more.startsWith("HTTP") || !key.find()) {
            return more;
        }
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: "
                + accept(key.group(1))
                + "\r\n"
                + more
                + "\r\n";
    }

    /** RFC 6455 §1.3. */
    private static String accept(String key) {
        try {
            byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.ISO_8859_1);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
