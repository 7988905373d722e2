package io.phaseload.report.pictures;

/** A part of a picture, as wide as the picture. */
interface Panel {

    int height();

    /** Draws it from the origin. */
    void draw(Svg svg);
}
