package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Responses that are slow because they are the first over their connection. */
public final class FreshConnections {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "slow-first-request",
                            About.SERVER,
                            "the first response over a connection took {newMs:%.1f} ms in the"
                                    + " median, later ones {laterMs:%.1f} ms: {requests:%d} of the"
                                    + " sampled requests of '{operation}' were the first.",
                            "Look at what the server does for each new connection: a process or"
                                    + " thread that it starts, a log-in, a look-up of the client's"
                                    + " name. Keep connections open for longer.",
                            "At least 20 sampled requests went over new connections, after the"
                                    + " phase's first second; their median service time, without"
                                    + " connecting, is at least 3 times that of the others, and 5 ms"
                                    + " more. That a connection is new explains at least 20 % of"
                                    + " which responses are slow."),
                    FreshConnections::judge)
            .unlessClientLimited();

    private static final int LEAST = 20;
    private static final double FACTOR = 3;
    private static final double LEAST_NANOS = 5e6;
    private static final long START_NANOS = 1_000_000_000;

    private FreshConnections() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.facts().stream()
                .map(facts -> judge(phase, facts))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, Facts facts) {
        List<SampledRequest> successes = facts.requests().stream()
                .filter(of -> !of.failed() && !of.stalled())
                .filter(of -> of.sentNanos() > START_NANOS)
                .toList();
        List<SampledRequest> fresh =
                successes.stream().filter(SampledRequest::isNew).toList();
        List<SampledRequest> later =
                successes.stream().filter(of -> !of.isNew()).toList();
        double slow = Facts.medianNanos(fresh);
        double fast = Facts.medianNanos(later);
        if (fresh.size() < LEAST
                || later.size() < LEAST
                || slow < FACTOR * fast
                || slow < fast + LEAST_NANOS
                || !facts.slow().byNew().explains(0.2)) {
            return Optional.empty();
        }
        double share = fresh.size() / (double) successes.size();
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        share * (slow - fast) / (share * slow + (1 - share) * fast),
                        slow / 1e6,
                        fast / 1e6,
                        (long) fresh.size(),
                        facts.name()));
    }
}
