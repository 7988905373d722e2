package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.RisingSteps;
import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How times rise during a phase: the geometric means of up to 40 blocks of equal length, with 8 requests or more, and
 * the rising steps that fit their logarithms best (isotonic regression). A median would jump when more than half of the
 * requests change. The share of the variance that these explain is Bartholomew's Ē² (D. J. Bartholomew, Biometrika 46,
 * 1959): about a tenth by chance.
 *
 * @param explained Ē², from 0 to 1
 * @param atNanos the middle of each block, since the phase's start
 * @param levels the fitted time of each block, in nanoseconds
 */
public record Trend(double explained, List<Long> atNanos, List<Double> levels) {

    /** Fewer blocks rise by chance. */
    private static final int LEAST_BLOCKS = 10;

    private static final int MOST_BLOCKS = 40;
    private static final int LEAST_REQUESTS = 8;

    /** The part of the phase at each end that has its first and its last level. */
    private static final double END = 0.15;

    /** Half a millisecond more or less is noise. */
    private static final double NOISE_NANOS = 500_000;

    private static final double STEP = 0.7;
    private static final double STEP_WIDTH = 0.1;

    private static final double LEAST_EXPLAINED = 0.9;
    private static final double LEAST_GROWTH = 1.7;
    private static final double LEAST_NANOS = 2e6;

    /** Blocks after a fall. */
    private static final int LEAST_AFTER = 2;

    /** Of the range of a rise: how far from its first level, and from its last one, a fall may end and begin. */
    private static final double FALLEN = 0.25;

    /** Of the range, at both ends: what lies between is its middle. */
    private static final double MIDDLE = 0.2;

    private static final double GRADUAL = 0.3;

    /** The part of the requests that are fast. */
    private static final double FAST = 0.25;

    /** Too little is known. */
    private static final Trend NONE = new Trend(0, List.of(0L), List.of(0.0));

    /** How requests' service times rise. */
    public static Trend of(List<SampledRequest> requests) {
        return of(requests, 1);
    }

    /** How requests' service times fall, which is the same with falling steps. */
    public static Trend falling(List<SampledRequest> requests) {
        return of(requests, -1);
    }

    private static Trend of(List<SampledRequest> requests, int sign) {
        return ofBlocks(blocks(requests), sign);
    }

    /**
     * How they rise, more and more, until they fall at once to where they began, as when what has piled up is removed.
     * Fast ones rise, too: if a part is slow for a while, its share may happen to grow.
     *
     * @return the trend up to the fall; empty if there is none
     */
    public static Optional<Trend> beforeFall(List<SampledRequest> requests) {
        List<List<SampledRequest>> blocks = blocks(requests);
        double[] nanos = blocks.stream().mapToDouble(Trend::meanNanos).toArray();
        // The block of the fall may hold requests of both sides.
        int last = IntStream.range(LEAST_BLOCKS - 1, blocks.size() - LEAST_AFTER - 1)
                .boxed()
                .max(Comparator.comparingDouble(i -> nanos[i] - nanos[i + 2]))
                .orElse(0);
        if (last == 0) {
            return Optional.empty();
        }
        Trend before = ofBlocks(blocks.subList(0, last + 1), 1);
        double first = before.firstNanos();
        double range = before.lastNanos() - first;
        double after = DoubleStream.of(nanos)
                .skip(last + 2)
                .limit(LEAST_AFTER)
                .average()
                .orElseThrow();
        return nanos[last] >= first + (1 - FALLEN) * range
                        && after <= first + FALLEN * range
                        && before.isRise()
                        && before.isGradual()
                        && fastNanos(blocks.subList(last - LEAST_AFTER + 1, last + 1))
                                >= LEAST_GROWTH * fastNanos(blocks.subList(0, LEAST_AFTER))
                ? Optional.of(before)
                : Optional.empty();
    }

    /** {@return true if times rise by far, and not by chance} */
    public boolean isRise() {
        return explained >= LEAST_EXPLAINED
                && lastNanos() >= LEAST_GROWTH * firstNanos()
                && lastNanos() >= firstNanos() + LEAST_NANOS;
    }

    /** Whether the middle of the rise takes a large part of the time. */
    private boolean isGradual() {
        double low = levels.get(0);
        double high = levels.get(levels.size() - 1);
        long between = levels.stream()
                .filter(of -> of >= low + MIDDLE * (high - low) && of <= high - MIDDLE * (high - low))
                .count();
        return between >= GRADUAL * levels.size();
    }

