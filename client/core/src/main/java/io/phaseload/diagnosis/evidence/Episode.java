package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A stretch of time in which cases, such as slow requests, overlap.
 *
 * @param fromNanos the time when the first of them was sent, since the phase's start
 * @param toNanos the time when the last of them ended
 * @param lastNanos the time when the last of them was sent
 * @param cases the number of sampled cases
 * @param users the number of users who sent them
 * @param purity their share of all sampled requests that were sent after its start and could end before the first
 *     case's end, from 0 to 1: 1 if nothing else ended, so that everything stood still
 * @param longestNanos the longest service time
 */
public record Episode(
        long fromNanos, long toNanos, long lastNanos, int cases, long users, double purity, long longestNanos) {

    /**
     * The episodes of a phase.
     *
     * @param cases in the order in which they were sent
     * @param others sampled other requests, in the order in which they were sent
     * @param weight for how many other requests each of them stands, if each case is one
     */
    static List<Episode> of(List<SampledRequest> cases, List<SampledRequest> others, double weight) {
        long usual = Facts.medianNanos(others);
        long[] sent = others.stream().mapToLong(SampledRequest::sentNanos).toArray();
        List<Episode> found = new ArrayList<>();
        List<SampledRequest> sorted = cases.stream()
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .toList();
        int first = 0;
        long end = Long.MIN_VALUE;
        for (int i = 0; i <= sorted.size(); i++) {
            if (i == sorted.size() || i > first && sorted.get(i).sentNanos() > end) {
                if (i > first) {
                    found.add(of(sorted.subList(first, i), usual, others, sent, weight));
                }
                first = i;
                end = Long.MIN_VALUE;
            }
            if (i < sorted.size()) {
                end = Math.max(end, sorted.get(i).endNanos());
            }
        }
        return List.copyOf(found);
    }

    private static Episode of(
            List<SampledRequest> cases, long usual, List<SampledRequest> all, long[] sent, double weight) {
        long from = cases.get(0).sentNanos();
        long until = cases.stream().mapToLong(SampledRequest::endNanos).min().orElse(from);
        double others = weight
                * all.subList(place(sent, from), Math.max(place(sent, from), place(sent, until))).stream()
                        .filter(of -> of.endNanos() > from + usual && of.endNanos() < until)
                        .count();
        return of(cases, cases.size() / (cases.size() + others));
    }

    /**
     * The episode that some cases make.
     *
     * @param cases in the order in which they were sent, at least one
     * @param purity see {@link #purity()}
     */
    public static Episode of(List<SampledRequest> cases, double purity) {
        return new Episode(
                cases.get(0).sentNanos(),
                cases.stream().mapToLong(SampledRequest::endNanos).max().orElse(0),
                cases.get(cases.size() - 1).sentNanos(),
                cases.size(),
                cases.stream().mapToInt(SampledRequest::user).distinct().count(),
                purity,
                cases.stream().mapToLong(SampledRequest::serviceNanos).max().orElse(0));
    }

    /** The one in which requests begin for the longest time; empty without any. */
    public static Optional<Episode> longest(List<Episode> of) {
        return of.stream().max(Comparator.comparingLong(each -> each.lastNanos() - each.fromNanos()));
    }

    /** How many of sorted times are before a time. */
    private static int place(long[] sorted, long before) {
        int at = Arrays.binarySearch(sorted, before);
        return at < 0 ? -at - 1 : at;
    }

    /** {@return true if a request was sent and ended within it} */
    public boolean has(SampledRequest request) {
        return request.sentNanos() >= fromNanos && request.endNanos() <= toNanos;
    }

    /** {@return true if a request was sent from its begin up to its last slow one} */
    public boolean hasSent(SampledRequest request) {
        return request.sentNanos() >= fromNanos && request.sentNanos() <= lastNanos;
    }

    /** {@return its length in nanoseconds} */
    public long nanos() {
        return toNanos - fromNanos;
    }
}
