package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Handshakes that take a fixed time, which is longer than responses do. A handshake is one round trip, and so is the
 * fastest response, so distance doesn't explain it.
 */
public final class SlowConnects {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "slow-connects",
                            About.NETWORK,
                            "{slow:%d} of {connects:%d} TCP handshakes took about {slowMs:%.0f} ms,"
                                    + " though the fastest responses came within {responseMs:%.1f} ms:"
                                    + " these connections wait for the same time before they are"
                                    + " made.",
                            "Look for an address that doesn't answer and is tried first (a dead"
                                    + " instance in DNS, IPv6 without a route): getent ahosts HOST lists"
                                    + " them, and curl -v --resolve tries one. Otherwise a firewall or a"
                                    + " proxy on the way delays new connections.",
                            "At least 5 handshakes, and 20 % of all, took at least 50 ms more than 4"
                                    + " times the time in which 1 % of the responses began, which is at"
                                    + " least a round trip; 80 % of these are within a fifth of each"
                                    + " other; and 'accept-queue' doesn't explain them. Below 250 ms, the same holds without"
                                    + " a phase's first second, in which the client starts."),
                    SlowConnects::judge)
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
