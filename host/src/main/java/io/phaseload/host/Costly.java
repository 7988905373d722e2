package io.phaseload.host;

import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Something that takes long to read, and is read so seldom that it takes a quarter of a percent of the time. The cost
 * of the first reading doesn't count: a JVM loads classes for it.
 */
final class Costly<T> {

    private static final long TIMES_ITS_COST = 400;

    private final Supplier<Optional<T>> reader;
    private final LongSupplier clock;
    private long nextNanos;
    private boolean warm;

    /**
     * Not read yet.
     *
     * @param reader reads it
     * @param clock as {@link System#nanoTime()}
     */
    Costly(Supplier<Optional<T>> reader, LongSupplier clock) {
        this.reader = reader;
        this.clock = clock;
        this.nextNanos = clock.getAsLong();
    }

    /** Empty also if it would be too soon. */
    Optional<T> read() {
        long now = clock.getAsLong();
        if (now - nextNanos < 0) {
            return Optional.empty();
        }
        Optional<T> read = reader.get();
        nextNanos = now + (warm ? TIMES_ITS_COST * (clock.getAsLong() - now) : 0);
        warm = true;
        return read;
    }
}
