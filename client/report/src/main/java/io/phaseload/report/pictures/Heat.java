package io.phaseload.report.pictures;

import io.phaseload.report.Chart;
import io.phaseload.report.Theme;
import java.awt.Color;
import tools.jackson.databind.JsonNode;

/**
 * How dark a cell of a heat map is, as its chart's file says.
 *
 * @param color of the darkest
 * @param most the percentage of requests from which a cell is as dark as any
 * @param faintest opacity of a cell with next to none
 * @param darkest opacity of a cell with that many
 */
record Heat(Color color, double most, double faintest, double darkest) {

    static Heat of(Chart chart) {
        JsonNode scale = chart.specification().findParent("clamp");
        return new Heat(
                Color.decode(Theme.lightStyle("heat")),
                scale.path("domain").path(1).asDouble(),
                scale.path("range").path(0).asDouble(),
                scale.path("range").path(1).asDouble());
    }

    /** Of a cell with so many percent of the requests of its time. */
    Color color(double percent) {
        double part = Math.sqrt(Math.min(1, percent / most));
        double opacity = faintest + part * (darkest - faintest);
        return new Color(color.getRed(), color.getGreen(), color.getBlue(), (int) Math.round(255 * opacity));
    }
}
