package io.phaseload.report.pictures;

import java.awt.Graphics2D;
import org.knowm.xchart.internal.chartpart.Chart;

/** A part of a picture, as wide as this. */
interface Panel {

    int height();

    /** Paints it from the origin. */
    void paint(Graphics2D graphics);

    /** A chart of XChart, as high as this. */
    static Panel of(Chart<?, ?> chart, int height) {
        return new Panel() {
            @Override
            public int height() {
                return height;
            }

            @Override
            public void paint(Graphics2D graphics) {
                chart.paint(graphics, ChartStyle.WIDTH, height);
            }
        };
    }
}
