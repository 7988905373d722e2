package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import java.util.List;

/** More users who get no more done, of a server that has CPU time and threads left. */
public final class SerialWork {

    /** The rule. */
    public static final DiagnosisRule RULE =
            new DiagnosisRule(Claim.of("serial-work"), SerialWork::judge).unlessClientLimited();

    private static final double MOST_CPU_PERCENT = 50;
    private static final double MOST_THREADS_PERCENT = 80;

    private SerialWork() {}

    private static List<Diagnosis> judge(RunSeries run) {
        return Saturation.pairs(run).stream()
                .filter(pair -> !pair.many().servers().isEmpty())
                .filter(pair -> pair.many().servers().stream().allMatch(SerialWork::isIdle))
                .map(SerialWork::diagnosis)
                .toList();
    }

    private static boolean isIdle(ServerSeries server) {
        return server.mean(Figures.MACHINE_CPU) < MOST_CPU_PERCENT
                && !(server.mean(Figures.BUSY_THREADS_SHARE) >= MOST_THREADS_PERCENT);
    }

    private static Diagnosis diagnosis(Saturation.PhasePair pair) {
        ServerSeries server = pair.many().servers().get(0);
        double threads = server.mean(Figures.BUSY_THREADS_SHARE);
        return RULE.claim()
                .ofRun(
                        pair.many().words(),
                        Confidence.LIKELY,
                        pair.waiting(),
                        pair.few().users(),
                        pair.many().users(),
                        pair.manyPerSecond(),
                        server.inWords(),
                        server.mean(Figures.MACHINE_CPU),
                        Double.isFinite(threads) ? " and %.0f %% of its threads".formatted(threads) : "");
    }
}
