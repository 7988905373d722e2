package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.RisingSteps;
import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
        if (requests.isEmpty()) {
            return NONE;
        }
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
        return blocks.size() < LEAST_BLOCKS
                ? NONE
                : of(
                        blocks.stream()
                                .map(block -> block.get(block.size() / 2).sentNanos())
                                .toList(),
                        blocks.stream().mapToDouble(Trend::meanNanos).toArray(),
                        sign);
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
