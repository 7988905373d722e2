/** The kernel: makes load and measures it. Engines and the library use it; its packages may change in any version. */
@SuppressWarnings({"module", "requires-automatic"})
module io.phaseload.kernel {
    requires transitive io.phaseload.model;
    requires transitive io.phaseload.options;
    requires io.phaseload.host;
    requires de.siegmar.fastcsv;
    requires tools.jackson.databind;

    exports io.phaseload.engine;
    exports io.phaseload.engine.threads;
    exports io.phaseload.health;
    exports io.phaseload.http;
    exports io.phaseload.http.client;
    exports io.phaseload.http.limit;
    exports io.phaseload.http.request;
    exports io.phaseload.http.response;
    exports io.phaseload.http.socket;
    exports io.phaseload.http.stream;
    exports io.phaseload.http.tls;
    exports io.phaseload.journey;
    exports io.phaseload.user;

    uses io.phaseload.engine.EngineProvider;
    uses io.phaseload.http.client.ClientProvider;
    uses io.phaseload.http.socket.SocketClients;
    uses io.phaseload.journey.UserAgentProvider;
    uses io.phaseload.journey.ContentReader;

    provides io.phaseload.engine.EngineProvider with
            io.phaseload.engine.threads.ThreadEngine;
    provides io.phaseload.http.client.ClientProvider with
            io.phaseload.http.client.WireClient;
}
