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

/** A server whose threads are all busy while requests wait for one. */
public final class ServerThreads {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("server-threads"), ServerThreads::judge)
            .unlessClientLimited();

    private static final double ALL_PERCENT = 95;
    private static final double MOST_CPU_PERCENT = 80;
    private static final double MORE_THAN_THREADS = 1.2;
    private static final int LEAST_SECONDS = 3;
    private static final double MOST_OF = 0.6;

    private ServerThreads() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.servers().stream()
                .map(server -> judge(phase, server))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, ServerSeries server) {
        long busy = server.count(second -> server.value(second, Figures.BUSY_THREADS_SHARE) >= ALL_PERCENT);
        int seconds = server.values(Figures.BUSY_THREADS_SHARE).length;
        double threads = server.mean(Figures.MAX_THREADS);
        double cpu = server.mean(Figures.MACHINE_CPU);
        // Several servers share what is under way.
        double inFlight = phase.inFlight() / phase.servers().size();
        if (seconds < LEAST_SECONDS
                || busy < MOST_OF * seconds
                || cpu > MOST_CPU_PERCENT
                || inFlight < MORE_THAN_THREADS * threads) {
            return Optional.empty();
        }
        boolean known = Double.isFinite(cpu);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        known ? Confidence.CERTAIN : Confidence.LIKELY,
                        1 - threads / inFlight,
                        threads,
                        server.inWords(),
                        busy,
                        seconds,
                        inFlight,
                        known ? "its machine used %.0f %% of its CPU time".formatted(cpu) : "its CPU isn't known"));
    }
}
