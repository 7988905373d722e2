package io.phaseload.result.build;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The intervals of one phase, in order of time, joined with their neighbours so that there are never more than 256
 * blocks: a run of a month takes no more memory than one of five minutes. Not thread-safe.
 */
public final class Blocks {

    private static final int MOST = 256;

    /**
     * Some intervals that follow each other.
     *
     * @param start since the run's start, in seconds
     * @param seconds the length
     * @param tally the requests, packed
     * @param figures of the client, with {@code client.} before their names, and of servers, with {@code server.}
     */
    public record Block(double start, double seconds, Tally tally, Map<String, DoubleSummaryStatistics> figures) {

        private Block plus(Block later) {
            Tally sum = Tallies.sum(List.of(tally, later.tally));
            sum.pack();
            Map<String, DoubleSummaryStatistics> both = new LinkedHashMap<>();
            for (Map<String, DoubleSummaryStatistics> each : List.of(figures, later.figures)) {
                each.forEach((name, values) -> both.computeIfAbsent(name, any -> new DoubleSummaryStatistics())
                        .combine(values));
            }
            return new Block(start, seconds + later.seconds, sum, both);
        }

        /** A figure's readings; none if it wasn't read. */
        DoubleSummaryStatistics figure(String name) {
            return figures.getOrDefault(name, new DoubleSummaryStatistics());
        }

        /** {@return the middle, since the run's start, in seconds} */
        public double middle() {
            return start + seconds / 2;
        }
    }

    private final int operation;
    private final List<Block> blocks = new ArrayList<>();
    private int each = 1;
    private int added;

    /**
     * No interval yet.
     *
     * @param operation the index of the only operation or journey that counts, or -1 for all operations
     */
    public Blocks(int operation) {
        this.operation = operation;
    }

    /** Adds the next interval. */
    public void add(Interval interval) {
        Tally tally = operation < 0 && interval.operations().size() == 1
                ? interval.operations().get(0)
                : Scope.pick(interval.operations(), interval.journeys(), operation);
        if (tally.isLarge()) {
            // A copy: others may be reading this one.
            tally = Tallies.sum(List.of(tally));
            tally.pack();
        }
        Map<String, DoubleSummaryStatistics> figures = new LinkedHashMap<>();
        add(figures, "client.", interval.client());
        interval.server().ifPresent(server -> add(figures, "server.", server));
        Block block = new Block(seconds(interval.start()), seconds(interval.length()), tally, figures);
        if (added % each == 0) {
            blocks.add(block);
        } else {
            blocks.set(blocks.size() - 1, blocks.get(blocks.size() - 1).plus(block));
        }
        added++;
        if (added == MOST * each) {
            List<Block> joined = joined(blocks, MOST / 2);
            blocks.clear();
            blocks.addAll(joined);
            each *= 2;
        }
    }

    private static void add(Map<String, DoubleSummaryStatistics> figures, String prefix, HostFigures known) {
        known.values()
                .forEach((name, value) -> figures.computeIfAbsent(prefix + name, any -> new DoubleSummaryStatistics())
                        .accept(value));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** {@return all, in order} */
    public List<Block> all() {
        return List.copyOf(blocks);
    }

    /**
     * Fewer blocks, each of as many of these, but for the last.
     *
     * @param blocks in order
     * @param most the greatest number
     */
    static List<Block> joined(List<Block> blocks, int most) {
        int width = Math.max(1, (blocks.size() + most - 1) / most);
        List<Block> joined = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i += width) {
            joined.add(blocks.subList(i, Math.min(blocks.size(), i + width)).stream()
                    .reduce(Block::plus)
                    .orElseThrow());
        }
        return joined;
    }

    /**
     * A value of each block.
     *
     * @param of the blocks
     * @param value of one
     */
    public static double[] values(List<Block> of, ToDoubleFunction<Block> value) {
        return of.stream().mapToDouble(value).toArray();
    }
}
