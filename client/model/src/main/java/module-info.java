/** The model: what a plan says, and what a run measures. Its packages are part of the library's API. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.phaseload.model {
    requires static transitive org.jspecify;
    requires io.phaseload.host;
    requires io.phaseload.options;
    requires transitive HdrHistogram;
    requires tools.jackson.databind;

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
    exports io.phaseload.run;
    exports io.phaseload.schedule;
    exports io.phaseload.timing;

    // Records are written as JSON, by their components.
    opens io.phaseload.measure to
            tools.jackson.databind;

    uses io.phaseload.timing.TimingProvider;

    provides io.phaseload.timing.TimingProvider with
            io.phaseload.timing.InstanceTimings,
            io.phaseload.timing.MessageTimings,
            io.phaseload.timing.StreamTimings;
}
