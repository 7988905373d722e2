package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Trend;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Response times that grow while the load stays the same. */
public final class Drift {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("drift"), Drift::judge).unlessClientLimited();

    private static final Duration LEAST_WALL = Duration.ofSeconds(3);
    private static final double LEAST_EXPLAINED = 0.9;
    private static final double LEAST_GROWTH = 1.7;
    private static final double LEAST_NANOS = 2e6;
    private static final double START = 0.1;

    private static final String SLOWLY =
            "something fills up with time or with the number of [requests], such as memory, a table without an index"
                    + " or a queue";
    private static final String AT_ONCE =
            "at that moment something that it needs became slower, or it ran out of something,"
                    + " such as a cache, a burst of credits, or an instance";

    private Drift() {}

    /** An operation's trend, and the part of the users' time that its growth takes. */
    private record Growth(String operation, Trend trend, double impact) {
        private boolean isReal() {
            return trend.explained() >= LEAST_EXPLAINED
                    && trend.lastNanos() >= LEAST_GROWTH * trend.firstNanos()
                    && trend.lastNanos() >= trend.firstNanos() + LEAST_NANOS;
        }
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        if (!phase.isConstant()
                || phase.wall().compareTo(LEAST_WALL) < 0
                || Overload.of(phase).isPresent()) {
            return Optional.empty();
        }
        return phase.facts().isEmpty()
                ? Optional.of(growth("all", Trend.ofSeconds(phase), 1))
                        .filter(Growth::isReal)
                        .map(of -> diagnosis(phase, of))
                : phase.facts().stream()
                        .map(facts -> growth(phase, facts))
                        .filter(Growth::isReal)
                        .max(Comparator.comparingDouble(Growth::impact))
                        .map(of -> diagnosis(phase, of));
    }

    private static Growth growth(PhaseSeries phase, Facts facts) {
        double start = START * phase.wall().toNanos();
        Trend trend = Trend.of(facts.undisturbed().stream()
                .filter(of -> of.sentNanos() >= start)
                .toList());
        double part = phase.only(facts.operation()).sum(Timing.SERVICE) / Math.max(1, phase.sum(Timing.SERVICE));
        return growth(phase.inWords(facts.operation()), trend, part);
    }

    private static Growth growth(String operation, Trend trend, double part) {
        return new Growth(operation, trend, part * (1 - trend.firstNanos() / Math.max(1, trend.lastNanos())));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Growth growth) {
        Trend trend = growth.trend();
        boolean atOnce = trend.stepNanos().isPresent();
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        growth.impact(),
                        growth.operation(),
                        trend.firstNanos() / 1e6,
                        trend.lastNanos() / 1e6,
                        atOnce
                                ? " at %.1f s into the run"
                                        .formatted(phase.startSeconds()
                                                + trend.stepNanos().getAsDouble() / 1e9)
                                : ", more and more,",
                        phase.words().text(atOnce ? AT_ONCE : SLOWLY));
    }
}
