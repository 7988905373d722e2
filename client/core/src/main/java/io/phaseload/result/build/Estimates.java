package io.phaseload.result.build;

import io.phaseload.measure.Tallies;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.result.ThresholdResult.Evidence;
import io.phaseload.result.build.Blocks.Block;
import io.phaseload.stats.BatchMeans;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Estimate;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.stats.RecordedValues;
import io.phaseload.stats.StudentT;
import io.phaseload.timing.Timing;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Estimates figures of phases, with intervals that count neighbouring seconds by how alike they are
 * ({@link BatchMeans}). Phases with fewer than ten seconds don't show that: their requests count as independent.
 *
 * @param phases the blocks of each
 * @param coverage of the intervals
 */
record Estimates(List<List<Block>> phases, double coverage) {

    private static final double MILLI = 1e-6;

    /** Empty for an exact figure, or if there are no requests; failures are a part of the requests. */
    Optional<FigureEstimate> of(Figure figure) {
        if (figure instanceof Figure.Time time) {
            return ofTime(time);
        }
        double requests = sum(block -> block.tally().requests());
        if (requests == 0 || figure == Figure.Count.REQUESTS || figure == Figure.Count.RESENT) {
            return Optional.empty();
        }
        return figure == Figure.Count.RPS ? Optional.of(ofRate(requests)) : Optional.of(ofFailures((long) requests));
    }

    private FigureEstimate ofRate(double requests) {
        double seconds = sum(Block::seconds);
        BatchMeans rate = means(block -> block.tally().requests(), Block::seconds)
                .orElse(independent(requests / seconds, Math.sqrt(requests) / seconds));
        return ofPositive(
                requests / seconds, "/s", rate, (long) requests, Math.pow(rate.mean() / rate.standardError(), 2));
    }

    private FigureEstimate ofFailures(long requests) {
        double part = sum(block -> block.tally().failed()) / requests;
        BatchMeans failed = means(
                        block -> block.tally().failed(), block -> block.tally().requests())
                .orElse(independent(part, Math.sqrt(part * (1 - part) / requests)));
        return FigureEstimate.of(
                100 * part,
                "%",
                100,
                Estimate.ofPart(failed, requests).interval(coverage),
                failed.batches() - 1.0,
                requests,
                failed.effectiveSamples(part * (1 - part), requests));
    }

    private Optional<FigureEstimate> ofTime(Figure.Time time) {
        Histogram all = Tallies.sum(
                phases.stream().flatMap(List::stream).map(Block::tally).toList(), time.of());
        long samples = all.getTotalCount();
        if (samples == 0 || time.statistic() == Statistic.MIN || time.statistic() == Statistic.MAX) {
            return Optional.empty();
        }
        return Optional.of(
                time.statistic() == Statistic.MEAN
                        ? ofMean(time.of(), all)
                        : ofQuantile(time.of(), all, time.statistic().percent() / 100));
    }

    private FigureEstimate ofMean(Timing timing, Histogram all) {
        RecordedValues recorded = RecordedValues.of(all);
        double mean = recorded.mean();
        double deviation = recorded.deviation();
        double error = deviation / Math.sqrt(all.getTotalCount());
        BatchMeans means = means(block -> total(block.tally().histogram(timing)), block -> block.tally()
                        .count(timing))
                .orElse(independent(mean, error));
        double effective = Math.pow(deviation / means.standardError(), 2);
        return ofPositive(MILLI * mean, "ms", means, all.getTotalCount(), effective);
    }

    private static double total(Histogram nanos) {
        return RecordedValues.of(nanos).mean() * nanos.getTotalCount();
    }

    private FigureEstimate ofQuantile(Timing timing, Histogram all, double p) {
        RecordedValues recorded = RecordedValues.of(all);
        long value = recorded.atPercentile(100 * p);
        // Up to the end of its bucket: values within one are the same.
        long most = all.highestEquivalentValue(value);
        long samples = all.getTotalCount();
        Optional<BatchMeans> atMost =
                means(block -> atMost(block.tally().histogram(timing), most), block -> block.tally()
                        .count(timing));
        long effective = atMost.map(of -> of.effectiveSamples(of.mean() * (1 - of.mean()), samples))
                .orElse(samples);
        double freedom = atMost.map(of -> of.batches() - 1.0).orElse(Double.POSITIVE_INFINITY);
        ConfidenceInterval interval = QuantileRanks.interval(
                p, effective, StudentT.factor(freedom, coverage), coverage, part -> recorded.atPercentile(100 * part));
        return FigureEstimate.of(MILLI * value, "ms", MILLI, interval, freedom, samples, effective);
    }

