package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Responses that took 200 ms longer than the others: Linux sends a lost segment again after at least 200 ms
 * (TCP_RTO_MIN), then after twice that.
 */
public final class PacketLoss {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("packet-loss"), PacketLoss::judge).unlessClientLimited();

    private static final long MILLI = 1_000_000;
    private static final int LEAST = 5;
    private static final double LEAST_SHARE = 0.000_5;
    private static final double MOST_SHARE = 0.30;
    private static final int TIMES_AS_MANY = 4;

    private PacketLoss() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return IntStream.range(0, phase.operations().size())
                .mapToObj(i -> judge(phase, i))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, int operation) {
        Histogram service = phase.operations().get(operation).histogram(Timing.SERVICE);
        long all = service.getTotalCount();
        if (all == 0) {
            return Optional.empty();
        }
        long median = service.getValueAtPercentile(50);
        long delayed = count(service, median, 195);
        long beside = Math.max(count(service, median, 75), count(service, median, 320));
        long resent = resent(phase);
        if (median > 100 * MILLI
                || delayed < LEAST
                || delayed < LEAST_SHARE * all
                || delayed > MOST_SHARE * all
                || delayed < TIMES_AS_MANY * beside
                || 2 * resent < delayed
                || phase.facts(operation).stream().anyMatch(PacketLoss::isBunched)) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        phase.shareOfTime(delayed * (200.0 * MILLI)),
                        delayed,
                        all,
                        phase.names().get(operation),
                        median / 1e6,
                        resent));
    }

    private static boolean isBunched(Facts facts) {
        return facts.slow().byTime().explains(0.3);
    }

    /** By the client's machine, or by the server that sent most. */
    private static long resent(PhaseSeries phase) {
        double servers = phase.servers().stream()
                .mapToDouble(
                        of -> DoubleStream.of(of.values(Figures.RETRANSMITS)).sum())
                .max()
                .orElse(0);
        return Math.max(phase.clientCount(Figures.RETRANSMITS), Math.round(servers));
    }

    private static long count(Histogram of, long median, long fromMillis) {
        long from = median + fromMillis * MILLI;
        return from > of.getMaxValue() ? 0 : of.getCountBetweenValues(from, from + 60 * MILLI);
    }
}
