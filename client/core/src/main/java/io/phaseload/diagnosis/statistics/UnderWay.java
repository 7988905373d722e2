package io.phaseload.diagnosis.statistics;

import io.phaseload.measure.recording.SampledRequest;
import java.util.List;
import java.util.stream.LongStream;

/** The number of some requests that are under way at a time. */
public record UnderWay(long[] sent, long[] ends) {

    /** Of sampled requests. */
    public static UnderWay of(List<SampledRequest> requests) {
        return new UnderWay(
                requests.stream().mapToLong(SampledRequest::sentNanos).sorted().toArray(),
                requests.stream().mapToLong(SampledRequest::endNanos).sorted().toArray());
    }

    /** As if each took the mean distance between two of them: how many were sent lately. */
    public static UnderWay lately(List<SampledRequest> requests) {
        long[] sent =
                requests.stream().mapToLong(SampledRequest::sentNanos).sorted().toArray();
        long distance = sent.length < 2 ? 0 : (sent[sent.length - 1] - sent[0]) / (sent.length - 1);
        return new UnderWay(sent, LongStream.of(sent).map(of -> of + distance).toArray());
    }

    /** Those that were under way when another request was sent; it isn't counted itself. */
    public long count(SampledRequest request) {
        return Math.max(0, until(sent, request.sentNanos() - 1) - until(ends, request.sentNanos()));
    }

    /** Whether any ended after a time, at another at the latest. */
    public boolean anyEnded(long afterNanos, long untilNanos) {
        return until(ends, untilNanos) > until(ends, afterNanos);
    }

    /** Their mean number when other requests were sent; 0 for none. */
    public double mean(List<SampledRequest> requests) {
        return requests.stream().mapToLong(this::count).average().orElse(0);
    }

    /** The number of sorted times up to one. */
    private static int until(long[] sorted, long time) {
        int from = 0;
        int to = sorted.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (sorted[middle] <= time) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
