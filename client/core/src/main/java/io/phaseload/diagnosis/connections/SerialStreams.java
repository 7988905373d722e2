package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Line;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** HTTP/2 streams that wait for the others of their connection. */
public final class SerialStreams {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("serial-streams"), SerialStreams::judge)
            .unlessClientLimited();

    /** The share of ends so near to another connection's that one line for all doesn't explain it. */
    private static final double AT_ONCE = 0.05;

    private SerialStreams() {}

    /** Whether a phase's requests may wait for those of their own connection alone. */
    public static boolean mayExplain(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Map<Integer, List<SampledRequest>> connections = phase.facts().stream()
                .filter(operation -> operation.share() == 1)
                .flatMap(operation -> operation.requests().stream())
                .filter(of -> of.connection().sharedNumber() >= 0)
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .collect(Collectors.groupingBy(of -> of.connection().sharedNumber()));
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
                                ? phase.words().text(", or on one [request] of all: more connections would show it")
                                : ", and on %d connections at the same time".formatted(connections.size())));
    }

    /** The share of ends that another connection's follows within some time. */
    private static double atOnce(List<SampledRequest> all, double nanos) {
        List<SampledRequest> ends = all.stream()
                .sorted((a, b) -> Long.compare(a.endNanos(), b.endNanos()))
                .toList();
        long near = IntStream.range(1, ends.size())
                .filter(i -> ends.get(i).endNanos() - ends.get(i - 1).endNanos() < nanos)
                .filter(i -> ends.get(i).connection().sharedNumber()
                        != ends.get(i - 1).connection().sharedNumber())
                .count();
        return (double) near / ends.size();
    }
}
