package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Handshakes that take a fixed time, which is longer than responses do. A handshake is one round trip, and so is the
 * fastest response, so distance doesn't explain it.
 */
public final class SlowConnects {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(
                    Claim.of("slow-connects"), (run, phase) -> judge(phase).filter(any -> !isStartOf(run, phase)))
            .unlessClientLimited();

    private static final int LEAST = 5;
    private static final double LEAST_SHARE = 0.2;
    private static final double ROUND_TRIPS = 4;
    private static final double LEAST_NANOS = 50e6;
    private static final double WIDTH = 1.2;

    /** A client's own start takes less, in nanoseconds. */
    private static final double MOST_OF_START = 250e6;

    private SlowConnects() {}

    /** Whether a phase's slow handshakes are such. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    /**
     * Whether only the first phase's handshakes took that long, as those do that a cold client's loops read late. Later
     * ones take their usual time, and an address that doesn't answer delays these as well.
     */
    private static boolean isStartOf(RunSeries run, PhaseSeries phase) {
        List<PhaseSeries> phases = run.phases();
        return phase == phases.get(0)
                && phases.stream()
                        .skip(1)
                        .filter(later -> later.all().count(Timing.TCP) >= LEAST)
                        .findFirst()
                        .filter(later -> judge(later).isEmpty())
                        .isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Histogram tcp = phase.all().histogram(Timing.TCP);
        long connects = tcp.getTotalCount();
        if (connects < LEAST || phase.all().count(Timing.FIRST_BYTE) == 0 || SynRetransmits.explains(phase)) {
            return Optional.empty();
        }
        double roundTrip = phase.all().histogram(Timing.FIRST_BYTE).getValueAtPercentile(1);
        long from = (long) (ROUND_TRIPS * roundTrip + LEAST_NANOS);
        long most = tcp.getMaxValue();
        long slow = most < from ? 0 : tcp.getCountBetweenValues(from, most);
        double share = (double) slow / connects;
        double low = tcp.getValueAtPercentile(100 * (1 - 0.9 * share));
        double middle = tcp.getValueAtPercentile(100 * (1 - 0.5 * share));
        double high = tcp.getValueAtPercentile(100 * (1 - 0.1 * share));
        return slow < LEAST || share < LEAST_SHARE || high > WIDTH * low || isStart(phase, from, middle)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                phase.shareOfTime(slow * (middle - roundTrip)),
                                slow,
                                connects,
                                middle / 1e6,
                                roundTrip / 1e6));
    }

    /** Whether only a cold client, or one that connects for all users at once, took that long. */
    private static boolean isStart(PhaseSeries phase, long from, double middle) {
        long[] later = phase.laterHandshakes();
        long slow = LongStream.of(later).filter(nanos -> nanos >= from).count();
        return !phase.facts().isEmpty()
                && middle < MOST_OF_START
                && (slow < LEAST || slow < LEAST_SHARE * later.length);
    }
}
