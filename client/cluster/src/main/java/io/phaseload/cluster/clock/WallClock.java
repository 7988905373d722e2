package io.phaseload.cluster.clock;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * This machine's time of day, by its monotonic clock.
 *
 * @param error the largest error, since two clocks can't be read at once
 */
public record WallClock(long epoch, long error) {

    private static final int TRIES = 3;

    public static WallClock read() {
        WallClock best = new WallClock(0, Long.MAX_VALUE);
        for (int i = 0; i < TRIES; i++) {
            long before = System.nanoTime();
            Instant now = Instant.now();
            long error = (System.nanoTime() - before + 1) / 2;
            if (error < best.error) {
                long wall = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
                best = new WallClock(wall - before - error, error);
            }
        }
        return best;
    }
}
