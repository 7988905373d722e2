package io.phaseload.server;

import io.phaseload.server.endpoints.ContainerProbe;
import io.phaseload.server.endpoints.Delays;
import io.phaseload.server.endpoints.RequestTracker;
import io.phaseload.server.rooms.MessageCounts;
import io.phaseload.server.rooms.Relay;
import io.phaseload.server.rooms.Rooms;
import io.phaseload.service.Service;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.websocket.server.WsSci;

/** The target on an embedded Tomcat. Any number of them can run in one JVM. Safe for use by several threads. */
public final class TargetServer implements AutoCloseable {

    private static final long LOOK_AGAIN_MILLIS = 2;
    // So that delays that are cut short can say so.
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final ServerSettings settings;
    private final RequestTracker tracker = new RequestTracker();
    private final Delays delays = new Delays();
    private final Rooms rooms;
    private final EmbeddedTomcat tomcat;
    private final ContainerProbe container;
    private URI url;
    // Guarded by this.
    private boolean closed;

    private TargetServer(ServerSettings settings, Relay relay) throws IOException {
        this.settings = settings;
        this.rooms = new Rooms(settings.maxBodyBytes(), delays::sleep, relay);
        this.tomcat = new EmbeddedTomcat(settings);
        this.container = new ContainerProbe(tomcat.domain(), tomcat::queuedRequests);
    }

    /**
     * Starts a server, which answers requests when this returns.
     *
     * @return the running server, to be closed
     * @throws BindException if it can't listen on the port, for example because the port is in use
     * @throws IOException if the address is unknown, or the server can't start for another reason
     */
    public static TargetServer start(ServerSettings settings) throws IOException {
        return start(settings, Relay.NONE);
    }

    /**
     * Starts a node of a cluster: the members of its rooms hear those of the same rooms on other nodes.
     *
     * @param relay to the other nodes; it belongs to the caller, and outlives the server
     * @return the running server, to be closed
     * @throws BindException if it can't listen on the port, for example because the port is in use
     * @throws IOException if the address is unknown, or the server can't start for another reason
     */
    public static TargetServer start(ServerSettings settings, Relay relay) throws IOException {
        TargetServer server = new TargetServer(settings, relay);
        return server.running(
                new WsSci(),
                new TargetInitializer(settings, server.tracker, server.delays, server.rooms, server.container));
    }

    /**
     * Starts a server with another service in place of the target's, for all paths and methods.
     *
     * @param settings the way that it listens; the service decides about limits on bodies and items
     * @param service answers the requests
     * @return the running server, to be closed
     * @throws BindException if it can't listen on the port, for example because the port is in use
     * @throws IOException if the address is unknown, or the server can't start for another reason
     */
    public static TargetServer start(ServerSettings settings, Service service) throws IOException {
        TargetServer server = new TargetServer(settings, Relay.NONE);
        return server.running(new ServiceInitializer(server.tracker, service));
    }

    private TargetServer running(ServletContainerInitializer... application) throws IOException {
        try {
            open(application);
            return this;
        } catch (IOException | RuntimeException e) {
            try {
                tomcat.stop();
            } catch (LifecycleException | IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * Where to send requests.
     *
     * @return the address it listens on and the actual port, with a slash at the end; if it listens on all addresses,
     *     the loopback address
     */
    public URI url() {
        return url;
    }

    /**
     * How many requests have reached the target since it started.
     *
     * <p>A request counts once, when its headers have been read and before it is processed, whatever the response is
     * and whether or not it arrives. Requests for {@code /metrics.json} and {@code /metrics} don't count, nor do those
     * that Tomcat itself refuses because they aren't well-formed HTTP.
     *
     * @return the number of requests
     */
    public long requestsServed() {
        return tracker.total();
    }

    /**
     * How many server-sent events of streams were written since it started.
     *
     * @return the number of events, each counted once it was handed to the operating system
     */
    public long eventsSent() {
        return tracker.events();
    }

    /**
     * Counts of messages in the rooms at {@code /rooms/{id}}.
     *
     * @return the counts of now
     */
    public MessageCounts messages() {
        return rooms.counts();
    }

    /**
     * Stops the server: no new connections; requests in flight are answered with {@code Connection: close} until the
     * drain timeout, WebSockets are closed with 1001; then the remaining and all idle connections are closed. Closing
     * it again does nothing; a second call waits for the first.
     *
     * <p>A thread that is interrupted here stops waiting for requests in flight, and stays interrupted.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        // Kept here, since Tomcat swallows it.
        boolean interrupted = Thread.interrupted();
        tracker.drain();
        Connector connector = tomcat.connector();
        connector.pause();
        // Otherwise the kernel would keep accepting connections that nobody answers.
        connector.getProtocolHandler().closeServerSocketGraceful();
        rooms.close();
        interrupted = interrupted || !awaitIdle(settings.drainTimeout());
        delays.wakeAll();
        interrupted = interrupted || !awaitIdle(LAST_WORDS);
        try {
            // Before the rest, or Tomcat would wait for the remaining requests once more.
            connector.stop();
            tomcat.stop();
        } catch (LifecycleException e) {
            throw new IllegalStateException("the server didn't stop cleanly", e);
        } catch (IOException e) {
            throw new UncheckedIOException("the server left files behind", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void open(ServletContainerInitializer... application) throws IOException {
        try {
            tomcat.start(application);
        } catch (LifecycleException e) {
            throw reason(e);
        }
        url = url(tomcat.address(), tomcat.connector().getLocalPort());
    }

    /** Waits until no request is in flight, or time is up; false if it was interrupted. */
    private boolean awaitIdle(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            while (!isIdle() && System.nanoTime() - deadline < 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    // A busy thread may have read a request that isn't counted yet.
    private boolean isIdle() {
        return tracker.inFlight() == 0
                && container.figures().map(f -> f.busyThreads() == 0).orElse(true);
    }

    private IOException reason(LifecycleException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketException) {
                String where = settings.address() + " port " + settings.port();
                BindException bind = new BindException("can't listen on " + where + ": " + cause.getMessage());
                bind.initCause(cause);
                return bind;
            }
        }
        return new IOException("the server can't start: " + failure.getMessage(), failure);
    }

    private static URI url(InetAddress address, int port) {
        String host = address.getHostAddress();
        if (address instanceof Inet6Address) {
            boolean here = address.isAnyLocalAddress() || address.isLoopbackAddress();
            host = "[" + (here ? "::1" : host) + "]";
        } else if (address.isAnyLocalAddress()) {
            host = "127.0.0.1";
        }
        return URI.create("http://" + host + ":" + port + "/");
    }
}
