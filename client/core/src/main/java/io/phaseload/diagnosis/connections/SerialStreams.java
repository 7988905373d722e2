package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Line;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
                                    + " connection when they were sent, less the part of the first of these that was"
                                    + " over, with an error of"
                                    + " 30 % or 2 ms; so did 75 % of those in the first half of such a line, of"
                                    + " which there are"
                                    + " at least 4. A step is the median of the time from the end of the request"
                                    + " before, for each"
                                    + " operation. The line has 2 or more, and a step takes 1 ms or"
                                    + " more. It is likely if responses of different connections"
                                    + " come at the same time, so that connections don't wait for each other;"
                                    + " only possible over one connection; and if connections wait for each"
                                    + " other, it isn't this."),
                    SerialStreams::judge)
            .unlessClientLimited();

    /** The share of ends so near to another connection's that one line for all doesn't explain it. */
    private static final double AT_ONCE = 0.05;

    private SerialStreams() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Map<Integer, List<SampledRequest>> connections = phase.facts().stream()
                .filter(operation -> operation.share() == 1)
                .flatMap(operation -> operation.requests().stream())
                .filter(of -> of.sharedConnection() >= 0)
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .collect(Collectors.groupingBy(SampledRequest::sharedConnection));
        Line line = Line.of(connections.values());
        boolean one = connections.size() == 1;
        if (!line.isReal() || !one && atOnce(line.requests(), line.stepNanos() / connections.size() / 4) < AT_ONCE) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        one ? Confidence.POSSIBLE : Confidence.LIKELY,
                        line.waiting(),
                        line.stepNanos() / 1e6,
                        line.ahead(),
                        one
                                ? ", or on one request of all: more connections would show it"
                                : ", and on %d connections at the same time".formatted(connections.size())));
    }

    /** The share of ends that another connection's follows within some time. */
    private static double atOnce(List<SampledRequest> all, double nanos) {
        List<SampledRequest> ends = all.stream()
                .sorted((a, b) -> Long.compare(a.endNanos(), b.endNanos()))
                .toList();
        long near = IntStream.range(1, ends.size())
                .filter(i -> ends.get(i).endNanos() - ends.get(i - 1).endNanos() < nanos)
                .filter(i -> ends.get(i).sharedConnection() != ends.get(i - 1).sharedConnection())
                .count();
        return (double) near / ends.size();
    }
}
