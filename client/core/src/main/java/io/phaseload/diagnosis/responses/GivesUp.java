package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Spike;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.measure.Tally;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Failures that all take the same time, which no success exceeds: somebody's timeout. */
public final class GivesUp {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "gives-up",
                    About.SERVER,
                    "{failed:%d} of {requests:%d} requests of '{operation}' failed with {causes},"
                            + " after about {afterMs:%.0f} ms each, and successes hardly ever take"
                            + " longer: something on the way gives up after that time. It isn't"
                            + " this client, whose timeout is {timeoutMs:%.0f} ms.",
                    "Look for this time among the timeouts of the proxies and the server"
                            + " (proxy_read_timeout, timeout server, a database's), and for the"
                            + " reason why what they wait for takes so long. To make sure, change the"
                            + " timeout: the failures' time changes with it.",
                    "At least 3 requests of an operation, and 0.1 %, failed with a status of 500 to"
                            + " 599 or 408, or with a reset. 80 % of those that were sampled are"
                            + " within 2 % of each other, at 250 ms or more. p99 of the operation's"
                            + " successes is below that time, and their median below 70 % of it."
                            + " With status 504, which says the same, it is certain."),
            GivesUp::judge);

    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double LEAST_NANOS = 250e6;
    private static final double LONGER = 1.02;
    private static final double FASTER = 0.7;

    private GivesUp() {}

    /** Whether failures of a phase are such. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.facts().stream()
                .map(operation -> judge(phase, operation))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, Facts operation) {
        Tally tally = phase.operations().get(operation.operation());
        FailedRequests such = new FailedRequests(phase, GivesUp::isSuch);
        long failed = such.count(tally);
        Spike spike =
                operation.failed(request -> isSuch(request.outcome().cause())).spike();
        Histogram successes = tally.responseOfSuccesses();
        if (failed < LEAST
                || failed < LEAST_SHARE * tally.requests()
                || !spike.isFixed()
                || spike.nanos() < LEAST_NANOS
                || successes.getTotalCount() == 0
                || successes.getValueAtPercentile(99) > LONGER * spike.nanos()
                || successes.getValueAtPercentile(50) > FASTER * spike.nanos()) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        tally.causes().containsKey(new Outcome.HttpFailure(504).cause())
                                ? Confidence.CERTAIN
                                : Confidence.LIKELY,
                        phase.share(failed),
                        failed,
                        tally.requests(),
                        operation.name(),
                        such.inWords(),
                        spike.nanos() / 1e6,
                        phase.responseTimeout().toNanos() / 1e6));
    }

    private static boolean isSuch(String cause) {
        return FailedRequests.isStatus(cause, status -> status >= 500 || status == 408)
                || Stream.of(Stage.values()).anyMatch(stage -> cause.equals(new Outcome.Reset(stage).cause()));
    }
}
