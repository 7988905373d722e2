package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.Association;
import io.phaseload.diagnosis.statistics.Spike;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Requests in question, such as slow ones or those that failed with one cause, beside all others of the same operation.
 * They are compared when a rule asks for it.
 *
 * @param requests sampled cases, in the order in which they were sent
 * @param share the part of the operation's requests that are cases, from 0 to 1
 * @param others sampled requests of the operation that aren't cases
 * @param wallNanos the length of the time in which all were sent
 * @param episodes the stretches in which cases overlap
 */
public record Cases(
        List<SampledRequest> requests,
        double share,
        List<SampledRequest> others,
        long wallNanos,
        List<Episode> episodes) {

    private static final int[] TIME_BINS = {20, 100, 500};

    /** The edges of bins: few cases may be the longest, or the shortest. */
    private static final double[] QUANTILES = {0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98};

    private static final long USERS = 1L << 32;

    private static final int LEAST = 20;

    /** One of so many may be of the other kind. */
    private static final int EDGE = 20;

    /** The longest of others and the shortest case, and the times of long others and of short ones. */
    private static final double LENGTHS_APART = 1.5;

    /** Instances often differ by a header, which takes no time of its own. */
    private static final long PACKET_BYTES = 1460;

    /** Compares cases with others, each of which stands for several if each case is one. */
    static Cases of(
            List<SampledRequest> cases, double share, List<SampledRequest> others, double weight, long wallNanos) {
        return new Cases(cases, share, others, wallNanos, Episode.of(cases, others, weight));
    }

    /** Their bunching in time: the best of 20, 100 and 500 bins of equal length by the time of sending. */
    public Association byTime() {
        Association byTime = Association.NONE;
        for (int bins : TIME_BINS) {
            long width = Math.max(1, wallNanos / bins);
            byTime = byTime.or(by(of -> bin(of.sentNanos(), width)));
        }
        return byTime;
    }

    /** {@return the association with users} */
    public Association byUser() {
        return by(SampledRequest::user);
    }

    /** {@return the association with connections} */
    public Association byConnection() {
        return by(Cases::connection);
    }

    /** {@return the association with new connections} */
    public Association byNew() {
        return by(of -> Math.min(1, of.connection().place()));
    }

    /** {@return the association with the response's status, such as 200 and 304} */
    public Association byStatus() {
        return by(SampledRequest::status);
    }

    /** {@return true if a status of their own explains most of them, as of polls that end without news} */
    public boolean haveOwnStatus() {
        return byStatus().explains(0.5);
    }

    /**
     * {@return the association with the response's size in packets, of which bins hold tenths, or less at both ends}
     */
    public Association bySize() {
        return byQuantile(requests, others, of -> of.bytes() < 0 ? -1 : of.bytes() / PACKET_BYTES);
    }

    /**
     * The length of responses from which on nearly all are cases, if others just below it take no longer than the
     * shortest.
     *
     * @return in bytes; empty if the length doesn't decide, or if cases are far longer
     */
    public OptionalLong leastLength() {
        List<SampledRequest> longer = byLength(requests);
        List<SampledRequest> shorter = byLength(others);
        if (longer.size() < LEAST || shorter.size() < LEAST) {
            return OptionalLong.empty();
        }
        long least = longer.get(longer.size() / EDGE).bytes();
        long longest = shorter.get(shorter.size() - 1 - shorter.size() / EDGE).bytes();
        int half = shorter.size() / 2;
        return longest < least
                        && least <= LENGTHS_APART * longest
                        && Facts.medianNanos(shorter.subList(half, shorter.size()))
                                <= LENGTHS_APART * Facts.medianNanos(shorter.subList(0, half))
                ? OptionalLong.of(least)
                : OptionalLong.empty();
    }

    private static List<SampledRequest> byLength(List<SampledRequest> of) {
        return of.stream()
                .filter(one -> one.bytes() >= 0)
                .sorted(Comparator.comparingLong(SampledRequest::bytes))
                .toList();
    }

    /** {@return the time that most of them share} */
    public Spike spike() {
        return Spike.of(requests);
    }

    private Association by(ToLongFunction<SampledRequest> key) {
        return Association.of(requests, others, key);
    }

    private static long bin(long nanos, long width) {
        return Math.max(0, nanos) / width;
    }

    private static long connection(SampledRequest of) {
        int number = of.connection().number();
        return number < 0 ? -1 : of.user() + USERS * number;
    }

    private static Association byQuantile(
            List<SampledRequest> cases, List<SampledRequest> others, ToLongFunction<SampledRequest> figure) {
        long[] sorted = LongStream.concat(
                        cases.stream().mapToLong(figure), others.stream().mapToLong(figure))
                .filter(value -> value >= 0)
                .sorted()
                .toArray();
        if (sorted.length < LEAST) {
            return Association.NONE;
        }
        long[] edges = DoubleStream.of(QUANTILES)
                .mapToLong(part -> sorted[(int) (part * sorted.length)])
                .toArray();
        return Association.of(cases, others, of -> {
            long value = figure.applyAsLong(of);
            return value < 0 ? -1 : LongStream.of(edges).filter(e -> e <= value).count();
        });
    }

    /** {@return true if there are none} */
    public boolean isEmpty() {
        return requests.isEmpty();
    }

    /**
     * The median of the service times.
     *
     * @return in nanoseconds; 0 without a case
     */
    public long medianNanos() {
        return Facts.medianNanos(requests);
    }
}
