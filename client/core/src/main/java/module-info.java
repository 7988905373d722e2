/**
 * The library: {@link io.phaseload.ThreadsLoadClient} takes a plan and returns what it measured. Packages that aren't
 * exported may change in any version.
 */
// Modules that packages are exported to are built after this one, and HdrHistogram has no descriptor.
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.phaseload.core {
    requires static transitive org.jspecify;
    requires transitive io.phaseload.model;
    requires io.phaseload.kernel;
    requires io.phaseload.host;
    requires io.phaseload.options;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.yaml;
    requires org.snakeyaml.engine;
    requires jdk.management;

    exports io.phaseload;
    exports io.phaseload.compare;
    exports io.phaseload.diagnosis;
    exports io.phaseload.planfile;
    exports io.phaseload.result;
    exports io.phaseload.result.host;
    exports io.phaseload.result.store;
    exports io.phaseload.settings;
    exports io.phaseload.stats;
    exports io.phaseload.stats.series;
    exports io.phaseload.sweep;
    exports io.phaseload.sweep.summary;
    exports io.phaseload.sweep.trials;
    exports io.phaseload.verdict;
    exports io.phaseload.diagnosis.rules to
            io.phaseload.report;
    exports io.phaseload.result.build to
            io.phaseload.cluster,
            io.phaseload.decide;
    exports io.phaseload.result.json to
            io.phaseload.cluster,
            io.phaseload.decide;
    exports io.phaseload.verdict.rules to
            io.phaseload.cluster,
            io.phaseload.report;

    // Records are written as JSON, by their components.
    opens io.phaseload.compare to
            tools.jackson.databind;
    opens io.phaseload.result to
            tools.jackson.databind;
    opens io.phaseload.result.host to
            tools.jackson.databind;
    opens io.phaseload.result.json to
            tools.jackson.databind;
    opens io.phaseload.sweep to
            tools.jackson.databind;
}
