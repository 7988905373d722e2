package io.phaseload.cluster.clock;

import java.util.List;
import java.util.Optional;

/**
 * How far a machine's time of day is ahead of the time that it is kept to, as chrony says.
 *
 * @param ahead nanoseconds, may be negative
 * @param error the largest error of that: half the root delay, and the root dispersion
 */
public record TimeService(long ahead, long error) {

    /** Columns of {@code chronyc -c tracking}: its documentation names them in this order. */
    private static final int SYSTEM_TIME = 4;

    private static final int ROOT_DELAY = 10;
    private static final int ROOT_DISPERSION = 11;
    private static final int LEAP_STATUS = 13;

    private static final String NOT_KEPT = "Not synchronised";

    /**
     * The output of chrony.
     *
     * @param tracking the line of {@code chronyc -c tracking}
     * @return empty if that is something else, or the machine isn't kept to any time yet
     */
    public static Optional<TimeService> parse(String tracking) {
        List<String> cells = List.of(tracking.strip().split(","));
        if (cells.size() <= LEAP_STATUS || cells.get(LEAP_STATUS).equals(NOT_KEPT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TimeService(
                    nanos(cells.get(SYSTEM_TIME)),
                    nanos(cells.get(ROOT_DELAY)) / 2 + nanos(cells.get(ROOT_DISPERSION))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long nanos(String seconds) {
        return Math.round(Double.parseDouble(seconds) * 1e9);
    }

    /**
     * How far this machine is ahead of another one, if both are kept to the same time.
     *
     * @param other the other one
     * @return with what both may be wrong by
     */
    public TimeService minus(TimeService other) {
        return new TimeService(ahead - other.ahead, error + other.error);
    }
}
