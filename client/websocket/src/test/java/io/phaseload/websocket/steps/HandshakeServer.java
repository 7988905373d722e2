package io.phaseload.websocket.steps;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers a request with a cookie and agrees to a WebSocket, whose request it keeps. */
final class HandshakeServer implements AutoCloseable {

    private static final Pattern KEY = Pattern.compile("(?i)Sec-WebSocket-Key: (\\S+)");

    private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private volatile String head = "";
    private volatile String last = "";

    HandshakeServer() throws IOException {
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "handshake-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = port.accept();
                start(() -> answer(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port.getLocalPort() + "/");
    }

    /** The header of the handshake. */
    String head() {
        return head;
    }

    /** The header of the last request that was none. */
    String last() {
        return last;
    }

    private void answer(Socket client) {
        try (client) {
            StringBuilder read = new StringBuilder();
            InputStream in = client.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
                if (read.indexOf("\r\n\r\n") > 0) {
                    answer(client, read.toString());
                    read.setLength(0);
                }
            }
        } catch (IOException gone) {
            // The client closed it.
        }
    }

    private void answer(Socket client, String request) throws IOException {
        Matcher key = KEY.matcher(request);
        String answer = "HTTP/1.1 200 OK\r\nSet-Cookie: id=42\r\nContent-Length: 0\r\n\r\n";
        if (key.find()) {
            head = request;
            answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                    + "Connection: Upgrade\r\nSec-WebSocket-Protocol: v1\r\n"
                    + "Set-Cookie: room=7\r\n"
                    + "Sec-WebSocket-Accept: "
                    + accept(key.group(1))
                    // And at once a message.
                    + "\r\n\r\n\u0081\u0007welcome";
        } else {
            last = request;
        }
        client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
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
