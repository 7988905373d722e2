package io.phaseload.stats;

/** The unit of a change. */
public enum Scale {
    /** As a fraction of the figure: 0.05 is 5 % more. For positive figures, such as times and rates. */
    RELATIVE {
        @Override
        double position(double value) {
            return Math.log(value);
        }

        @Override
        double value(double position) {
            return Math.exp(position);
        }

        @Override
        double change(double distance) {
            return Math.expm1(distance);
        }
    },
    /** In the figure's own unit. For figures that may be 0, such as the share of failed requests. */
    ABSOLUTE {
        @Override
        double position(double value) {
            return value;
        }

        @Override
        double value(double position) {
            return position;
        }

        @Override
        double change(double distance) {
            return distance;
        }
    };

    /** Maps a value to a line on which equal changes are equal distances. */
    abstract double position(double value);

    /** The reverse of {@link #position}. */
    abstract double value(double position);

    /** Maps a distance on that line to a change. */
    abstract double change(double distance);
}
