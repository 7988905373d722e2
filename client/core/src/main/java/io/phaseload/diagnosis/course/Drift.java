package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Trend;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Response times that grow while the load stays the same, and stay there or fall back at once. */
public final class Drift {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("drift"), Drift::judge).unlessClientLimited();

    private static final Duration LEAST_WALL = Duration.ofSeconds(5);
    private static final double START = 0.1;

    private static final String SLOWLY =
            "something fills up with time or with the number of [requests], such as memory, a table without an index"
                    + " or a queue";
    private static final String AT_ONCE =
            "at that moment something that it needs became slower, or it ran out of something,"
                    + " such as a cache, a burst of credits, or an instance";

    private Drift() {}

    /** An operation's trend, and the part of the users' time that its growth takes. */
    private record Growth(String operation, Trend trend, boolean falls, double impact) {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        if (!phase.isConstant()
                || phase.wall().compareTo(LEAST_WALL) < 0
                || Overload.of(phase).isPresent()) {
            return Optional.empty();
        }
        return phase.facts().isEmpty()
                ? Optional.of(growth("all", Trend.ofSeconds(phase), false, 1))
                        .filter(of -> of.trend().isRise())
                        .map(of -> diagnosis(phase, of))
                : phase.facts().stream()
                        .flatMap(facts -> growths(phase, facts))
                        .filter(of -> of.trend().isRise())
                        .max(Comparator.comparingDouble(Growth::impact))
                        .map(of -> diagnosis(phase, of));
    }

    private static Stream<Growth> growths(PhaseSeries phase, Facts facts) {
        double start = START * phase.wall().toNanos();
        List<SampledRequest> requests = facts.undisturbed().stream()
                .filter(of -> of.sentNanos() >= start)
                .toList();
        double part = phase.only(facts.operation()).sum(Timing.SERVICE) / Math.max(1, phase.sum(Timing.SERVICE));
        String operation = phase.inWords(facts.operation());
        return Stream.concat(
                Stream.of(growth(operation, Trend.of(requests), false, part)),
                Trend.beforeFall(requests).map(trend -> growth(operation, trend, true, part)).stream());
    }

    private static Growth growth(String operation, Trend trend, boolean falls, double part) {
        return new Growth(operation, trend, falls, part * (1 - trend.firstNanos() / Math.max(1, trend.lastNanos())));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Growth growth) {
        Trend trend = growth.trend();
        boolean atOnce = !growth.falls() && trend.stepNanos().isPresent();
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
                        growth.falls()
                                ? "fell back at %.1f s into the run"
                                        .formatted(phase.startSeconds() + trend.endNanos() / 1e9)
                                : "stayed there",
                        phase.words().text(atOnce ? AT_ONCE : SLOWLY));
    }
}
