package io.phaseload.stats;

/** What a change of a figure is counted in. */
public enum Scale {
    /** In parts of the figure: 0.05 is 5 % more. For what is above 0, such as times and rates. */
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
    /** In the figure's own unit. For what may be 0, such as the part of requests that failed. */
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

    /** Where a value is on a line on which equal changes are equal distances. */
    abstract double position(double value);

    /** The reverse of {@link #position}. */
    abstract double value(double position);

    /** What a distance on that line is as a change. */
    abstract double change(double distance);
}
