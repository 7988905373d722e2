package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.plan.Load;
import io.phaseload.schedule.RampArrivals;
import java.util.List;
import java.util.Optional;

/** A rate that rises, and responses that follow it up to some point. */
public final class RampKnee {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("ramp-knee"), RampKnee::judge).unlessClientLimited();

    private static final double FOLLOWS = 0.9;
    private static final int LEAST_SECONDS = 3;
    private static final double SLOWER = 1.2;
    private static final double FAR_SLOWER = 3;

    private RampKnee() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Second> steady = phase.steady();
        if (steady.isEmpty()
                || !(phase.load() instanceof Load.Open open)
                || !(open.schedule() instanceof RampArrivals ramp)
                || ramp.to().perSecond() <= ramp.from().perSecond()) {
            return Optional.empty();
        }
        // Responses come later than the rate asks for them, even if nothing waits.
        double begin = phase.startSeconds()
                + steady.stream().mapToLong(Second::medianNanos).min().orElse(0) / 1e9;
        int knee = steady.size();
        while (knee > 0 && !follows(steady.get(knee - 1), ramp, begin)) {
            knee--;
        }
        if (knee == 0 && waitLonger(steady)) {
            knee = 1;
        }
        if (knee == 0 || steady.size() - knee < LEAST_SECONDS) {
            return Optional.empty();
        }
        Second last = steady.get(knee - 1);
        long late = steady.subList(knee, steady.size()).stream()
                .mapToLong(Second::requests)
                .sum();
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        medianNanos(steady.subList(knee, steady.size()))
                                        >= SLOWER * medianNanos(steady.subList(0, knee))
                                ? Confidence.LIKELY
                                : Confidence.POSSIBLE,
                        phase.share(late),
                        last.perSecond(last.answered()),
                        last.endSeconds(),
                        phase.users()));
    }

    /** Whether requests of the second half take far longer than those of the first second, so that they wait. */
    private static boolean waitLonger(List<Second> steady) {
        return medianNanos(steady.subList(steady.size() / 2, steady.size()))
                >= FAR_SLOWER * medianNanos(steady.subList(0, 1));
    }

    private static double medianNanos(List<Second> seconds) {
        return Steadiness.of(seconds, Second::medianNanos).mean();
    }

    private static boolean follows(Second second, RampArrivals ramp, double begin) {
        double middle = (second.startSeconds() + second.endSeconds()) / 2 - begin;
        double share = middle * 1e9 / ramp.length().toNanos();
        double due =
                ramp.from().perSecond() + (ramp.to().perSecond() - ramp.from().perSecond()) * share;
        return second.perSecond(second.answered()) >= FOLLOWS * due;
    }
}