    private static double atMost(Histogram nanos, long most) {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getCountBetweenValues(0, most);
    }

    /** A figure that isn't negative, whose error is symmetric to first order. */
    private FigureEstimate ofPositive(double value, String unit, BatchMeans mean, long samples, double effective) {
        if (mean.standardError() == 0) {
            return FigureEstimate.of(
                    value, unit, 1, new ConfidenceInterval(value, value, coverage), 1, samples, samples);
        }
        ConfidenceInterval relative = Estimate.ofRate(mean).interval(coverage);
        return FigureEstimate.of(value, unit, value / mean.mean(), relative, mean.batches() - 1.0, samples, effective);
    }

    /** A figure of servers or of the client's machine. */
    FigureEstimate of(Figure.Reported figure, List<String> names) {
        String own = figure.in(names).orElse(figure.name());
        String unit = Figure.Reported.unit(own);
        String name = (figure.client() ? "client." : "server.") + own;
        DoubleSummaryStatistics all = new DoubleSummaryStatistics();
        phases.stream().flatMap(List::stream).forEach(block -> all.combine(block.figure(name)));
        if (all.getCount() == 0) {
            return FigureEstimate.unmeasured(unit, "%s wasn't reported".formatted(name));
        }
        if (figure.statistic() == Statistic.MAX) {
            return FigureEstimate.exact(all.getMax(), unit);
        }
        Optional<BatchMeans> means = means(block -> block.figure(name).getSum(), block -> block.figure(name)
                .getCount());
        if (means.isEmpty()) {
            return FigureEstimate.missing(
                    unit,
                    Optional.of(all.getAverage()),
                    "%d readings, %d needed".formatted(all.getCount(), BatchMeans.LEAST));
        }
        BatchMeans mean = means.get();
        double reach = mean.standardError() * StudentT.factor(mean.batches() - 1.0, coverage);
        double variance = phases.stream()
                .flatMap(List::stream)
                .filter(block -> block.figures().containsKey(name))
                .mapToDouble(block -> Math.pow(block.figures().get(name).getAverage() - mean.mean(), 2))
                .average()
                .orElse(0);
        return FigureEstimate.of(
                mean.mean(),
                unit,
                1,
                new ConfidenceInterval(mean.mean() - reach, mean.mean() + reach, coverage),
                mean.batches() - 1.0,
                all.getCount(),
                mean.standardError() == 0 ? all.getCount() : variance / Math.pow(mean.standardError(), 2));
    }

    /**
     * How many times another figure a figure is. Two operations of the same seconds are slow together, so that the
     * interval, which takes them for independent, is rather too wide.
     */
    static FigureEstimate ratio(Optional<FigureEstimate> of, Optional<FigureEstimate> other, double coverage) {
        Optional<Estimate> a = other.flatMap(found -> found.relative(coverage));
        Optional<Estimate> b = of.flatMap(found -> found.relative(coverage));
        if (a.isEmpty() || b.isEmpty()) {
            return of.isEmpty() || other.isEmpty()
                    ? FigureEstimate.unmeasured("x", "no requests")
                    : FigureEstimate.missing(
                            "x",
                            Optional.of(of.get().value().orElseThrow()
                                    / other.get().value().orElseThrow()),
                            "the figures have no interval");
        }
        Evidence one = of.get().evidence().orElseThrow();
        Evidence two = other.get().evidence().orElseThrow();
        Effect effect = Effect.between(a.get(), b.get(), coverage);
        return FigureEstimate.of(
                1 + effect.change(),
                "x",
                1,
                new ConfidenceInterval(1 + effect.low(), 1 + effect.high(), coverage),
                1,
                Math.min(one.samples(), two.samples()),
                Math.min(one.effectiveSamples(), two.effectiveSamples()));
    }

    private Optional<BatchMeans> means(ToDoubleFunction<Block> sums, ToDoubleFunction<Block> weights) {
        return BatchMeans.ofAll(
                phases.stream().map(of -> Blocks.values(of, sums)).toList(),
                phases.stream().map(of -> Blocks.values(of, weights)).toList());
    }

    private double sum(ToDoubleFunction<Block> value) {
        return phases.stream().flatMap(List::stream).mapToDouble(value).sum();
    }

    private static BatchMeans independent(double mean, double error) {
        return new BatchMeans(mean, error, Integer.MAX_VALUE);
    }
}
