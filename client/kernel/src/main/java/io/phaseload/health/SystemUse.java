package io.phaseload.health;

import io.phaseload.host.HostSample;
import io.phaseload.host.linux.CpuStat;
import io.phaseload.host.linux.CpuTicks;
import io.phaseload.host.linux.RunQueueWait;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;

/**
 * Time that the system gave to others, or withheld, while the client measured. Values that the system doesn't report
 * are empty: only Linux reports any.
 *
 * @param runQueue the time that sending threads waited for a CPU
 * @param stolen the share of the client's CPU time that the hypervisor gave to other machines, 0 to 1
 * @param idle the idle share of the same CPU time, 0 to 1
 * @param throttled the time that the control group's limit kept its threads from running, summed over CPUs
 * @param suspended the time that the machine was suspended
 */
public record SystemUse(
        Optional<RunQueueWait> runQueue,
        Optional<Double> stolen,
        Optional<Double> idle,
        Optional<Duration> throttled,
        Optional<Duration> suspended) {

    /** The clock that stands still while a machine is suspended is read a little earlier or later. */
    private static final long LEAST_SUSPENDED_NANOS = Duration.ofMillis(250).toNanos();

    /** The system reported nothing. */
    public static final SystemUse UNKNOWN =
            new SystemUse(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** The figures between two samples. */
    static SystemUse between(HostSample from, HostSample to) {
        return new SystemUse(
                to.process().waits().byThread().isEmpty()
                        ? Optional.empty()
                        : Optional.of(to.process().waits().since(from.process().waits())),
                share(from, to, CpuTicks::stolen),
                share(from, to, CpuTicks::idle),
                from.process().throttledNanos().flatMap(before -> to.process()
                        .throttledNanos()
                        .map(after -> Duration.ofNanos(after - before))),
                from.machine().upNanos().flatMap(before -> to.machine()
                        .upNanos()
                        .map(up -> suspended(up - before, to.nanos() - from.nanos()))));
    }

    private static Optional<Double> share(HostSample from, HostSample to, ToLongFunction<CpuTicks> part) {
        if (from.machine().cpu().isEmpty() || to.machine().cpu().isEmpty()) {
            return Optional.empty();
        }
        CpuTicks before = from.machine().cpu().map(CpuStat::total).orElseThrow();
        CpuTicks after = to.machine().cpu().map(CpuStat::total).orElseThrow();
        long all = after.all() - before.all();
        // Within one tick nothing is known.
        return all <= 0
                ? Optional.empty()
                : Optional.of((double) (part.applyAsLong(after) - part.applyAsLong(before)) / all);
    }

    private static Duration suspended(long upNanos, long ranNanos) {
        long missing = upNanos - ranNanos;
        return missing < LEAST_SUSPENDED_NANOS ? Duration.ZERO : Duration.ofNanos(missing);
    }

    /**
     * Combines two processes, or two times of one.
     *
     * @param other the other one's
     * @return sums of times, and the worse share; a value that only one has is kept
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

    private static <T> Optional<T> either(Optional<T> one, Optional<T> other, BinaryOperator<T> both) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(both.apply(one.get(), other.get()))
                : one.or(() -> other);
    }
}
