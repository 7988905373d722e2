package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.timing.Timing;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Requests that spend most of their time on their way. */
public final class SlowUploads {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("slow-uploads"), SlowUploads::judge).unlessClientLimited();

    private static final int SURE_LOOKS = 2;
    private static final int LEAST_SEEN = 5;
    private static final double LEAST_PART = 0.6;
    private static final double LEAST_MILLIS = 50;

    /** Bytes are acknowledged after a way there and back. */
    private static final double LEAST_TRIPS = 4;

    private SlowUploads() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        double[] sending = phase.seconds().stream()
                .filter(second -> second.client().containsKey(Figures.SENDING))
                .mapToDouble(second -> second.client().get(Figures.SENDING))
                .toArray();
        double mean = DoubleStream.of(sending).average().orElse(0);
        double part = Math.min(1, mean / Math.max(1, phase.inFlight()));
        // Of those that send most: others may be fast.
        double median = IntStream.range(0, phase.names().size())
                .mapToDouble(operation -> phase.only(operation).millis(Timing.SERVICE, 50))
                .max()
                .orElse(0);
        return DoubleStream.of(sending).sum() < LEAST_SEEN
                        || part < LEAST_PART
                        || median < LEAST_MILLIS
                        || median < LEAST_TRIPS * phase.millis(Timing.TCP, 50)
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                sending.length < SURE_LOOKS ? Confidence.POSSIBLE : Confidence.LIKELY,
                                part,
                                phase.inFlight(),
                                mean,
                                sending.length == 1 ? "once" : sending.length + " times",
                                median));
    }
}
