package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Handshakes that take very different times. No program takes part in one: both kernels answer at once, so what varies
 * is the way between them.
 */
public final class Jitter {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("jitter"), Jitter::judge).unlessClientLimited();

    private static final int LEAST = 50;
    private static final int LEAST_PER_USER = 4;
    private static final double FACTOR = 2;

    /** Of handshakes that take any time of a range alike, as those do that wait for an interval to end. */
    private static final double LEAST_RANGE_NANOS = 3e7;

    private static final double LEAST_MIDDLE = 0.2;
    private static final double ALIKE = 0.5;

    /** Schedulers and interrupts of a machine that isn't overloaded take less. */
    private static final double LEAST_MILLIS = 10;

    private static final double SYN_SENT_AGAIN = 900;

    private Jitter() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Histogram tcp = phase.all().histogram(Timing.TCP);
        long connects = tcp.getTotalCount();
        double median = phase.millis(Timing.TCP, 50);
        double p90 = phase.millis(Timing.TCP, 90);
        if (connects < LEAST
                || connects < (long) LEAST_PER_USER * phase.users()
                || !isFar(median, p90) && !isEven(tcp)
                || p90 >= SYN_SENT_AGAIN
                || isStart(phase)
                || SlowConnects.explains(phase)) {
            return Optional.empty();
        }
        // Each handshake and each exchange is a way there and back.
        double excess = tcp.getMean() - tcp.getValueAtPercentile(10);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        spread(phase, Timing.FIRST_BYTE) >= ALIKE * spread(phase, Timing.TCP)
                                ? Confidence.LIKELY
                                : Confidence.POSSIBLE,
                        phase.shareOfTime(excess * (connects + phase.all().requests())),
                        connects,
                        p90,
                        median));
    }

    private static boolean isFar(double median, double p90) {
        return p90 >= FACTOR * median && p90 >= median + LEAST_MILLIS;
    }

    /** Whether they take all times of a wide range; two ways of different lengths leave its middle empty. */
    private static boolean isEven(Histogram tcp) {
        long low = tcp.getValueAtPercentile(10);
        long range = tcp.getValueAtPercentile(90) - low;
        return range >= Math.max(LEAST_RANGE_NANOS, FACTOR * low)
                && tcp.getCountBetweenValues(low + range / 3, low + 2 * range / 3)
                        >= LEAST_MIDDLE * tcp.getTotalCount();
    }

    private static double spread(PhaseSeries phase, Timing timing) {
        return phase.millis(timing, 90) - phase.millis(timing, 50);
    }

    /** Whether handshakes hardly vary after the phase's first second. */
    private static boolean isStart(PhaseSeries phase) {
        long[] later = phase.laterHandshakes();
        return !phase.facts().isEmpty()
                && (later.length < LEAST / 2
                        || later[9 * later.length / 10] < later[later.length / 2] + LEAST_MILLIS * 1e6);
    }
}
