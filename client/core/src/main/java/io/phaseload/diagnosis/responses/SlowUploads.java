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
    private static final double LEAST_PART = 0.5;
    private static final double LEAST_MILLIS = 50;

    /** Ways there and back: bytes are acknowledged after one, and a new connection sends 200 kB in four. */
    private static final double LEAST_TRIPS = 5;

    private SlowUploads() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        double[] sending = counted(phase, Figures.SENDING);
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
                        || median < LEAST_TRIPS * tripMillis(phase)
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

    private static double[] counted(PhaseSeries phase, String figure) {
        return phase.steady().stream()
                .filter(second -> second.client().containsKey(figure))
                .mapToDouble(second -> second.client().get(figure))
                .toArray();
    }

    /** Without a queue on the way; 0 if it isn't known. */
    private static double tripMillis(PhaseSeries phase) {
        return DoubleStream.concat(
                        DoubleStream.of(phase.millis(Timing.TCP, 50)),
                        DoubleStream.of(counted(phase, Figures.ROUND_TRIP)))
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
    }
}
