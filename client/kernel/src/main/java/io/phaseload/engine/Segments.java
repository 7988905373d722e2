package io.phaseload.engine;

import io.phaseload.engine.Measurement.Segment;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.user.Throttle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds up a phase's requests between the changes of its load; nothing in a phase whose load isn't changed. Owned by the
 * ticker's thread, then by the coordinator.
 */
final class Segments {

    private final Throttle throttle;
    private final List<Segment> closed = new ArrayList<>();
    private long fromNanos;
    private @Nullable Tally sum;

    Segments(Throttle throttle) {
        this.throttle = throttle;
    }

    /**
     * An interval has ended.
     *
     * @param soFar the phase's requests, with those of the interval
     */
    void add(Interval interval, long elapsedNanos, Supplier<List<Tally>> soFar) {
        if (sum != null) {
            sum.add(Tallies.sum(interval.operations()));
        }
        if (throttle.part(elapsedNanos) > throttle.part(fromNanos)) {
            if (sum == null) {
                sum = Tallies.sum(soFar.get());
            }
            close(elapsedNanos);
        }
    }

    private void close(long nanos) {
        sum.pack();
        closed.add(new Segment(
                Duration.ofNanos(fromNanos),
                Duration.ofNanos(nanos - fromNanos),
                throttle.loads(fromNanos, nanos),
                sum));
        sum = new Tally();
        fromNanos = nanos;
    }

    /** All of them, when the last interval has ended; none if the load wasn't changed. */
    List<Segment> all(long endNanos) {
        if (sum != null) {
            close(endNanos);
        }
        return List.copyOf(closed);
    }
}
