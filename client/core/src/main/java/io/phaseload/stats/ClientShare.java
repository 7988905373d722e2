package io.phaseload.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The part of each headline figure of the response times that the client itself may have caused, in percent, 0 to 100.
 * With <i>w</i> the response times in nanoseconds of the requests for which the client's own part was measured, and
 * <i>c</i> the same times without that part,
 *
 * <pre>
 * share(q) = 100·(1 − Q_c(q) ∕ Q_w(q))    share(mean) = 100·(1 − mean(c) ∕ mean(w))
 * </pre>
 *
 * <p>where <i>Q</i>(q) is the mean of the sample's quantiles whose ranks chance may put in the place of q, within 1.7
 * standard deviations of q's rank, √(q(1 − q) ∕ n), as a simple form of F. E. Harrell's and C. E. Davis's estimator
 * (Biometrika 69, 1982). A single quantile of a mixture of fast and slow requests may lie between them, where it is one
 * request's. The share is an upper bound as far as each request's own part is one. A figure with too few samples (see
 * {@link QuantileRanks}) is empty.
 *
 * @param samples the requests that were measured, of all or of a part of them
 * @param meanPercent of the mean
 * @param p50Percent of the median
 * @param p95Percent of the 95th percentile
 * @param p99Percent of the 99th percentile
 * @param p999Percent of the 99.9th percentile
 */
public record ClientShare(
        long samples,
        double meanPercent,
        Optional<Double> p50Percent,
        Optional<Double> p95Percent,
        Optional<Double> p99Percent,
        Optional<Double> p999Percent) {

    /** A figure of which more than this may be the client's says too little of the target. */
    public static final double MOST_PERCENT = 10;

    /** A percentile, and the number of samples that it needs. */
    private record ShareRank(double percentile, long least) {

        private static ShareRank of(double percentile) {
            return new ShareRank(percentile, QuantileRanks.leastSamples(percentile / 100));
        }
    }

    /** Evenly spaced ranks with a standard deviation of 1. */
    private static final double[] DEVIATIONS =
            IntStream.rangeClosed(-10, 10).mapToDouble(i -> 0.165 * i).toArray();

    /** With fewer samples, a mean says little, too. */
    private static final ShareRank P50 = ShareRank.of(50);

    private static final ShareRank P95 = ShareRank.of(95);
    private static final ShareRank P99 = ShareRank.of(99);
    private static final ShareRank P999 = ShareRank.of(99.9);

    /**
     * Computes the shares.
     *
     * @param watched response times in nanoseconds
     * @param cleared the same without the client's own part
     * @return empty with too few samples for a median
     */
    public static Optional<ClientShare> of(Histogram watched, Histogram cleared) {
        long samples = watched.getTotalCount();
        if (samples < P50.least()) {
            return Optional.empty();
        }
        RecordedValues all = RecordedValues.of(watched);
        RecordedValues without = RecordedValues.of(cleared);
        return Optional.of(new ClientShare(
                samples,
                percent(all.mean(), without.mean()),
                percent(all, without, P50),
                percent(all, without, P95),
                percent(all, without, P99),
                percent(all, without, P999)));
    }

    /**
     * The client's own part of the figure of which it has the largest share.
     *
     * @param watched response times in nanoseconds
     * @param cleared the same without the client's own part
     * @return Q_w − Q_c, or the difference of the means, in nanoseconds
     */
    public static double ownNanos(Histogram watched, Histogram cleared) {
        RecordedValues all = RecordedValues.of(watched);
        RecordedValues without = RecordedValues.of(cleared);
        double figure = all.mean();
        double own = figure - without.mean();
        for (ShareRank rank : List.of(P50, P95, P99, P999)) {
            if (all.total() >= rank.least()) {
                double next = quantile(all, rank);
                double part = next - quantile(without, rank);
                if (part * figure > own * next) {
                    figure = next;
                    own = part;
                }
            }
        }
        return own;
    }

    private static Optional<Double> percent(RecordedValues watched, RecordedValues cleared, ShareRank rank) {
        return watched.total() < rank.least()
                ? Optional.empty()
                : Optional.of(percent(quantile(watched, rank), quantile(cleared, rank)));
    }

    private static double quantile(RecordedValues times, ShareRank rank) {
        double deviation = Math.sqrt(rank.percentile() * (100 - rank.percentile()) / times.total());
        return DoubleStream.of(DEVIATIONS)
                .mapToLong(each -> times.atPercentile(rank.percentile() + each * deviation))
                .average()
                .orElse(0);
    }

    private static double percent(double watched, double cleared) {
        return watched == 0 ? 0 : Math.max(0, 100 * (1 - cleared / watched));
    }

    /**
     * The figures of which more than {@value #MOST_PERCENT} % may be the client's.
     *
     * @return percentages by the figure's name, in a fixed order
     */
    public Map<String, Double> overLimit() {
        Map<String, Double> over = new LinkedHashMap<>();
        p50Percent.ifPresent(percent -> over.put("the median", percent));
        over.put("the mean", meanPercent);
        p95Percent.ifPresent(percent -> over.put("p95", percent));
        p99Percent.ifPresent(percent -> over.put("p99", percent));
        p999Percent.ifPresent(percent -> over.put("p99.9", percent));
        over.values().removeIf(percent -> percent <= MOST_PERCENT);
        return over;
    }
}
