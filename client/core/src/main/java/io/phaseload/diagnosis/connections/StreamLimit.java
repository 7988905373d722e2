package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.UnderWay;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** HTTP/2 requests that aren't sent before others over their connection have ended. */
public final class StreamLimit {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("stream-limit"), StreamLimit::judge);

    private static final int LEAST = 20;
    private static final double LEAST_SHARE = 0.1;
    private static final double LEAST_NANOS = 1e6;
    private static final double MOST = 0.9;

    private StreamLimit() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        if (!phase.hasAll()) {
            return Optional.empty();
        }
        Collection<List<SampledRequest>> connections = phase.requests()
                .filter(of -> of.connection().sharedNumber() >= 0)
                .collect(Collectors.groupingBy(of -> of.connection().sharedNumber()))
                .values();
        long most = 0;
        long waiting = 0;
        long atLimit = 0;
        long users = 0;
        double late = 0;
        double service = 0;
        for (List<SampledRequest> connection : connections) {
            UnderWay underWay = UnderWay.of(connection);
            List<SampledRequest> waited = connection.stream()
                    .filter(of -> of.lateNanos() >= LEAST_NANOS)
                    .toList();
            // The server may allow fewer in the middle of the run.
            long[] counts = waited.stream().mapToLong(underWay::count).sorted().toArray();
            long limit = counts.length == 0 ? 0 : counts[counts.length / 2];
            most = Math.max(most, limit + 1);
            waiting += waited.size();
            atLimit += waited.stream()
                    .filter(of -> underWay.count(of) == limit)
                    .filter(of -> underWay.anyEnded(of.sentNanos() - of.lateNanos(), of.sentNanos()))
                    .count();
            users = Math.max(
                    users,
                    connection.stream()
                            .mapToInt(SampledRequest::user)
                            .distinct()
                            .count());
            late += waited.stream().mapToLong(SampledRequest::lateNanos).sum();
            service +=
                    connection.stream().mapToLong(SampledRequest::serviceNanos).sum();
        }
        return waiting < LEAST || phase.share(waiting) < LEAST_SHARE || atLimit < MOST * waiting || most >= users
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                late / (late + service),
                                waiting,
                                phase.all().requests(),
                                late / waiting / 1e6,
                                most,
                                users));
    }
}
