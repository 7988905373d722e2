package io.phaseload.health;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * What the system gave to others, or withheld, while the client measured. What the system doesn't
 * report is empty: only Linux reports any of it.
 *
 * @param runQueue how long the threads that send requests waited for a CPU
 * @param stolen of the CPUs that the client may run on, the part of the time that a hypervisor gave
 *     to other machines, 0 to 1
 * @param idle of the same CPUs, the part of the time that nobody used, 0 to 1
 * @param throttled how long the control group's limit kept its threads from running, of all CPUs
 *     together
 * @param suspended how long the machine was suspended
 */
public record SystemUse(
        Optional<RunQueueWait> runQueue,
        Optional<Double> stolen,
        Optional<Double> idle,
        Optional<Duration> throttled,
        Optional<Duration> suspended) {

    /** The system reported nothing. */
    public static final SystemUse UNKNOWN =
            new SystemUse(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    /**
     * That of two processes, or of one after the other.
     *
     * @param other the other one's
     * @return sums, and of parts the worse; what only one of them tells is that one's
     */
    SystemUse plus(SystemUse other) {
        return new SystemUse(
                either(runQueue, other.runQueue, RunQueueWait::plus),
                either(stolen, other.stolen, Math::max),
                either(idle, other.idle, Math::min),
                sum(throttled, other.throttled),
                sum(suspended, other.suspended));
    }

    private static Optional<Duration> sum(Optional<Duration> one, Optional<Duration> other) {
        return either(one, other, Duration::plus);
    }

    private static <T> Optional<T> either(
            Optional<T> one, Optional<T> other, BinaryOperator<T> both) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(both.apply(one.get(), other.get()))
                : one.or(() -> other);
    }
}
