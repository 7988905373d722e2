package io.phaseload.report.pictures;

/** The shapes of marks, in addition to colours; triangles are named by their direction. */
enum Shape {
    CIRCLE(12, 0),
    SQUARE(4, -45),
    DIAMOND(4, -90),
    UP(3, -90),
    DOWN(3, 90),
    LEFT(3, 180),
    RIGHT(3, 0);

    /** As many as the Vega-Lite charts of a sweep name: no factor of the number of colours. */
    private static final int OF_SERIES = 5;

    private static final double SIZE = 8;

    private final int corners;
    private final int first;

    Shape(int corners, int firstDegrees) {
        this.corners = corners;
        this.first = firstDegrees;
    }

    /** The shape of a series, so that it differs from others of the same colour. */
    static Shape of(int series) {
        return values()[series % OF_SERIES];
    }

    /** Its outline around a point. */
    String way(double x, double y) {
        StringBuilder way = new StringBuilder();
        double radius = this == CIRCLE ? SIZE / 2 : 0.65 * SIZE;
        for (int i = 0; i < corners; i++) {
            double angle = Math.toRadians(first + 360.0 * i / corners);
            way.append(i == 0 ? 'M' : 'L');
            way.append(Svg.place(x + radius * Math.cos(angle))).append(',');
            way.append(Svg.place(y + radius * Math.sin(angle)));
        }
        return way.append('Z').toString();
    }
}
