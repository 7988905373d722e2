package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Failures that begin with so many users. */
public final class FailuresWithLoad {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(Claim.of("failures-with-load"), FailuresWithLoad::judge);

    private static final Cause CONFLICT = Cause.ofStatus(Statuses.CONFLICT);
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
                .filter(i -> grow(run, phases.get(i - 1), phases.get(i)))
                .mapToObj(i -> diagnosis(phases.get(i - 1), phases.get(i)))
                .limit(1)
                .toList();
    }

    private static boolean grow(RunSeries run, PhaseSeries few, PhaseSeries many) {
        return failed(many) >= FAILS
                && (failed(few) < HOLDS || failed(many) >= GROWS * failed(few))
                && proves(run, few, many)
                && !pass(many)
                && many.facts().stream()
                        .noneMatch(facts -> facts.failed().byUser().explains(BY_USER));
    }

    /** Whether the failures of many users would have shown with few, even if each n-th of a user fails. */
    private static boolean proves(RunSeries run, PhaseSeries few, PhaseSeries many) {
        boolean each = few.all().requests() * failed(many) >= LEAST_PER_USER * few.users();
        return few.users() < many.users()
                && (each || failEarly(run, few, many))
                && Significance.isMore(
                        few.all().failed(),
                        few.all().requests(),
                        many.all().failed(),
                        many.all().requests());
    }

    /** Whether many fail among the requests that aren't later of their user than any of the few. */
    private static boolean failEarly(RunSeries run, PhaseSeries few, PhaseSeries many) {
        if (!run.phases().stream().allMatch(PhaseSeries::hasAll)) {
            return false;
        }
        Map<SampledRequest, Integer> numbers = numbers(run);
        int last =
                few.requests().mapToInt(of -> numbers.getOrDefault(of, 0)).max().orElse(-1);
        List<SampledRequest> early = many.requests()
                .filter(of -> numbers.getOrDefault(of, 0) <= last)
                .toList();
        long failed = early.stream().filter(SampledRequest::failed).count();
        return Significance.isMore(few.all().failed(), few.all().requests(), failed, early.size());
    }

    /** Of each request: how many its user has sent before it in the run. */
    private static Map<SampledRequest, Integer> numbers(RunSeries run) {
        Map<SampledRequest, Integer> numbers = new IdentityHashMap<>();
        Map<Integer, Integer> sent = new HashMap<>();
        run.phases().stream()
                .flatMap(phase -> phase.requests().sorted(Comparator.comparingLong(SampledRequest::sentNanos)))
                .forEach(of -> numbers.put(of, sent.merge(of.user(), 1, Integer::sum)));
        return numbers;
    }

    /** Whether failures end while the load goes on, too early for chance. In the last second, users leave. */
    private static boolean pass(PhaseSeries phase) {
        List<Second> seconds = phase.seconds();
        long after = 0;
        for (Second second : seconds.subList(0, Math.max(0, seconds.size() - 1))) {
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
