package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Tally;
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

    /** Of the segments that responses have: a full queue drops fewer. */
    private static final double HEAVY = 0.05;

    private static final double BY_TIME = 0.3;

    /** Loss doesn't depend on the connection's age. A full accept queue delays only some of the new ones. */
    private static final double BY_NEW = 0.1;

    private static final int LEAST_RESENT = 20;
    private static final double LEAST_SLOW = 0.05;
    private static final double LEAST_TRANSFER = 0.6;
    private static final double SEGMENT = 1448;

    private PacketLoss() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return IntStream.range(0, phase.operations().size())
                .mapToObj(i -> judge(phase, i))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact))
                .or(() -> IntStream.range(0, phase.operations().size())
                        .boxed()
                        .max(Comparator.comparingDouble(i -> phase.only(i).sum(Timing.TRANSFER)))
                        .flatMap(i -> heavy(phase, i)));
    }

    /** Looks for so much loss that most responses wait, more than once, between their first byte and their last. */
    private static Optional<Diagnosis> heavy(PhaseSeries phase, int operation) {
        Tally of = phase.operations().get(operation);
        Histogram service = of.histogram(Timing.SERVICE);
        long fast = of.histogram(Timing.FIRST_BYTE).getValueAtPercentile(10);
        long from = fast + 195 * MILLI;
        long all = service.getTotalCount();
        long slow = from > service.getMaxValue() ? 0 : service.getCountBetweenValues(from, service.getMaxValue());
        long resent = resent(phase);
        double segments = phase.all().responses() + phase.all().counters().bytesReceived() / SEGMENT;
        double transfer = phase.only(operation).sum(Timing.TRANSFER);
        return slow < LEAST
                        || slow < LEAST_SLOW * all
                        || resent < LEAST_RESENT
                        || resent - phase.all().count(Timing.SET_UP) < HEAVY * segments
                        || transfer < LEAST_TRANSFER * phase.only(operation).sum(Timing.SERVICE)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                phase.shareOfTime(transfer),
                                slow,
                                all,
                                phase.names().get(operation),
                                "0.2 s or more longer than the fastest first bytes",
                                fast / 1e6,
                                ", most of it after their own first byte",
                                resent,
                                ", %.0f %% of those that responses had".formatted(100 * resent / segments)));
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
                || phase.facts(operation).stream().anyMatch(PacketLoss::isOfElse)) {
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
                        "200 to 250 ms longer than the median",
                        median / 1e6,
                        ", and few a little less or more",
                        resent,
                        ""));
    }

    /** Whether they come at some times, or over new connections, as those that an accept queue has no room for. */
    private static boolean isOfElse(Facts facts) {
        return facts.slow().byTime().explains(BY_TIME) || facts.slow().byNew().explains(BY_NEW);
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
