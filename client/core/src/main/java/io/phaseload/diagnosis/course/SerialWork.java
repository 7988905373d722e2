package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.ServerSeries;
import io.phaseload.verdict.Finding.About;
import java.util.List;

/** More users who get no more done, of a server that has CPU time and threads left. */
public final class SerialWork {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(
                    new Claim(
                            "serial-work",
                            About.SERVER,
                            "from {fewUsers:%d} to {manyUsers:%d} users the throughput stayed at"
                                    + " about {perSecond:%.0f} requests a second, though {server}"
                                    + " used only {cpuPercent:%.0f} % of its CPU time{threads}:"
                                    + " requests wait for each other.",
                            "Look for a lock, a single thread, one shared connection, or a small"
                                    + " pool of connections to what is behind it: a thread dump"
                                    + " under load (jcmd PID Thread.print) shows where they wait."
                                    + " 'sweep' over the users shows how much of the work is"
                                    + " serial.",
                            "Two phases that show a saturation, in the later of which each server"
                                    + " reports that its machine used less than half of its CPU"
                                    + " time, and less than 80 % of its threads were busy where"
                                    + " that is known."),
                    SerialWork::judge)
            .unlessClientLimited();

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

    private static Diagnosis diagnosis(Saturation.Pair pair) {
        ServerSeries server = pair.many().servers().get(0);
        double threads = server.mean(Figures.BUSY_THREADS_SHARE);
        return RULE.claim()
                .ofRun(
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
