package io.phaseload.diagnosis.servers;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import java.util.Comparator;
import java.util.Optional;

/**
 * Requests that wait in a server's or a proxy's own queue. A queue that is longer than what the client has under way
 * isn't its own: the seconds at which the server was asked met a moment, or other clients use it.
 */
public final class ServerQueue {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("proxy-queue"), ServerQueue::judge).unlessClientLimited();

    private static final int LEAST_SECONDS = 3;
    private static final int CERTAIN_SECONDS = 5;
    private static final double MOST_OF = 0.6;
    private static final double LEAST_QUEUED = 1;
    private static final double LEAST_SHARE = 0.1;

    private ServerQueue() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.servers().stream()
                .map(server -> judge(phase, server))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, ServerSeries server) {
        int seconds = server.values(Figures.QUEUED).length;
        long waiting = server.count(second -> server.value(second, Figures.QUEUED) > 0);
        double queued = server.mean(Figures.QUEUED);
        double inFlight = phase.inFlight();
        if (seconds < LEAST_SECONDS
                || waiting < MOST_OF * seconds
                || queued < LEAST_QUEUED
                || queued < LEAST_SHARE * inFlight
                || queued > inFlight) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        seconds >= CERTAIN_SECONDS ? Confidence.CERTAIN : Confidence.LIKELY,
                        queued / inFlight,
                        queued,
                        inFlight,
                        server.inWords(),
                        waiting,
                        (long) seconds));
    }
}
