package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.SharedRate;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;

/** Bytes that arrive at a flat rate, and responses that take long after their first byte. */
public final class Bandwidth {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("bandwidth"), Bandwidth::judge).unlessClientLimited();

    private static final double MAX_VARIATION = 0.10;
    private static final double LEAST_TRANSFER = 0.60;
    private static final double LEAST_BYTES = 10_000;
    private static final double LARGE_BYTES = 100_000;
    private static final int LEAST_SECONDS = 3;

    /** A tenth of a link goes into frames' gaps and headers. */
    private static final double FULL_PERCENT = 90;

    private Bandwidth() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Second> steady = phase.steady();
        double service = phase.sum(Timing.SERVICE);
        double transfer = service == 0 ? 0 : phase.sum(Timing.TRANSFER) / service;
        double bytes = (double) phase.all().counters().bytesReceived()
                / Math.max(1, phase.all().responses());
        if (steady.size() < LEAST_SECONDS
                || phase.all().count(StreamTimings.FIRST_EVENT) > 0
                || transfer < LEAST_TRANSFER
                || bytes < LEAST_BYTES) {
            return Optional.empty();
        }
        double[] arrivals = SharedRate.arrivals(phase);
        Steadiness rate = arrivals.length < LEAST_SECONDS
                ? Steadiness.of(steady, second -> second.perSecond(second.bytes()))
                : Steadiness.of(arrivals);
        double link = Steadiness.of(steady, second -> second.client().getOrDefault(Figures.LINK, 0.0))
                .mean();
        boolean full = link >= FULL_PERCENT;
        boolean proven = full || SharedRate.isSeen(phase, SampledRequest::bytes);
        return rate.variation() > MAX_VARIATION || !proven && (!phase.isAtOnce() || bytes < LARGE_BYTES)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                proven ? Confidence.LIKELY : Confidence.POSSIBLE,
                                transfer,
                                rate.mean() * 8 / 1e6,
                                transfer * 100,
                                full
                                        ? ", that of this machine's own link, which was %.0f %% full".formatted(link)
                                        : ""));
    }
}
