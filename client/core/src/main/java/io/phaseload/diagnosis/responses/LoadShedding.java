package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.MostAtATime;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Association;
import io.phaseload.diagnosis.statistics.UnderWay;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Refusals that come sooner than answers. */
public final class LoadShedding {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(Claim.of("load-shedding"), LoadShedding::judge);

    private static final double LEAST_SHARE = 0.01;
    private static final double MORE = 1.05;

    private LoadShedding() {}

    /** Whether a phase's refusals are such. */
    static boolean explains(RunSeries run, PhaseSeries phase) {
        return judge(run, phase).isPresent();
    }

    private static FailedRequests refusals(PhaseSeries phase) {
        return FailedRequests.withStatus(phase, status -> status == 503);
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        FailedRequests refusals = refusals(phase);
        long refused = refusals.count();
        if (phase.share(refused) < LEAST_SHARE
                || !refusals.besideSuccesses()
                || SteadyFailures.isExactlyInTurn(refusals, phase.all().requests())
                || 2 * refused < phase.all().failed()
                || phase.all().succeeded() == 0) {
            return Optional.empty();
        }
        double answered = phase.all().responseOfSuccesses().getValueAtPercentile(50) / 1e6;
        double shed = phase.millis(Timing.FAILED, 50);
        if (shed > answered / 2) {
            return Optional.empty();
        }
        OptionalLong atATime = MostAtATime.of(phase, refusals);
        boolean byLoad = atATime.isPresent()
                || isByLoad(phase, refusals)
                || run.withFewer(phase, LoadShedding::refusals).isPresent();
        return !byLoad
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                // A limit of the rate, which is steadier, says more.
                                phase.share(refused) * 0.9,
                                refused,
                                phase.all().requests(),
                                shed,
                                answered,
                                atATime.isPresent()
                                        ? ", and nearly none while %d were under way".formatted(atATime.getAsLong())
                                        : ""));
    }

    /** Whether more successes were under way when refused requests were sent than when others were. */
    private static boolean isByLoad(PhaseSeries phase, FailedRequests refusals) {
        List<SampledRequest> successes =
                phase.requests().filter(of -> !of.failed()).toList();
        UnderWay underWay = UnderWay.of(successes);
        List<SampledRequest> refused = refusals.sampled();
        Association byLoad = Association.of(refused, successes, underWay::count);
        // A limit of the rate refuses what comes soon after a success.
        Association byRate = Association.of(refused, successes, UnderWay.lately(successes)::count);
        return byLoad.isSignificant()
                && byLoad.explained() > byRate.explained()
                && underWay.mean(refused) >= MORE * others(refused, successes) * underWay.mean(successes);
    }

    /** If users decide, those who succeed are one more than those who may succeed while one of them sends. */
    private static double others(List<SampledRequest> refused, List<SampledRequest> successes) {
        double users =
                successes.stream().mapToInt(SampledRequest::user).distinct().count();
        return users > 1
                        && Association.of(refused, successes, SampledRequest::user)
                                .isSignificant()
                ? users / (users - 1)
                : 1;
    }
}
