package io.phaseload.diagnosis.servers;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One of several servers that takes longer than the others. */
public final class SlowInstance {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("slow-instance"), SlowInstance::judge)
            .unlessClientLimited();

    private static final int LEAST_SECONDS = 5;
    private static final double FACTOR = 2;
    private static final double LEAST_MILLIS = 5;

    /** Once a second, what is under way is counted: with fewer, chance decides. */
    private static final double LEAST_IN_FLIGHT = 1;

    private SlowInstance() {}

    private record Instance(ServerSeries server, double millis) {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Instance> fastest = phase.servers().stream()
                .filter(server -> server.seconds().size() >= LEAST_SECONDS)
                .map(server -> new Instance(server, millis(server)))
                .filter(instance -> Double.isFinite(instance.millis()))
                .sorted(Comparator.comparingDouble(Instance::millis))
                .toList();
        if (fastest.size() < 2) {
            return Optional.empty();
        }
        int others = fastest.size() - 1;
        Instance slow = fastest.get(others);
        double median = fastest.get((others - 1) / 2).millis();
        if (slow.millis() < FACTOR * median || slow.millis() < median + LEAST_MILLIS || !isMeasured(slow.server())) {
            return Optional.empty();
        }
        double all = fastest.stream()
                .mapToDouble(each -> each.server().mean(Figures.REQUESTS))
                .sum();
        double share = slow.server().mean(Figures.REQUESTS) / all;
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        Double.isFinite(share) ? share : 1.0 / fastest.size(),
                        slow.server().name(),
                        slow.millis(),
                        median,
                        fastest.size()));
    }

    private static double millis(ServerSeries server) {
        double told = server.mean(Figures.SERVICE);
        return Double.isFinite(told) ? told : 1e3 * server.mean(Figures.IN_FLIGHT) / server.mean(Figures.REQUESTS);
    }

    private static boolean isMeasured(ServerSeries server) {
        return server.values(Figures.SERVICE).length > 0 || server.mean(Figures.IN_FLIGHT) >= LEAST_IN_FLIGHT;
    }
}
