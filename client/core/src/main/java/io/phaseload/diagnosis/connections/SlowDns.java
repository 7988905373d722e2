package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Names that take long to look up. */
public final class SlowDns {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(Claim.of("slow-dns"), SlowDns::judge)
            .unlessClientLimited()
            .unless(run -> !run.named());

    private static final double LEAST_SHARE = 0.10;
    private static final double LEAST_SLOW = 0.20;
    private static final long SLOW = 20_000_000L;

    /** Where answers are kept, users wait for the first one alone; a JVM's start doesn't take as long. */
    private static final long VERY_SLOW = 250_000_000L;

    private SlowDns() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Histogram lookUps = phase.all().histogram(Timing.DNS);
        long count = lookUps.getTotalCount();
        long slow = slower(lookUps, SLOW);
        double share = phase.shareOfTime(phase.sum(Timing.DNS));
        boolean seldom = slow < LEAST_SLOW * count && slower(lookUps, VERY_SLOW) < 2;
        return share < LEAST_SHARE || slow == 0 || seldom
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(phase, Confidence.CERTAIN, share, slow, count, phase.millis(Timing.DNS, 100), share * 100));
    }

    private static long slower(Histogram times, long nanos) {
        return times.getMaxValue() < nanos ? 0 : times.getCountBetweenValues(nanos, times.getMaxValue());
    }
}
