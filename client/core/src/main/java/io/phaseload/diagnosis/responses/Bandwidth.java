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

    /** Of TCP without window scaling (RFC 7323), and of a stream of HTTP/2 at first (RFC 9113 §6.9.2), in bytes. */
    private static final double WINDOW = 65_535;

    private static final double LEAST_WINDOWS = 3;
    private static final double LEAST_TRIP = 1e7;
    private static final double ERROR = 0.07;
    private static final int LEAST = 20;
    private static final double MOST = 0.8;

    /** After a longer pause TCP starts slowly again (RFC 5681 §4.1), in nanoseconds. */
    private static final double LONG_IDLE = 2e8;

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
        if (fillsWindow(phase)) {
            double trip = tripNanos(phase);
            return Optional.of(RULE.claim()
                    .in(
                            phase,
                            Confidence.LIKELY,
                            transfer,
                            WINDOW / trip * 8e3,
                            transfer * 100,
                            (" for each connection, 64 KiB on each way of %.0f ms there and back: the window of TCP without"
                                            + " scaling, or of an HTTP/2 stream")
                                    .formatted(trip / 1e6)));
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

    private static double tripNanos(PhaseSeries phase) {
        return phase.all().histogram(Timing.TCP).getValueAtPercentile(10);
    }

    /** Whether large responses take a way there and back for each window that they fill, but for the first one. */
    private static boolean fillsWindow(PhaseSeries phase) {
        double trip = tripNanos(phase);
        List<SampledRequest> large = phase.requests()
                .filter(of -> !of.failed() && !of.stalled() && of.firstByteNanos() >= 0)
                .filter(of -> of.connection().place() > 0 && of.connection().idleNanos() < LONG_IDLE)
                .filter(of -> of.bytes() >= LEAST_WINDOWS * WINDOW)
                .toList();
        long fitting = large.stream()
                .filter(of -> {
                    double trips = (of.serviceNanos() - of.firstByteNanos()) / trip;
                    double windows = of.bytes() / WINDOW;
                    return trips >= (1 - ERROR) * (windows - 1) && trips <= (1 + ERROR) * windows;
                })
                .count();
        return trip >= LEAST_TRIP && large.size() >= LEAST && fitting >= MOST * large.size();
    }
}
