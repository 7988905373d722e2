package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadDelayTest {

    private static final long EVERY = 1_000_000;

    private final ThreadDelay delay = ThreadDelay.ofThisThread(EVERY);
    private final long start = System.nanoTime();

    @AfterEach
    void close() {
        delay.close();
    }

    /** Measured requests, of some that are sent evenly. */
    private int measured(int requests, long gapNanos) {
        int count = 0;
        for (int i = 1; i <= requests; i++) {
            if (delay.mark(start + i * gapNanos) != ThreadDelay.NONE) {
                count++;
            }
        }
        return count;
    }

    @Test
    void allOfFewRequestsAreMeasured() {
        assertThat(measured(1_000, 2 * EVERY)).isEqualTo(1_000);
    }

    @Test
    void ofManyRequestsAPartIsMeasured() {
        assertThat(measured(100_000, EVERY / 100)).isBetween(200, 2_000);
    }

    @Test
    void aRequestWithoutAWaitHasNearlyNoDelay() {
        long mark = delay.mark(start);

        assertThat(delay.since(mark)).isBetween(0L, 10_000_000_000L);
    }
}
