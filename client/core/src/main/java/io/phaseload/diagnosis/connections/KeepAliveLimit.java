package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Kind;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** A server that closes each connection after some requests. */
public final class KeepAliveLimit {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                            new Claim(
                                    "keep-alive-limit",
                                    About.SERVER,
                                    "the server closed connections after about {requestsPerConnection:%.0f}"
                                            + " requests: {connects:%d} connections were made for"
                                            + " {users:%d} users. Making them took {setUpPercent:%.0f} % of"
                                            + " the users' time.",
                                    "Let the server keep connections for more requests"
                                            + " (maxKeepAliveRequests, keepalive_requests), unless your"
                                            + " callers come over new connections, too. To make sure, look"
                                            + " for 'Connection: close' in a response.",
                                    "More than 2 connections per user, and at least one per 200 requests, were"
                                            + " made, and at most 1 % of the requests failed, so that"
                                            + " failures don't explain it. No request asks for it"
                                            + " ('Connection: close')."),
                            KeepAliveLimit::judge)
                    .unless(RunSeries::asksToClose);

    private static final double MOST_REQUESTS = 200;
    private static final double MAX_FAILED = 0.01;

    private KeepAliveLimit() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long connects = phase.all().count(Kind.SET_UP);
        double requests = (double) phase.all().requests() / Math.max(1, connects);
        if (connects <= 2L * phase.users()
                || requests > MOST_REQUESTS
                || phase.share(phase.all().failed()) > MAX_FAILED) {
            return Optional.empty();
        }
        double time = phase.shareOfTime(phase.sum(Kind.SET_UP));
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                Confidence.CERTAIN,
                                time,
                                requests,
                                connects,
                                phase.users(),
                                time * 100));
    }
}
