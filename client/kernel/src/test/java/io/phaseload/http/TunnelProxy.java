package io.phaseload.http;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy on 127.0.0.1 that makes tunnels to one server, whatever it is asked for, or none. */
public final class TunnelProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final int server;
    private final Greeting greeting;

    /** What comes before the tunnel. */
    private interface Greeting {

        /** Answers a client; returns what it asked for. */
        String with(Socket client) throws IOException;
    }

    private TunnelProxy(int server, Greeting greeting) throws IOException {
        this.server = server;
        this.greeting = greeting;
        start(this::acceptAll);
    }

    /** Of HTTP: what is asked for is the head of a request. */
    public static TunnelProxy http(int server) throws IOException {
        return new TunnelProxy(server, TunnelProxy::answerConnect);
    }

    /** Of SOCKS 5, answering so (RFC 1928): what is asked for is the kind of an address and it. */
    public static TunnelProxy socks(int server, int answer) throws IOException {
        return new TunnelProxy(server, client -> answerSocks(client, answer));
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** What clients asked for so far. */
    public List<String> asked() {
        return asked;
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket client = listener.accept();
            open.add(client);
            start(() -> tunnel(client));
        }
    }

    private void tunnel(Socket client) throws IOException {
        asked.add(greeting.with(client));
        Socket behind = new Socket(listener.getInetAddress(), server);
        open.add(behind);
        start(() -> behind.getInputStream().transferTo(client.getOutputStream()));
        client.getInputStream().transferTo(behind.getOutputStream());
    }

    private static String answerConnect(Socket client) throws IOException {
        // It says nothing behind the head until it is answered.
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
        StringBuilder head = new StringBuilder();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            head.append(line).append('\n');
        }
        client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        return head.toString();
    }

    private static String answerSocks(Socket client, int answer) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        in.readByte();
        in.skipNBytes(in.readByte());
        client.getOutputStream().write(new byte[] {5, 0});
        in.skipNBytes(3);
        String address =
                switch (in.readByte()) {
                    case 1 -> "address " + InetAddress.getByAddress(in.readNBytes(4));
                    case 3 -> "name " + new String(in.readNBytes(in.readByte()), StandardCharsets.US_ASCII);
                    default -> "address " + InetAddress.getByAddress(in.readNBytes(16));
                };
        int port = in.readUnsignedShort();
        client.getOutputStream().write(new byte[] {5, (byte) answer, 0, 1, 0, 0, 0, 0, 0, 0});
        return address + ":" + port;
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // By either end, or by close().
                    }
                },
                "tunnel");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
