package io.phaseload.result.build;

import io.phaseload.measure.Tallies;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Threshold.Unit;
import io.phaseload.result.build.Blocks.Block;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.series.Lows;
import io.phaseload.stats.series.Slope;
import io.phaseload.stats.series.SteadyState;
import io.phaseload.timing.Timing;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Estimates the slopes of figures in the longest of some phases, after its warm-up.
 *
 * @param estimates the phases and the coverage
 * @param names of the figures that there are
 */
record Slopes(Estimates estimates, List<String> names) {

    /** Blocks of times: enough for a slope, each with many requests. */
    private static final int BLOCKS = 64;

    /** Of a block, above its percentile. */
    private static final int LEAST_ABOVE = 5;

    /** Before a collection, garbage looks like a leak. */
    private static final int LEAST_CYCLES = 3;

    /** Without a steady state, the warm-up is taken for this part. */
    private static final double WARM_UP = 0.1;

    FigureEstimate of(Figure.Slope figure, Unit unit) {
        List<Block> phase = estimates.phases().stream()
                .max(Comparator.comparingDouble(
                        blocks -> blocks.stream().mapToDouble(Block::seconds).sum()))
                .orElse(List.of());
        List<Block> steady = steady(phase);
        int seconds = figure.per().seconds();
        Optional<Slope> found = figure.of() instanceof Figure.Reported reported
                ? ofReported(reported, steady, seconds)
                : ofRequests(figure.of(), steady, seconds);
        String base = unit == Unit.PERCENT ? "%" : unit(figure.of());
        String text = base + figure.per();
        if (phase.isEmpty()) {
            return FigureEstimate.unmeasured(text, "the run didn't reach it");
        }
        if (found.isEmpty()) {
            boolean heap = figure.of().toString().toLowerCase(Locale.ROOT).contains("heap");
            return FigureEstimate.missing(
                    text,
                    Optional.empty(),
                    heap
                            ? "fewer than %d collections, before which garbage looks like a leak"
                                    .formatted(LEAST_CYCLES)
                            : "fewer than %d points after the warm-up".formatted(Slope.LEAST));
        }
        Slope slope = found.get();
        boolean relative = unit == Unit.PERCENT && !unit(figure.of()).equals("%");
        boolean still = slope.low() == 0 && slope.high() == 0;
        if (relative && slope.first() <= 0 && !still) {
            return FigureEstimate.missing(text, Optional.empty(), "it begins at 0, of which there is no part");
        }
        double factor = relative && !still ? 100 / slope.first() : 1;
        return FigureEstimate.of(
                factor * slope.perUnit(),
                text,
                factor,
                new ConfidenceInterval(slope.low(), slope.high(), estimates.coverage()),
                1,
                slope.points(),
                slope.effective());
    }

    private String unit(Figure figure) {
        if (figure instanceof Figure.Reported reported) {
            return Figure.Reported.unit(reported.in(names).orElse(reported.name()));
        }
        return figure instanceof Figure.Time ? "ms" : figure == Figure.Count.FAILURES ? "%" : "";
    }

    /** After the warm-up: by the mean response time, which has one in closed and in open phases. */
    static List<Block> steady(List<Block> blocks) {
        List<Block> busy =
                blocks.stream().filter(block -> block.tally().requests() > 0).toList();
        int cut = SteadyState.of(Blocks.values(
                        busy, block -> block.tally().histogram(Timing.RESPONSE).getMean()))
                .filter(SteadyState::reached)
                .map(SteadyState::from)
                .orElse((int) Math.ceil(WARM_UP * busy.size()));
        double from =
                busy.isEmpty() ? 0 : busy.get(Math.min(cut, busy.size() - 1)).start();
        return blocks.stream().filter(block -> block.start() >= from).toList();
    }

    private Optional<Slope> ofReported(Figure.Reported figure, List<Block> blocks, int seconds) {
        String name =
                (figure.client() ? "client." : "server.") + figure.in(names).orElse(figure.name());
        List<Block> reported = blocks.stream()
                .filter(block -> block.figures().containsKey(name))
                .toList();
        boolean level = isLevel(name);
        double[] at = Blocks.values(reported, block -> block.middle() / seconds);
        double[] values = Blocks.values(reported, block -> {
            DoubleSummaryStatistics of = block.figures().get(name);
            return level ? of.getMin() : figure.statistic() == Statistic.MAX ? of.getMax() : of.getAverage();
        });
        if (level) {
            Lows lows = Lows.of(at, values);
            return name.endsWith("heapMiB") && lows.cycles() < LEAST_CYCLES
                    ? Optional.empty()
                    : lows.slope(estimates.coverage());
        }
        return Slope.of(at, values, estimates.coverage());
    }

    /** Memory, descriptors and connections are taken and given back, in cycles. */
    static boolean isLevel(String name) {
        return name.endsWith("MiB")
                || name.endsWith("memoryUsedPercent")
                || name.contains("openFiles")
                || name.contains("sockets")
                || name.contains("ports")
                || name.contains("onnections");
    }

    private Optional<Slope> ofRequests(Figure figure, List<Block> blocks, int seconds) {
        long samples =
                blocks.stream().mapToLong(block -> block.tally().requests()).sum();
        double above = figure instanceof Figure.Time time && time.statistic().percent() < 100
                ? samples * (1 - time.statistic().percent() / 100)
                : samples;
        int most = (int) Math.min(BLOCKS, above / LEAST_ABOVE);
        if (most < Slope.LEAST) {
            return Optional.empty();
        }
        List<Block> joined = Blocks.joined(blocks, most).stream()
                .filter(block -> block.tally().requests() > 0)
                .toList();
        return Slope.of(
                Blocks.values(joined, block -> block.middle() / seconds),
                Blocks.values(joined, value(figure)),
                estimates.coverage());
    }

    private static ToDoubleFunction<Block> value(Figure figure) {
        if (figure instanceof Figure.Time time) {
            return block -> {
                Histogram nanos = Tallies.sum(List.of(block.tally()), time.of());
                return 1e-6
                        * switch (time.statistic()) {
                            case MEAN -> nanos.getMean();
                            case MIN -> nanos.getMinValue();
                            default -> nanos.getValueAtPercentile(
                                    time.statistic().percent());
                        };
            };
        }
        return figure == Figure.Count.RPS
                ? block -> block.tally().requests() / block.seconds()
                : block -> 100.0 * block.tally().failed() / block.tally().requests();
    }
}
