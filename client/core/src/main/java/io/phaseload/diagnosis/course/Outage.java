package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.verdict.Finding.About;
import java.util.List;
import java.util.Optional;

/** Seconds without a success, between seconds that have many. */
public final class Outage {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                            new Claim(
                                    "outage",
                                    About.SERVER,
                                    "from {fromSeconds:%.1f} to {toSeconds:%.1f} s into the run no request"
                                            + " succeeded, {failed:%d} failed, and before and after they"
                                            + " did succeed: the server was down, restarted or stopped"
                                            + " answering.",
                                    "Read the server's log and its garbage collector's log of that time.",
                                    "One second or more without a success, in a phase whose seconds have 10"
                                            + " successes or more in the median, with successes before and"
                                            + " after."),
                            Outage::judge)
                    .unlessClientLimited();

    private static final long LEAST_MEDIAN = 10;

    private Outage() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Second> steady = phase.steady();
        if (phase.median(Second::succeeded) < LEAST_MEDIAN) {
            return Optional.empty();
        }
        int from = 0;
        int to = 0;
        for (int i = 0; i < steady.size(); i++) {
            int end = i;
            while (end < steady.size() && steady.get(end).succeeded() == 0) {
                end++;
            }
            boolean between = i > 0 && end < steady.size();
            if (between && end - i > to - from) {
                from = i;
                to = end;
            }
            i = Math.max(i, end - 1);
        }
        if (to == from) {
            return Optional.empty();
        }
        List<Second> without = steady.subList(from, to);
        double start = without.get(0).startSeconds();
        double end = without.get(without.size() - 1).endSeconds();
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                Confidence.CERTAIN,
                                (end - start) * 1e9 / phase.wall().toNanos(),
                                start,
                                end,
                                without.stream().mapToLong(Second::failed).sum()));
    }
}
