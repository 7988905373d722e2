package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Kind;
import io.phaseload.verdict.Finding.About;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** More users who get no more done. */
public final class Saturation {

    /** The rule. */
    public static final DiagnosisRule RULE =
            new DiagnosisRule(
                            new Claim(
                                    "saturation",
                                    About.SERVER,
                                    "from {fewUsers:%d} to {manyUsers:%d} users the throughput went from"
                                            + " {fewPerSecond:%.0f} to {manyPerSecond:%.0f} requests a"
                                            + " second, and the median from {fewMs:%.1f} to {manyMs:%.1f}"
                                            + " ms: the target was at its limit, and more users only"
                                            + " wait.",
                                    "Find what it waits for: CPU, threads, connections to its database, a"
                                            + " lock (--server-metrics shows some). Judge response times"
                                            + " below this load; --rate keeps it.",
                                    "Of two phases whose users don't pause, of a second or more and 100"
                                            + " successes or more each, the later one has at least 1.5"
                                            + " times the users, at most 1.1 times the throughput, and at"
                                            + " least 1.3 times the median service time. Shorter phases"
                                            + " tell of a cold start."),
                            Saturation::judge)
                    .unlessClientLimited();

    private static final long LEAST_REQUESTS = 100;
    private static final Duration LEAST_WALL = Duration.ofSeconds(1);
    private static final double MORE_USERS = 1.5;
    private static final double MORE_DONE = 1.1;
    private static final double SLOWER = 1.3;

    /** Failures explain more than waiting does. */
    private static final double WEIGHT = 0.5;

    private Saturation() {}

    private static List<Diagnosis> judge(RunSeries run) {
        List<PhaseSeries> phases =
                run.phases().stream()
                        .filter(PhaseSeries::isAtOnce)
                        .filter(phase -> phase.all().succeeded() >= LEAST_REQUESTS)
                        .filter(phase -> phase.wall().compareTo(LEAST_WALL) >= 0)
                        .toList();
        List<Diagnosis> found = new ArrayList<>();
        for (int i = 1; i < phases.size(); i++) {
            PhaseSeries few = phases.get(i - 1);
            PhaseSeries many = phases.get(i);
            double fewMillis = few.millis(Kind.SERVICE, 50);
            double manyMillis = many.millis(Kind.SERVICE, 50);
            if (many.users() >= MORE_USERS * few.users()
                    && perSecond(many) <= MORE_DONE * perSecond(few)
                    && manyMillis >= SLOWER * fewMillis) {
                found.add(
                        RULE.claim()
                                .ofRun(
                                        Confidence.LIKELY,
                                        WEIGHT * (1 - fewMillis / manyMillis),
                                        few.users(),
                                        many.users(),
                                        perSecond(few),
                                        perSecond(many),
                                        fewMillis,
                                        manyMillis));
            }
        }
        return found;
    }

    private static double perSecond(PhaseSeries phase) {
        return phase.all().succeeded() * 1e9 / phase.wall().toNanos();
    }
}
