package io.phaseload.diagnosis.statistics;

import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stretches of time in which some failures follow each other, with pauses of 0.3 s or more between.
 *
 * @param all the stretches, in order
 */
public record Bursts(List<Burst> all) {

    /**
     * One of them.
     *
     * @param fromNanos the end of its first failure, since the phase's start
     * @param toNanos the end of its last failure
     * @param failed the number of sampled failures
     */
    public record Burst(long fromNanos, long toNanos, int failed) {
        long nanos() {
            return toNanos - fromNanos;
        }
    }

    /** A longer pause between failures ends a burst. */
    public static final long APART_NANOS = 300_000_000L;

    /** The bursts of some failures. */
    public static Bursts of(List<SampledRequest> failures) {
        long[] ends =
                failures.stream().mapToLong(SampledRequest::endNanos).sorted().toArray();
        List<Burst> all = new ArrayList<>();
        int first = 0;
        for (int i = 1; i <= ends.length; i++) {
            if (i == ends.length || ends[i] - ends[i - 1] > APART_NANOS) {
                all.add(new Burst(ends[first], ends[i - 1], i - first));
                first = i;
            }
        }
        return new Bursts(List.copyOf(all));
    }

    /** Those that begin after a moment and end before another one, in nanoseconds since the phase's start. */
    public Bursts within(long fromNanos, long toNanos) {
        return new Bursts(all.stream()
                .filter(of -> of.fromNanos() > fromNanos && of.toNanos() < toNanos)
                .toList());
    }

    /** The longest one, in nanoseconds. */
    public long longestNanos() {
        return all.stream().mapToLong(Burst::nanos).max().orElse(0);
    }

    /** All of them together, in nanoseconds. */
    public long sumNanos() {
        return all.stream().mapToLong(Burst::nanos).sum();
    }

    /** The distance at which they come, in seconds; empty if it varies. */
    public Optional<Double> periodSeconds() {
        return Period.seconds(
                all.stream().mapToDouble(of -> of.fromNanos() / 1e9).toArray());
    }

    /** The fewest failures in one of them. */
    public int fewest() {
        return all.stream().mapToInt(Burst::failed).min().orElse(0);
    }

    /**
     * A bound of the probability that failures which know nothing of each other come in so few, so short bursts.
     *
     * @param wallNanos the length of the phase
     */
    public double chance(long wallNanos) {
        long failed = all.stream().mapToLong(Burst::failed).sum();
        return Chance.ofTogether(failed, all.size(), failed - all.size(), (double) sumNanos() / wallNanos);
    }
}