    private static List<List<SampledRequest>> blocks(List<SampledRequest> requests) {
        List<SampledRequest> sorted = requests.stream()
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .toList();
        List<List<SampledRequest>> blocks = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < sorted.size(); i++) {
            long length = sorted.get(i).sentNanos() - sorted.get(from).sentNanos();
            if (i - from >= LEAST_REQUESTS
                    && length >= (lastSent(sorted) - sorted.get(0).sentNanos()) / MOST_BLOCKS) {
                blocks.add(sorted.subList(from, i));
                from = i;
            }
        }
        return blocks;
    }

    private static Trend ofBlocks(List<List<SampledRequest>> blocks, int sign) {
        return blocks.size() < LEAST_BLOCKS
                ? NONE
                : of(
                        blocks.stream()
                                .map(block -> block.get(block.size() / 2).sentNanos())
                                .toList(),
                        blocks.stream().mapToDouble(Trend::meanNanos).toArray(),
                        sign);
    }

    private static long fastNanos(List<List<SampledRequest>> blocks) {
        return Facts.quantileNanos(blocks.stream().flatMap(List::stream).toList(), FAST);
    }

    private static double meanNanos(List<SampledRequest> block) {
        double mean = block.stream()
                .mapToDouble(of -> Math.log(of.serviceNanos() + NOISE_NANOS))
                .average()
                .orElse(0);
        return Math.exp(mean) - NOISE_NANOS;
    }

    private static long lastSent(List<SampledRequest> sorted) {
        return sorted.get(sorted.size() - 1).sentNanos();
    }

    /** The trend of a phase's seconds, if none of its requests is known. */
    public static Trend ofSeconds(PhaseSeries phase) {
        List<Second> steady =
                phase.steady().stream().filter(of -> of.requests() > 0).toList();
        return steady.size() < LEAST_BLOCKS
                ? NONE
                : of(
                        steady.stream()
                                .map(of -> of.start().toNanos()
                                        - phase.seconds().get(0).start().toNanos())
                                .toList(),
                        steady.stream().mapToDouble(Second::medianNanos).toArray(),
                        1);
    }

    private static Trend of(List<Long> at, double[] nanos, int sign) {
        double[] logs = DoubleStream.of(nanos)
                .map(of -> sign * Math.log(of + NOISE_NANOS))
                .toArray();
        double[] fitted = RisingSteps.fit(logs);
        return new Trend(
                RisingSteps.explained(logs, fitted),
                at,
                DoubleStream.of(fitted)
                        .mapToObj(of -> Math.exp(sign * of) - NOISE_NANOS)
                        .toList());
    }

    /** The level that the phase begins with, in nanoseconds. */
    public double firstNanos() {
        return levelNanos(END);
    }

    /** The level that it has reached before its end, in nanoseconds. */
    public double lastNanos() {
        return levelNanos(1 - END);
    }

    private double levelNanos(double part) {
        long first = atNanos.get(0);
        double at = first + part * (atNanos.get(atNanos.size() - 1) - first);
        int block = (int) atNanos.stream().filter(of -> of < at).count();
        return levels.get(Math.min(block, levels.size() - 1));
    }

    /** When half of a fall is over, in nanoseconds since the phase's start. */
    public double fallenNanos() {
        double half = Math.sqrt(levels.get(0) * levels.get(levels.size() - 1));
        int block = (int) levels.stream().filter(of -> of > half).count();
        return atNanos.get(Math.min(block, levels.size() - 1));
    }

    /** The middle of its last block, in nanoseconds since the phase's start. */
    public long endNanos() {
        return atNanos.get(atNanos.size() - 1);
    }

    /** When most of the change happens at once, in nanoseconds since the phase's start; empty for a slow one. */
    public OptionalDouble stepNanos() {
        double all = Math.log(levels.get(levels.size() - 1) / levels.get(0));
        int width = Math.max(1, (int) (STEP_WIDTH * levels.size()));
        return IntStream.range(0, levels.size() - width)
                .filter(i -> Math.log(levels.get(i + width) / levels.get(i)) / all >= STEP)
                .mapToDouble(i -> (atNanos.get(i) + atNanos.get(i + width)) / 2.0)
                .average();
    }
}
