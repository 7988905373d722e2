package io.phaseload.diagnosis.servers;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** A heap of which collections free less and less. */
public final class HeapGrowth {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("heap-growth"), HeapGrowth::judge);

    private static final int LEAST_SECONDS = 15;
    private static final double COLLECTED = 0.9;

    /** Memory that survives until an older generation is collected grows a little in any program. */
    private static final double LEAST_GROWTH = 1.5;

    private static final double LEAST_MIB = 16;

    /** It says what will fail, not what has. */
    private static final double WEIGHT = 0.5;

    private HeapGrowth() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.isConstant()
                ? phase.servers().stream()
                        .map(server -> judge(phase, server))
                        .flatMap(Optional::stream)
                        .max(Comparator.comparingDouble(Diagnosis::impact))
                : Optional.empty();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, ServerSeries server) {
        double[] heap = server.values(Figures.HEAP);
        if (heap.length < LEAST_SECONDS) {
            return Optional.empty();
        }
        int third = heap.length / 3;
        double[] lowest = new double[3];
        for (int i = 0; i < 3; i++) {
            double[] part = Arrays.copyOfRange(heap, i * third, (i + 1) * third);
            if (!wasCollected(part)) {
                return Optional.empty();
            }
            lowest[i] = Arrays.stream(part).min().orElse(0);
        }
        boolean grows = lowest[0] < lowest[1]
                && lowest[1] < lowest[2]
                && lowest[2] >= LEAST_GROWTH * lowest[0]
                && lowest[2] >= lowest[0] + LEAST_MIB;
        return grows
                ? Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                WEIGHT * (1 - lowest[0] / lowest[2]),
                                server.inWords(),
                                lowest[0],
                                lowest[1],
                                lowest[2]))
                : Optional.empty();
    }

    private static boolean wasCollected(double[] heap) {
        for (int i = 1; i < heap.length; i++) {
            if (heap[i] <= COLLECTED * heap[i - 1]) {
                return true;
            }
        }
        return false;
    }
}
