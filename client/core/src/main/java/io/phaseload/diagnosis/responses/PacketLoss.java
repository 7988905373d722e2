package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Kind;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Responses that took 200 ms longer than the others: Linux sends a lost segment again after at
 * least 200 ms (TCP_RTO_MIN), then after twice that.
 */
public final class PacketLoss {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                            new Claim(
                                    "packet-loss",
                                    About.NETWORK,
                                    "{delayed:%d} of {requests:%d} responses took 200 to 250 ms longer than"
                                            + " the median of {medianMs:%.1f} ms, and few a little less or"
                                            + " more: the time after which TCP sends a lost segment again.",
                                    "Look for loss between client and server. To make sure, see whether"
                                            + " TcpRetransSegs rises on either side: nstat -az.",
                                    "At least 5 responses, and 0.05 %, took the median and 195 to 255 ms,"
                                            + " and that is at least 4 times as many as took the median"
                                            + " and 75 to 135 ms, or 320 to 380 ms. The median is below"
                                            + " 100 ms. A service that waits 200 ms looks the same,"
                                            + " unless the client's machine sent segments again."),
                            PacketLoss::judge)
                    .unlessClientLimited();

    private static final long MILLI = 1_000_000;
    private static final int LEAST = 5;
    private static final double LEAST_SHARE = 0.000_5;
    private static final int TIMES_AS_MANY = 4;

    private PacketLoss() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Histogram service = phase.all().histogram(Kind.SERVICE);
        if (service.getTotalCount() == 0) {
            return Optional.empty();
        }
        long median = service.getValueAtPercentile(50);
        long delayed = count(service, median, 195);
        long beside = Math.max(count(service, median, 75), count(service, median, 320));
        if (median > 100 * MILLI
                || delayed < LEAST
                || phase.share(delayed) < LEAST_SHARE
                || delayed < TIMES_AS_MANY * beside) {
            return Optional.empty();
        }
        boolean sentAgain = 2 * phase.clientCount(Figures.RETRANSMITS) >= delayed;
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                sentAgain ? Confidence.LIKELY : Confidence.POSSIBLE,
                                phase.share(delayed),
                                delayed,
                                phase.all().requests(),
                                median / 1e6));
    }

    private static long count(Histogram of, long median, long fromMillis) {
        long from = median + fromMillis * MILLI;
        return from > of.getMaxValue() ? 0 : of.getCountBetweenValues(from, from + 60 * MILLI);
    }
}
