package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Failures that begin with so many users. */
public final class FailuresWithLoad {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(Claim.of("failures-with-load"), FailuresWithLoad::judge);

    private static final Cause CONFLICT = Cause.ofStatus(409);
    private static final long LEAST_REQUESTS = 30;
    private static final double FAILS = 0.005;
    private static final double HOLDS = 0.001;
    private static final double GROWS = 2;
    private static final double BY_USER = 0.5;

    private static final int LEAST_PER_USER = 2;
    private static final int FIRST_SECONDS = 2;
    private static final double ALL_ALONG = 0.8;
    private static final double MOST_CHANCE = 1e-4;

    /** It says where, not why. */
    private static final double WEIGHT = 0.5;

    private FailuresWithLoad() {}

    private static List<Diagnosis> judge(RunSeries run) {
        List<PhaseSeries> phases = run.phases().stream()
                .filter(phase -> phase.all().requests() >= LEAST_REQUESTS)
                .sorted(Comparator.comparingInt(PhaseSeries::users))
                .toList();
        return IntStream.range(1, phases.size())
                .filter(i -> grow(phases.get(i - 1), phases.get(i)))
                .mapToObj(i -> diagnosis(phases.get(i - 1), phases.get(i)))
                .limit(1)
                .toList();
    }

    private static boolean grow(PhaseSeries few, PhaseSeries many) {
        return failed(many) >= FAILS
                && (failed(few) < HOLDS || failed(many) >= GROWS * failed(few))
                && proves(few, many)
                && !pass(many)
                && many.facts().stream()
                        .noneMatch(facts -> facts.failed().byUser().explains(BY_USER));
    }

    /** Whether the failures of many users would have shown with few, even if each n-th of a user fails. */
    private static boolean proves(PhaseSeries few, PhaseSeries many) {
        boolean each = few.all().requests() * failed(many) >= LEAST_PER_USER * few.users();
        return few.users() < many.users()
                && (each || failEarly(few, many))
                && Significance.isMore(
                        few.all().failed(),
                        few.all().requests(),
                        many.all().failed(),
                        many.all().requests());
    }

    /** Whether many fail among the requests that aren't later on their connection than any of the few. */
    private static boolean failEarly(PhaseSeries few, PhaseSeries many) {
        int last = few.requests().mapToInt(of -> of.connection().place()).max().orElse(-1);
        List<SampledRequest> early = many.requests()
                .filter(of -> of.connection().place() >= 0 && of.connection().place() <= last)
                .toList();
        long failed = early.stream().filter(SampledRequest::failed).count();
        return Significance.isMore(few.all().failed(), few.all().requests(), failed, early.size());
    }

    /** Whether failures end while the load goes on, too early for chance. */
    private static boolean pass(PhaseSeries phase) {
        long after = 0;
        for (Second second : phase.seconds()) {
            after = second.failed() > 0 ? 0 : after + second.requests();
        }
        return Math.pow(1 - failed(phase), after) < MOST_CHANCE;
    }

    private static Diagnosis diagnosis(PhaseSeries few, PhaseSeries many) {
        return RULE.claim()
                .ofRun(
                        many.words(),
                        beginsWith(many) ? Confidence.LIKELY : Confidence.POSSIBLE,
                        WEIGHT * failed(many),
                        failed(few) < HOLDS ? "begin" : "grow",
                        few.users(),
                        many.users(),
                        failed(few) * 100,
                        failed(many) * 100,
                        2 * many.failed(CONFLICT) > many.all().failed()
                                ? many.words()
                                        .text(": 409 says that [requests] conflict, as writers of the same data do")
                                : "");
    }

    /** Whether it fails from its start on, all along. */
    private static boolean beginsWith(PhaseSeries phase) {
        boolean atOnce = phase.seconds().stream().limit(FIRST_SECONDS).anyMatch(second -> second.failed() > 0);
        return atOnce && new FailedRequests(phase, any -> true).spread() >= ALL_ALONG;
    }

    private static double failed(PhaseSeries phase) {
        return phase.share(phase.all().failed());
    }
}
