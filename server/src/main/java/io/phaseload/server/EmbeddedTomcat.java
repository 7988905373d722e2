package io.phaseload.server;

import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardServer;
import org.apache.catalina.core.StandardService;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/**
 * A Tomcat, assembled from its parts: Tomcat's own class for embedding sets system properties, which several instances
 * in one JVM would share.
 */
final class EmbeddedTomcat {

    // Referenced here, since java.util.logging forgets the level of a logger that is
    // garbage-collected.
    private static final List<Logger> LOGGERS = Stream.of(
                    "org.apache.catalina", "org.apache.coyote", "org.apache.tomcat")
            .map(Logger::getLogger)
            .toList();

    private static final int CONNECTION_TIMEOUT_MILLIS = 60_000;
    // Long, so that connections survive think times between requests.
    private static final int KEEP_ALIVE_TIMEOUT_MILLIS = 300_000;

    private final String domain = "phaseload-" + UUID.randomUUID();
    private final InetAddress address;
    private final Path directory;
    private final StandardServer server = new StandardServer();
    private final StandardService service = new StandardService();
    private final Connector connector;

    EmbeddedTomcat(ServerSettings settings) throws IOException {
        address = InetAddress.getByName(settings.address());
        connector = connector(settings, address);
        directory = Files.createTempDirectory("phaseload-server");
    }

    /** The JMX domain of this Tomcat, and of no other. */
    String domain() {
        return domain;
    }

    InetAddress address() {
        return address;
    }

    Connector connector() {
        return connector;
    }

    /** How many requests wait for a thread; empty where threads aren't pooled. */
    Optional<Integer> queuedRequests() {
        return connector.getProtocolHandler().getExecutor() instanceof ThreadPoolExecutor pool
                ? Optional.of(pool.getQueue().size())
                : Optional.empty();
    }

    /** Starts the application, then opens the port: every connection is answered. */
    void start(ServletContainerInitializer... initializers) throws LifecycleException {
        quiet();
        server.setCatalinaHome(directory.toFile());
        server.setCatalinaBase(directory.toFile());
        server.setPort(-1);
        server.setUtilityThreadsAsDaemon(true);
        server.addService(service);
        service.setName(domain);
        StandardEngine engine = new StandardEngine();
        engine.setName(domain);
        engine.setDefaultHost("localhost");
        // There are neither sessions to expire nor files to watch.
        engine.setBackgroundProcessorDelay(-1);
        service.setContainer(engine);
        StandardHost host = new StandardHost();
        host.setName("localhost");
        host.setErrorReportValveClass("");
        host.getPipeline().addValve(new JsonErrorValve());
        engine.addChild(host);
        host.addChild(context(initializers));
        server.start();
        try {
            service.addConnector(connector);
        } catch (IllegalArgumentException e) {
            // Tomcat wraps the reason why the connector couldn't start.
            if (e.getCause() instanceof LifecycleException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Stops what was started, in any state, and removes the files. */
    void stop() throws LifecycleException, IOException {
        try {
            if (server.getState().isAvailable()) {
                server.stop();
            }
            server.destroy();
        } finally {
            deleteDirectory();
        }
    }

    private static StandardContext context(ServletContainerInitializer... initializers) {
        StandardContext context = new StandardContext();
        context.setName("");
        context.setPath("");
        // Not the system class loader, which doesn't know these classes inside Maven's JVM.
        context.setParentClassLoader(EmbeddedTomcat.class.getClassLoader());
        for (ServletContainerInitializer initializer : initializers) {
            context.addServletContainerInitializer(initializer, null);
        }
        context.addLifecycleListener(event -> {
            // Without a web.xml to read, there is nothing that could go wrong.
            if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)) {
                context.setConfigured(true);
            }
        });
        context.setResources(new NoFiles());
        StandardManager sessions = new StandardManager();
        sessions.setPathname(null);
        context.setManager(sessions);
        context.setCookies(false);
        context.setUseNaming(false);
        // The class loader outlives the context, so nothing leaks and nothing needs to be searched.
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        return context;
    }

    private static Connector connector(ServerSettings settings, InetAddress address) {
        Http11NioProtocol protocol = new Http11NioProtocol();
        protocol.setAddress(address);
        protocol.setMaxThreads(settings.maxThreads());
        protocol.setMinSpareThreads(Math.min(protocol.getMinSpareThreads(), settings.maxThreads()));
        protocol.setAcceptCount(settings.acceptCount());
        protocol.setMaxConnections(settings.maxConnections());
        protocol.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        protocol.setKeepAliveTimeout(KEEP_ALIVE_TIMEOUT_MILLIS);
        // The default closes a connection after 100 requests.
        protocol.setMaxKeepAliveRequests(-1);
        // The default keeps 200 processors and makes new ones for every request beyond that.
        protocol.setProcessorCache(-1);
        Connector connector = new Connector(protocol);
        connector.setPort(settings.port());
        connector.setThrowOnFailure(true);
        // Tomcat would answer TRACE by itself.
        connector.setAllowTrace(true);
        connector.addUpgradeProtocol(http2(settings));
        connector.setProperty("useVirtualThreads", Boolean.toString(settings.virtualThreads()));
        // Bound at start, so that the port can be closed at the beginning of a stop.
        connector.setProperty("bindOnInit", "false");
        return connector;
    }

    /** HTTP/2 without TLS, by prior knowledge and by upgrade. */
    private static Http2Protocol http2(ServerSettings settings) {
        Http2Protocol http2 = new Http2Protocol();
        http2.setKeepAliveTimeout(KEEP_ALIVE_TIMEOUT_MILLIS);
        // By default, 20 streams of a connection are processed at once, and 100 allowed.
        http2.setMaxConcurrentStreamExecution(settings.maxThreads());
        http2.setMaxConcurrentStreams(settings.maxConnections());
        // By default, a connection on which the client resets streams after timeouts is closed.
        http2.setOverheadCountFactor(0);
        return http2;
    }

    /** Keeps warnings, unless somebody has configured these loggers. */
    static void quiet() {
        for (Logger logger : LOGGERS) {
            if (logger.getLevel() == null) {
                logger.setLevel(Level.WARNING);
            }
        }
    }

    private void deleteDirectory() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            // Longer paths first, so that every directory is empty when its turn comes.
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * The resources of an application without files. Tomcat's own would set the JVM's only URL handler factory, which
     * fails if a Tomcat in another class loader has set it before.
     */
    private static final class NoFiles extends StandardRoot {

        @Override
        protected void registerURLStreamHandlerFactory() {
            // No URL leads into a WAR.
        }
    }
}
