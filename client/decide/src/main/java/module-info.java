/**
 * Decisions from results, for the command line and its reports: capacities, A against B, soaks, histories, proofs and
 * other tools' results. Its packages may change in any version.
 */
module io.phaseload.decide {
    requires transitive io.phaseload.core;
    requires io.phaseload.host;
    requires io.phaseload.options;
    requires de.siegmar.fastcsv;
    requires tools.jackson.databind;

    exports io.phaseload.ab;
    exports io.phaseload.audit;
    exports io.phaseload.capacity;
    exports io.phaseload.history;
    exports io.phaseload.prove;
    exports io.phaseload.soak;

    // Records are written as JSON, by their components.
    opens io.phaseload.ab to
            tools.jackson.databind;
    opens io.phaseload.audit to
            tools.jackson.databind;
    opens io.phaseload.capacity to
            tools.jackson.databind;
    opens io.phaseload.history to
            tools.jackson.databind;
    opens io.phaseload.soak to
            tools.jackson.databind;
}
