package io.phaseload.health;

import java.time.Duration;

/**
 * How long threads waited for a CPU when they had something to do.
 *
 * @param total all their waits together
 * @param turns how often they were given a CPU
 */
public record RunQueueWait(Duration total, long turns) {

    /**
     * The mean of a wait.
     *
     * @return zero if they never ran
     */
    public Duration mean() {
        return turns == 0 ? Duration.ZERO : total.dividedBy(turns);
    }

    /**
     * That of two groups of threads, or of one group in two stretches of time.
     *
     * @param other the other one's
     * @return the sums
     */
    RunQueueWait plus(RunQueueWait other) {
        return new RunQueueWait(total.plus(other.total), turns + other.turns);
    }

    RunQueueWait minus(RunQueueWait before) {
        return new RunQueueWait(total.minus(before.total), turns - before.turns);
    }

    RunQueueWait times(int factor) {
        return new RunQueueWait(total.multipliedBy(factor), turns * factor);
    }
}
