package io.phaseload.report.pictures;

import io.phaseload.report.charts.Chart;
import tools.jackson.databind.JsonNode;

/**
 * How dark a cell of a heat map is, as its chart's file says.
 *
 * @param most the percentage of requests from which a cell is as dark as any
 * @param faintest opacity of a cell with next to none
 * @param darkest opacity of a cell with that many
 */
record Heat(double most, double faintest, double darkest) {

    static Heat of(Chart chart) {
        JsonNode scale = chart.specification().findParent("clamp");
        return new Heat(
                scale.path("domain").path(1).asDouble(),
                scale.path("range").path(0).asDouble(),
                scale.path("range").path(1).asDouble());
    }

    /** Of a cell with so many percent of the requests of its time. */
    double opacity(double percent) {
        return faintest + Math.sqrt(Math.min(1, percent / most)) * (darkest - faintest);
    }
}
