package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.Arrays;
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
                                    + " before: each takes about {stepMs:%.1f} ms more for each of them,"
                                    + " {ahead:%.1f} on average. The server works on one stream of"
                                    + " a connection at a time{others}.",
                            "Let the server, or the proxy before it, work on a connection's"
                                    + " streams at the same time. Until then, use more connections with"
                                    + " fewer streams. To make sure, compare with --streams 1.",
                            "Each request is in the sample, and 90 % of them took the time of a step for"
                                    + " themselves and for each request that was under way over their"
                                    + " connection when they were sent, up to one step more or less; so"
                                    + " did 80 % of those in the first half of such a line, of which there are"
                                    + " at least 4; the line has 3 or more, and a step takes 1 ms or"
                                    + " more. It is likely if responses of different connections"
                                    + " come at the same time, so that connections don't wait for each other;"
                                    + " only possible over one connection; and if connections wait for each"
                                    + " other, it isn't this."),
                    SerialStreams::judge)
            .unlessClientLimited();

    private static final int LEAST = 50;
    private static final int LEAST_LINE = 3;
    private static final int LEAST_FIRST = 4;
    private static final double MOST = 0.9;
    private static final double MOST_FIRST = 0.8;
    private static final double LEAST_STEP = 1e6;

    /** The share of ends so near to another connection's that one line for all doesn't explain it. */
    private static final double AT_ONCE = 0.05;

    private SerialStreams() {}

    /** A request, and the number of those before it. */
    private record Waiting(SampledRequest request, int ahead) {
        private double step() {
            return request.serviceNanos() / (ahead + 1.0);
        }

        private boolean fits(double step) {
            return Math.abs(request.serviceNanos() - (ahead + 1) * step) <= step;
        }
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Map<Integer, List<SampledRequest>> connections = phase.facts().stream()
                .filter(operation -> operation.share() == 1)
                .flatMap(operation -> operation.requests().stream())
                .filter(of -> of.sharedConnection() >= 0)
                .collect(Collectors.groupingBy(SampledRequest::sharedConnection));
        List<Waiting> all =
                connections.values().stream().flatMap(SerialStreams::inLine).toList();
        if (all.size() < LEAST) {
            return Optional.empty();
        }
        double step = median(all.stream().mapToDouble(Waiting::step).toArray());
        double line = 1 + median(all.stream().mapToDouble(Waiting::ahead).toArray());
        List<Waiting> first =
                all.stream().filter(of -> 2 * (of.ahead() + 1) <= line).toList();
        boolean one = connections.size() == 1;
        if (step < LEAST_STEP
                || line < LEAST_LINE
                || first.size() < LEAST_FIRST
                || fitting(all, step) < MOST
                || fitting(first, step) < MOST_FIRST
                || !one && atOnce(all, step / connections.size() / 4) < AT_ONCE) {
            return Optional.empty();
        }
        double ahead = all.stream().mapToInt(Waiting::ahead).average().orElse(0);
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

    private static Stream<Waiting> inLine(List<SampledRequest> connection) {
        SampledRequest[] sent = connection.stream()
                .sorted((a, b) -> Long.compare(a.sentNanos(), b.sentNanos()))
                .toArray(SampledRequest[]::new);
        long[] ends =
                connection.stream().mapToLong(SampledRequest::endNanos).sorted().toArray();
        return IntStream.range(0, sent.length)
                .mapToObj(i -> new Waiting(sent[i], Math.max(0, i - until(ends, sent[i].sentNanos()))));
    }

    /** The number of sorted times up to one. */
    private static int until(long[] sorted, long time) {
        int at = Arrays.binarySearch(sorted, time);
        return at < 0 ? -at - 1 : at + 1;
    }

    private static double fitting(List<Waiting> of, double step) {
        return of.stream().filter(one -> one.fits(step)).count() / (double) of.size();
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

    private static double median(double[] of) {
        Arrays.sort(of);
        return of[of.length / 2];
    }
}
