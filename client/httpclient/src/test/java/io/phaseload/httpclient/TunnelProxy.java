package io.phaseload.httpclient;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy on 127.0.0.1 that makes tunnels to one server, whatever it is asked for. */
final class TunnelProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final int server;

    private TunnelProxy(int server) throws IOException {
        this.server = server;
    }

    static TunnelProxy to(int server) throws IOException {
        TunnelProxy proxy = new TunnelProxy(server);
        start(proxy::acceptAll);
        return proxy;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What clients asked for so far. */
    List<String> heads() {
        return heads;
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket client = listener.accept();
            open.add(client);
            start(() -> tunnel(client));
        }
    }

    private void tunnel(Socket client) throws IOException {
        // It says nothing behind the head until it is answered.
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                client.getInputStream(), StandardCharsets.ISO_8859_1));
        StringBuilder head = new StringBuilder();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            head.append(line).append('\n');
        }
        heads.add(head.toString());
        Socket behind = new Socket(listener.getInetAddress(), server);
        open.add(behind);
        client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        start(() -> behind.getInputStream().transferTo(client.getOutputStream()));
        client.getInputStream().transferTo(behind.getOutputStream());
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread =
                new Thread(
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
