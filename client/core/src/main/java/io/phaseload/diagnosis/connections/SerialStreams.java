package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** HTTP/2 streams that wait for the others of their connection. */
public final class SerialStreams {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "serial-streams",
                            About.SERVER,
                            "a request waits for those that were sent over the same HTTP/2 connection"
                                    + " before: it takes about {stepMs:%.1f} ms more for each of them,"
                                    + " {ahead:%.1f} on average. The server works on one stream of"
                                    + " a connection at a time{others}.",
                            "Let the server, or the proxy before it, work on a connection's"
                                    + " streams at the same time. Until then, use more connections with"
                                    + " fewer streams. To make sure, compare with --streams 1.",
                            "Each request is in the sample, and 85 % of them took the time of a step for"
                                    + " themselves and for each request that was under way over their"
                                    + " connection when they were sent, less the part of the first of these that was over, with an error of"
                                    + " 30 % or 2 ms; so did 75 % of those in the first half of such a line, of which there are"
                                    + " at least 4. A step is the median of the time from the end of the request before, for each"
                                    + " operation. The line has 2 or more, and a step takes 1 ms or"
                                    + " more. It is likely if responses of different connections"
                                    + " come at the same time, so that connections don't wait for each other;"
                                    + " only possible over one connection; and if connections wait for each"
                                    + " other, it isn't this."),
                    SerialStreams::judge)
            .unlessClientLimited();

    private static final int LEAST = 50;
    private static final int LEAST_LINE = 2;
    private static final int LEAST_FIRST = 4;
    private static final double MOST = 0.85;
    private static final double MOST_FIRST = 0.75;
    private static final double LEAST_STEP = 1e6;
    private static final double ERROR = 0.3;
    private static final double LEAST_ERROR = 2e6;

    /** The share of ends so near to another connection's that one line for all doesn't explain it. */
    private static final double AT_ONCE = 0.05;

    private SerialStreams() {}

    /** A request, the number of those before it, and the time that a line would take for all of them. */
    private record Waiting(SampledRequest request, int ahead, double expected) {
        private boolean fits() {
            return Math.abs(request.serviceNanos() - expected) <= Math.max(LEAST_ERROR, ERROR * expected);
        }
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Map<Integer, List<SampledRequest>> connections = phase.facts().stream()
                .filter(operation -> operation.share() == 1)
                .flatMap(operation -> operation.requests().stream())
                .filter(of -> of.sharedConnection() >= 0)
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .collect(Collectors.groupingBy(SampledRequest::sharedConnection));
        Map<Integer, Double> steps = steps(connections.values());
        List<Waiting> all =
                connections.values().stream().flatMap(one -> inLine(one, steps)).toList();
        if (all.size() < LEAST) {
            return Optional.empty();
        }
        double step = all.stream()
                .mapToDouble(of -> steps.getOrDefault(of.request().operation(), 0.0))
                .average()
                .orElse(0);
        double ahead = all.stream().mapToInt(Waiting::ahead).average().orElse(0);
        int line = 1
                + all.stream()
                        .map(Waiting::ahead)
                        .sorted()
                        .skip(all.size() / 2)
                        .findFirst()
                        .orElse(0);
        List<Waiting> first =
                all.stream().filter(of -> 2 * (of.ahead() + 1) <= line).toList();
        boolean one = connections.size() == 1;
        if (step < LEAST_STEP
                || line < LEAST_LINE
                || first.size() < LEAST_FIRST
                || fitting(all) < MOST
                || fitting(first) < MOST_FIRST
                || !one && atOnce(all, step / connections.size() / 4) < AT_ONCE) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        one ? Confidence.POSSIBLE : Confidence.LIKELY,
                        ahead / (ahead + 1),
                        step / 1e6,
                        ahead,
                        one
                                ? ", or on one request of all: more connections would show it"
                                : ", and on %d connections at the same time".formatted(connections.size())));
    }

    /**
     * The time from the end of all requests before, or from sending, to a request's own end: by operation, in the
     * median.
     */
    private static Map<Integer, Double> steps(Collection<List<SampledRequest>> connections) {
        Map<Integer, List<Double>> own = new HashMap<>();
        for (List<SampledRequest> connection : connections) {
            long end = 0;
            for (SampledRequest of : connection) {
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
                    : Math.max(sent.get(i - ahead).sentNanos(), over == 0 ? 0 : ends[over - 1]);
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

    /** The share of ends that another connection's follows within some time. */
    private static double atOnce(List<Waiting> all, double nanos) {
        List<SampledRequest> ends = all.stream()
                .map(Waiting::request)
                .sorted((a, b) -> Long.compare(a.endNanos(), b.endNanos()))
                .toList();
        long near = IntStream.range(1, ends.size())
                .filter(i -> ends.get(i).endNanos() - ends.get(i - 1).endNanos() < nanos)
                .filter(i -> ends.get(i).sharedConnection() != ends.get(i - 1).sharedConnection())
                .count();
        return (double) near / ends.size();
    }
}
