package io.phaseload.diagnosis.servers;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** A server that has no CPU time left. */
public final class ServerCpu {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("server-cpu"), ServerCpu::judge).unlessClientLimited();

    /** Less is left than interrupts and the system's own work need. */
    private static final double BUSY_PERCENT = 90;

    /** A period of a control group's limit is 100 ms: one in ten ends early. */
    private static final double THROTTLED_MILLIS = 100;

    private static final int LEAST_SECONDS = 3;
    private static final double MOST_OF = 0.6;

    private ServerCpu() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.servers().stream()
                .map(server -> judge(phase, server))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, ServerSeries server) {
        long throttled = server.count(second -> isThrottled(server, second));
        long busy = server.count(second -> isThrottled(server, second) || usesAll(server, second));
        int seconds = server.seconds().size();
        if (seconds < LEAST_SECONDS || busy < MOST_OF * seconds) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        2 * throttled > busy || Double.isFinite(server.mean(Figures.CPU))
                                ? Confidence.CERTAIN
                                : Confidence.LIKELY,
                        (double) busy / seconds,
                        server.inWords(),
                        busy,
                        seconds,
                        2 * throttled > busy
                                ? "its control group's CPU limit kept it waiting for %.0f ms a second"
                                        .formatted(server.mean(Figures.THROTTLED))
                                : "its machine used %.0f %% of all cores".formatted(server.mean(Figures.MACHINE_CPU))));
    }

    private static boolean isThrottled(ServerSeries server, Map<String, Double> second) {
        return server.value(second, Figures.THROTTLED) >= THROTTLED_MILLIS;
    }

    private static boolean usesAll(ServerSeries server, Map<String, Double> second) {
        double machine = server.value(second, Figures.MACHINE_CPU);
        double own = server.value(second, Figures.CPU);
        return machine >= BUSY_PERCENT && !(own < machine / 2);
    }
}
