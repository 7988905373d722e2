package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A proxy that gets nothing from the server behind it. */
public final class BadGateway {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("bad-gateway"), BadGateway::judge);

    private static final Cause BAD_GATEWAY = Cause.ofStatus(502);
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.01;
    private static final int SHOWN = 80;

    private BadGateway() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests such = FailedRequests.withStatus(phase, status -> status == 502);
        long failed = IntStream.range(0, phase.names().size())
                .filter(operation -> !GivesUp.causes(phase, operation).contains(BAD_GATEWAY))
                .mapToLong(operation -> such.count(phase.operations().get(operation)))
                .sum();
        boolean beside = such.besideSuccesses();
        if (failed < LEAST
                || phase.share(failed) < LEAST_SHARE
                || phase.all().succeeded() == 0
                || !beside && !isLast(phase)) {
            return Optional.empty();
        }
        String first = phase.detail(BAD_GATEWAY);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        phase.share(failed),
                        failed,
                        phase.all().requests(),
                        beside
                                ? ", while others succeeded in the same seconds"
                                : ", and from some moment on no other succeeded",
                        first.isEmpty()
                                ? ""
                                : " (the first says: " + first.substring(0, Math.min(SHOWN, first.length())) + ")"));
    }

    /** Whether failures are such, but for one in ten. */
    public static boolean isAll(List<SampledRequest> failures) {
        long such = failures.stream().filter(of -> of.status() == 502).count();
        return such >= 0.9 * failures.size();
    }

    /** Whether nothing succeeded in the last whole second. */
    private static boolean isLast(PhaseSeries phase) {
        List<Second> steady = phase.steady();
        return !steady.isEmpty() && steady.get(steady.size() - 1).succeeded() == 0;
    }
}
