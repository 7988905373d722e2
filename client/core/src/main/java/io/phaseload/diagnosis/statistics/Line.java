package io.phaseload.diagnosis.statistics;

import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Requests that a target works on one at a time, in the order in which they were sent, in one line or several.
 *
 * @param all the requests, each with the number of those before it
 * @param steps the time that a request takes itself, by operation, in nanoseconds
 */
public record Line(List<Waiting> all, Map<Integer, Double> steps) {

    private static final int LEAST = 50;
    private static final int LEAST_LINE = 2;
    private static final int LEAST_FIRST = 4;
    private static final double MOST = 0.85;
    private static final double MOST_FIRST = 0.75;
    private static final double LEAST_STEP = 1e6;
    private static final double ERROR = 0.3;
    private static final double LEAST_ERROR = 2e6;

    /** A request, the number of those before it, and the time that a line would take for all of them. */
    public record Waiting(SampledRequest request, int ahead, double expected) {
        private boolean fits() {
            return Math.abs(request.serviceNanos() - expected) <= Math.max(LEAST_ERROR, ERROR * expected);
        }
    }

    /**
     * Requests that may wait for each other.
     *
     * @param lines those of each line, in the order in which they were sent
     */
    public static Line of(Collection<List<SampledRequest>> lines) {
        Map<Integer, Double> steps = steps(lines);
        return new Line(lines.stream().flatMap(one -> inLine(one, steps)).toList(), steps);
    }

    /** Whether they do wait for each other, and nothing else explains their times as well. */
    public boolean isReal() {
        if (all.size() < LEAST) {
            return false;
        }
        int line = 1 + medianAhead();
        List<Waiting> first =
                all.stream().filter(of -> 2 * (of.ahead() + 1) <= line).toList();
        return stepNanos() >= LEAST_STEP
                && line >= LEAST_LINE
                && first.size() >= LEAST_FIRST
                && fitting(all) >= MOST
                && fitting(first) >= MOST_FIRST;
    }

    /** {@return the median of the number of requests before another one} */
    public int medianAhead() {
        return all.stream()
                .map(Waiting::ahead)
                .sorted()
                .skip(all.size() / 2)
                .findFirst()
                .orElse(0);
    }

    /** {@return the mean of the number of requests before another one} */
    public double ahead() {
        return all.stream().mapToInt(Waiting::ahead).average().orElse(0);
    }

    /** {@return the part of a request's time for which it waits for others, from 0 to 1} */
    public double waiting() {
        return ahead() / (ahead() + 1);
    }

    /** {@return the mean time that a request takes itself, in nanoseconds} */
    public double stepNanos() {
        return all.stream()
                .mapToDouble(of -> steps.getOrDefault(of.request().operation(), 0.0))
                .average()
                .orElse(0);
    }

    /** {@return the requests} */
    public List<SampledRequest> requests() {
        return all.stream().map(Waiting::request).toList();
    }

    /**
     * The time from the end of all requests before, or from sending, to a request's own end: by operation, in the
     * median.
     */
    private static Map<Integer, Double> steps(Collection<List<SampledRequest>> lines) {
        Map<Integer, List<Double>> own = new HashMap<>();
        for (List<SampledRequest> line : lines) {
            long end = Long.MIN_VALUE;
            for (SampledRequest of : line) {
                if (of.endNanos() > end) {
                    own.computeIfAbsent(of.operation(), any -> new ArrayList<>())
                            .add((double) of.endNanos() - Math.max(end, of.sentNanos()));
                    end = of.endNanos();
                } else {
                    own.computeIfAbsent(of.operation(), any -> new ArrayList<>())
                            .add(0.0);
                }
            }
        }
        Map<Integer, Double> steps = new HashMap<>();
        own.forEach((operation, of) -> steps.put(
                operation, of.stream().sorted().skip(of.size() / 2).findFirst().orElseThrow()));
        return steps;
    }

    private static Stream<Waiting> inLine(List<SampledRequest> sent, Map<Integer, Double> steps) {
        long[] ends = sent.stream().mapToLong(SampledRequest::endNanos).sorted().toArray();
        double[] sums = new double[sent.size() + 1];
        for (int i = 0; i < sent.size(); i++) {
            sums[i + 1] = sums[i] + steps.getOrDefault(sent.get(i).operation(), 0.0);
        }
        return IntStream.range(0, sent.size()).mapToObj(i -> {
            SampledRequest of = sent.get(i);
            int over = until(ends, of.sentNanos());
            int ahead = Math.max(0, i - over);
            double begun = ahead == 0
                    ? of.sentNanos()
                    : Math.max(sent.get(i - ahead).sentNanos(), over == 0 ? Long.MIN_VALUE : ends[over - 1]);
            // The one before may take longer than usual.
            double line = Math.max(sums[i] - sums[i - ahead] - (of.sentNanos() - begun), 0);
            return new Waiting(of, ahead, line + steps.getOrDefault(of.operation(), 0.0));
        });
    }

    /** The number of sorted times up to one. */
    private static int until(long[] sorted, long time) {
        int at = Arrays.binarySearch(sorted, time);
        return at < 0 ? -at - 1 : at + 1;
    }

    private static double fitting(List<Waiting> of) {
        return of.stream().filter(Waiting::fits).count() / (double) of.size();
    }
}
