package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.Diagnosis;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One pattern in what runs show. Pure.
 *
 * @param judge finds the pattern, once per phase at most
 */
public record DiagnosisRule(Claim claim, Function<RunSeries, List<Diagnosis>> judge) {

    /** A rule that looks at each phase alone. */
    public static DiagnosisRule ofPhase(Claim claim, Function<PhaseSeries, Optional<Diagnosis>> judge) {
        return ofPhaseInRun(claim, (run, phase) -> judge.apply(phase));
    }

    /** A rule that looks at each phase, and at what is known of its run. */
    public static DiagnosisRule ofPhaseInRun(
            Claim claim, BiFunction<RunSeries, PhaseSeries, Optional<Diagnosis>> judge) {
        return new DiagnosisRule(claim, run -> run.phases().stream()
                .map(phase -> judge.apply(run, phase))
                .flatMap(Optional::stream)
                .toList());
    }

    /** A rule about times, which says nothing where the client may have made them. */
    public DiagnosisRule unlessClientLimited() {
        return unless(RunSeries::clientLimited);
    }

    /** A rule about times that a target which isn't warm has, too: it says nothing of a warmup alone. */
    public DiagnosisRule unlessInWarmup() {
        return new DiagnosisRule(claim, run -> {
            List<Diagnosis> found = judge.apply(run);
            List<String> phases =
                    found.stream().flatMap(of -> of.phase().stream()).toList();
            return Collections.disjoint(phases, run.measured()) ? List.of() : found;
        });
    }

    /** A rule that says nothing of some runs. */
    public DiagnosisRule unless(Predicate<RunSeries> such) {
        return new DiagnosisRule(claim, run -> such.test(run) ? List.of() : judge.apply(run));
    }
}
