package io.phaseload.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A server on a loopback address that does on each connection what its script says. Thread-safe.
 *
 * <p>The first connection plays the first script and so on; those after the last script play it, too. {@link #close()}
 * throws what scripts have thrown, but for a client that hung up.
 */
public final class MisbehavingServer implements AutoCloseable {

    private static final long JOIN_MILLIS = 10_000;

    private final ServerSocket listener;
    private final SSLContext tls;
    private final String protocol;
    private volatile boolean asking;
    private final List<Script> scripts;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Set<Peer> peers = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> mistakes = new ConcurrentLinkedQueue<>();
    private final Socket taken = new Socket();
    private volatile boolean closed;

    private MisbehavingServer(InetAddress address, SSLContext tls, String protocol, Script... scripts)
            throws IOException {
        this.tls = tls;
        this.protocol = protocol;
        this.scripts = List.of(scripts);
        this.listener = new ServerSocket();
        listener.bind(new InetSocketAddress(address, 0), 1_000);
        startThread("server-accept", this::acceptAll);
    }

    /**
     * Starts a server on {@code 127.0.0.1}.
     *
     * @param scripts one per connection
     * @return the server, listening
     */
    public static MisbehavingServer start(Script... scripts) throws IOException {
        return new MisbehavingServer(InetAddress.getByName("127.0.0.1"), null, null, scripts);
    }

    /**
     * Starts a server on some address of this machine.
     *
     * @param address the only one it listens on
     * @param scripts one per connection
     * @return the server, listening
     */
    public static MisbehavingServer startAt(InetAddress address, Script... scripts) throws IOException {
        return new MisbehavingServer(address, null, null, scripts);
    }

    /**
     * Starts a server on {@code 127.0.0.1} that speaks TLS; the handshake comes with the first read or write of a
     * script.
     *
     * @param tls gives its certificate
     * @param scripts one per connection
     * @return the server, listening
     */
    public static MisbehavingServer startTls(SSLContext tls, Script... scripts) throws IOException {
        return startTls(tls, null, scripts);
    }

    /**
     * Starts a server on {@code 127.0.0.1} that speaks one version of TLS.
     *
     * @param tls gives its certificate
     * @param protocol such as {@code TLSv1.2}, or {@code null} for any
     * @param scripts one per connection
     * @return the server, listening
     */
    public static MisbehavingServer startTls(SSLContext tls, String protocol, Script... scripts) throws IOException {
        return new MisbehavingServer(InetAddress.getByName("127.0.0.1"), tls, protocol, scripts);
    }

    /** Has each client show a certificate that the context trusts. */
    MisbehavingServer askingForACertificate() {
        asking = true;
        return this;
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Its root: with the literal address, or {@code localhost} with TLS. */
    public URI uri() {
        String literal = listener.getInetAddress().getHostAddress();
        String host = tls != null ? "localhost" : literal.contains(":") ? "[::1]" : literal;
        return URI.create((tls == null ? "http" : "https") + "://" + host + ":" + port() + "/");
    }

    /** How many connections came so far. */
    public int connections() {
        return connections.get();
    }

    /** The requests that scripts have read so far, in order, each with its body. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /**
     * Listens no more, so that new connections are refused; those that are there go on. The port stays taken: another
     * test's server could be given it.
     */
    public void stopListening() throws IOException {
        SocketAddress address = listener.getLocalSocketAddress();
        listener.close();
        taken.setReuseAddress(true);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
        while (!taken.isBound()) {
            try {
                taken.bind(address);
            } catch (BindException stillAccepting) {
                if (System.nanoTime() - end > 0) {
                    throw stillAccepting;
                }
                Thread.onSpinWait();
            }
        }
    }

    private void acceptAll() {
        while (true) {
            Socket socket;
            try {
                socket = listener.accept();
            } catch (IOException listensNoMore) {
                return;
            }
            int index = connections.getAndIncrement();
            Script script = scripts.get(Math.min(index, scripts.size() - 1));
            startThread("server-" + index, () -> play(socket, script));
        }
    }

    private void play(Socket raw, Script script) {
        Peer peer = null;
        try (raw) {
            raw.setTcpNoDelay(true);
            peer = new Peer(raw, tls == null ? raw : overTls(raw), requests::add);
            peers.add(peer);
            if (closed) {
                return;
            }
            script.play(peer);
            peer.closeInOrder();
        } catch (IOException | InterruptedException end) {
            // The client hung up, which is its right; or the test is over.
        } catch (Throwable mistake) {
            mistakes.add(mistake);
        } finally {
            if (peer != null) {
                peers.remove(peer);
            }
        }
    }

    private Socket overTls(Socket raw) throws IOException {
        SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(raw, null, true);
        secured.setNeedClientAuth(asking);
        secured.setUseClientMode(false);
        if (protocol != null) {
            secured.setEnabledProtocols(new String[] {protocol});
        }
        return secured;
    }

    private void startThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Ends all connections. */
    @Override
    public void close() throws IOException, InterruptedException {
        listener.close();
        taken.close();
        closed = true;
        peers.forEach(Peer::hangUp);
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(JOIN_MILLIS);
            if (thread.isAlive()) {
                mistakes.add(new AssertionError("a script doesn't end: " + thread.getName()));
            }
        }
        if (!mistakes.isEmpty()) {
            AssertionError error = new AssertionError("the server's script failed");
            mistakes.forEach(error::addSuppressed);
            throw error;
        }
    }
}
