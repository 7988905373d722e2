package io.phaseload.servers;

import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import java.net.URI;
import java.util.stream.Stream;

/**
 * How requests get to a server.
 *
 * @param engine sends them
 * @param port its name in the server's configuration; over TLS, unless the name begins with {@code plain}
 */
record Route(EngineSettings engine, String port) {

    private static final String PLAIN = "plain";

    /** Event loops with a protocol. */
    static Route events(Protocol protocol, String port) {
        return new Route(EngineSettings.builder("events").protocol(protocol).build(), port);
    }

    /** Both engines, with and without TLS. */
    static Stream<Route> all() {
        return Stream.of(PLAIN, "tls12", "tls13").flatMap(Route::by);
    }

    /** Both engines, to one port. */
    static Stream<Route> by(String port) {
        return Stream.of(new Route(EngineSettings.THREADS, port), events(Protocol.HTTP_1, port));
    }

    /** The server's address. */
    URI uri(RealServer server) {
        String scheme = port.startsWith(PLAIN) ? "http" : "https";
        return URI.create(scheme + "://127.0.0.1:" + server.port(port) + "/");
    }

    @Override
    public String toString() {
        return engine.name() + ", " + port;
    }
}
