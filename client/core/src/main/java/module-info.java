/**
 * The library: {@link io.phaseload.ThreadsLoadClient} takes a plan and returns what it measured. Packages that aren't
 * exported may change in any version.
 */
// Modules that packages are exported to are built after this one, and HdrHistogram has no
// descriptor.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.phaseload.core {
    requires static transitive org.jspecify;
    requires io.phaseload.host;
    requires io.phaseload.options;
    requires de.siegmar.fastcsv;
    requires transitive HdrHistogram;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.yaml;
    requires org.snakeyaml.engine;
    requires jdk.management;

    exports io.phaseload;
    exports io.phaseload.compare;
    exports io.phaseload.diagnosis;
    exports io.phaseload.measure;
    exports io.phaseload.measure.recording;
    exports io.phaseload.plan;
    exports io.phaseload.plan.check;
    exports io.phaseload.plan.connection;
    exports io.phaseload.plan.engine;
    exports io.phaseload.plan.journey;
    exports io.phaseload.plan.metrics;
    exports io.phaseload.plan.share;
    exports io.phaseload.plan.stream;
    exports io.phaseload.planfile;
    exports io.phaseload.result;
    exports io.phaseload.result.host;
    exports io.phaseload.result.store;
    exports io.phaseload.run;
    exports io.phaseload.schedule;
    exports io.phaseload.settings;
    exports io.phaseload.stats;
    exports io.phaseload.sweep;
    exports io.phaseload.sweep.summary;
    exports io.phaseload.sweep.trials;
    exports io.phaseload.timing;
    exports io.phaseload.verdict;
    exports io.phaseload.diagnosis.evidence to
            io.phaseload.report;
    exports io.phaseload.diagnosis.rules to
            io.phaseload.report;
    exports io.phaseload.engine to
            io.phaseload.cluster,
            io.phaseload.events,
            io.phaseload.websocket;
    exports io.phaseload.files to
            io.phaseload.cluster,
            io.phaseload.decide,
            io.phaseload.report;
    exports io.phaseload.health to
            io.phaseload.events,
            io.phaseload.websocket;
    exports io.phaseload.http to
            io.phaseload.events,
            io.phaseload.httpclient;
    exports io.phaseload.http.client to
            io.phaseload.httpclient;
    exports io.phaseload.http.limit to
            io.phaseload.events,
            io.phaseload.websocket;
    exports io.phaseload.http.request to
            io.phaseload.events,
            io.phaseload.httpclient,
            io.phaseload.websocket;
    exports io.phaseload.http.response to
            io.phaseload.events,
            io.phaseload.httpclient,
            io.phaseload.websocket;
    exports io.phaseload.http.socket to
            io.phaseload.events,
            io.phaseload.websocket;
    exports io.phaseload.http.stream to
            io.phaseload.events;
    exports io.phaseload.http.tls to
            io.phaseload.events,
            io.phaseload.httpclient;
    exports io.phaseload.input to
            io.phaseload.cluster,
            io.phaseload.events,
            io.phaseload.report;
    exports io.phaseload.journey to
            io.phaseload.content,
            io.phaseload.events,
            io.phaseload.httpclient,
            io.phaseload.websocket;
    exports io.phaseload.result.build to
            io.phaseload.cluster,
            io.phaseload.decide;
    exports io.phaseload.result.json to
            io.phaseload.cluster,
            io.phaseload.decide;
    exports io.phaseload.stats.series to
            io.phaseload.decide;
    exports io.phaseload.user to
            io.phaseload.cluster,
            io.phaseload.events,
            io.phaseload.report,
            io.phaseload.websocket;
    exports io.phaseload.verdict.rules to
            io.phaseload.cluster,
            io.phaseload.report;

    // Records are written as JSON, by their components.
    opens io.phaseload.compare to
            tools.jackson.databind;
    opens io.phaseload.measure to
            tools.jackson.databind;
    opens io.phaseload.result to
            tools.jackson.databind;
    opens io.phaseload.result.host to
            tools.jackson.databind;
    opens io.phaseload.result.json to
            tools.jackson.databind;
    opens io.phaseload.sweep to
            tools.jackson.databind;

    uses io.phaseload.engine.EngineProvider;
    uses io.phaseload.http.client.ClientProvider;
    uses io.phaseload.http.socket.SocketClients;
    uses io.phaseload.journey.UserAgentProvider;
    uses io.phaseload.journey.ContentReader;
    uses io.phaseload.timing.TimingProvider;

    provides io.phaseload.engine.EngineProvider with
            io.phaseload.engine.threads.ThreadEngine;
    provides io.phaseload.http.client.ClientProvider with
            io.phaseload.http.client.WireClient;
    provides io.phaseload.timing.TimingProvider with
            io.phaseload.timing.InstanceTimings,
            io.phaseload.timing.MessageTimings,
            io.phaseload.timing.StreamTimings;
}
