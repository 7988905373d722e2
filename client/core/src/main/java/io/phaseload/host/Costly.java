package io.phaseload.host;

import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Something that takes long to read, and is read so seldom that it takes a quarter of a percent of
 * the time. It isn't in the first sample: with that, others are only compared.
 */
final class Costly<T> {

    private static final long TIMES_ITS_COST = 400;

    private final Supplier<Optional<T>> reader;
    private final LongSupplier clock;
    private boolean begun;
    private long nextNanos;

    /**
     * Not read yet.
     *
     * @param reader reads it
     * @param clock as {@link System#nanoTime()}
     */
    Costly(Supplier<Optional<T>> reader, LongSupplier clock) {
        this.reader = reader;
        this.clock = clock;
    }

    /** Empty also if it would be too soon. */
    Optional<T> read() {
        long now = clock.getAsLong();
        if (!begun) {
            begun = true;
            nextNanos = now;
            return Optional.empty();
        }
        if (now - nextNanos < 0) {
            return Optional.empty();
        }
        Optional<T> read = reader.get();
        nextNanos = now + TIMES_ITS_COST * (clock.getAsLong() - now);
        return read;
    }
}
