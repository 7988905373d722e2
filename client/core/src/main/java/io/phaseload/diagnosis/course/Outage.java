package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** A time without a success, though requests were due or open in it, between many successes. */
public final class Outage {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "outage",
                            About.SERVER,
                            "from {fromSeconds:%.1f} to {toSeconds:%.1f} s into the run no request"
                                    + " succeeded, {failed:%d} failed, and before and after they"
                                    + " did succeed: the server was down, restarted or stopped"
                                    + " answering.",
                            "Read the server's log and its garbage collector's log of that time.",
                            "For 0.9 s or more, and 3 times as long as 99 % of the times between"
                                    + " successes (90 % of fewer than 200), nothing succeeded:"
                                    + " either at least 5 requests failed, and so many in a row"
                                    + " have a chance of less than 1 in 10,000, if requests fail"
                                    + " as often as in the rest of the phase; or at least 2"
                                    + " requests were open for 80 % of it and took at least 3 times"
                                    + " as long as three of four of their operation. In the first case it is certain,"
                                    + " in the second likely."),
                    Outage::judge)
            .unlessClientLimited();

    private Outage() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return Silence.longest(phase).map(silence -> diagnosis(phase, silence));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Silence silence) {
        double start = phase.startSeconds();
        long nanos = silence.toNanos() - silence.fromNanos();
        return RULE.claim()
                .in(
                        phase,
                        silence.failed() > 0 ? Confidence.CERTAIN : Confidence.LIKELY,
                        (double) nanos / phase.wall().toNanos(),
                        start + silence.fromNanos() / 1e9,
                        start + silence.toNanos() / 1e9,
                        silence.failed());
    }
}
