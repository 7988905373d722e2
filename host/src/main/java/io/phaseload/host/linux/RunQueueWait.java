package io.phaseload.host.linux;

import java.time.Duration;
import java.util.Optional;

/**
 * How long threads waited for a CPU when they had something to do.
 *
 * @param total all their waits together
 * @param turns the number of times that they were given a CPU
 */
public record RunQueueWait(Duration total, long turns) {

    /**
     * Reads {@code schedstat} of a thread, see the kernel's sched-stats.rst: time on a CPU, time waiting for one, both
     * in nanoseconds, and turns.
     *
     * @param text all of it
     * @return empty if the kernel doesn't report it
     */
    public static Optional<RunQueueWait> parse(String text) {
        String[] words = Numbers.words(text);
        Optional<Long> waited = Numbers.counter(words, 1);
        Optional<Long> turns = Numbers.counter(words, 2);
        return waited.isPresent() && turns.isPresent()
                ? Optional.of(new RunQueueWait(Duration.ofNanos(waited.get()), turns.get()))
                : Optional.empty();
    }

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
    public RunQueueWait plus(RunQueueWait other) {
        return new RunQueueWait(total.plus(other.total), turns + other.turns);
    }

    /**
     * The growth since an earlier moment.
     *
     * @param before the wait until then
     * @return the increase
     */
    public RunQueueWait minus(RunQueueWait before) {
        return new RunQueueWait(total.minus(before.total), turns - before.turns);
    }

    /**
     * That of several threads like this one.
     *
     * @param factor the number
     * @return the sum
     */
    public RunQueueWait times(int factor) {
        return new RunQueueWait(total.multipliedBy(factor), turns * factor);
    }
}
