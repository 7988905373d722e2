package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Spike;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Failures that all take the same time, which no success exceeds: somebody's timeout. */
public final class GivesUp {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(Claim.of("gives-up"), GivesUp::judge).unlessClientLimited();

    private static final Cause TIMED_OUT = Cause.ofStatus(504);
    private static final int MANY = 10;
    private static final double ALL = 0.95;
    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double LEAST_NANOS = 250e6;
    private static final double LONGER = 1.02;
    private static final double FASTER = 0.7;
    private static final double FEW_PERCENTILE = 10;
    private static final double NEARLY = 0.9;

    private GivesUp() {}

    /** Failures of an operation with one cause, at the time that they share. */
    private record Fixed(Cause cause, long count, Spike spike) {}

    /** The causes of an operation's failures that are such. */
    static Set<Cause> causes(PhaseSeries phase, int operation) {
        return phase.facts(operation).stream()
                .flatMap(facts -> fixed(phase, operation, facts).stream())
                .map(Fixed::cause)
                .collect(Collectors.toSet());
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        return phase.facts().stream()
                .flatMap(
                        facts -> fixed(phase, facts.operation(), facts).stream().map(of -> judge(phase, facts, of)))
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static List<Fixed> fixed(PhaseSeries phase, int operation, Facts facts) {
        Tally tally = phase.operations().get(operation);
        Histogram successes = tally.responseOfSuccesses();
        return tally.failures().entrySet().stream()
                .filter(cause -> isSuch(cause.getKey()) || isEnded(facts, cause.getKey()))
                .filter(cause -> cause.getValue().count() >= Math.max(LEAST, LEAST_SHARE * tally.requests()))
                .map(cause -> new Fixed(
                        cause.getKey(),
                        cause.getValue().count(),
                        Spike.of(facts.failures().stream()
                                .filter(of -> of.outcome().cause().equals(cause.getKey()))
                                .toList())))
                .filter(of -> isTimeout(of.spike(), successes))
                .toList();
    }

    private static boolean isTimeout(Spike spike, Histogram successes) {
        return spike.isFixed()
                && spike.nanos() >= LEAST_NANOS
                && successes.getTotalCount() > 0
                && successes.getValueAtPercentile(99) <= LONGER * spike.nanos()
                && (successes.getValueAtPercentile(50) <= FASTER * spike.nanos() || isCutOff(successes, spike.nanos()));
    }

    /** Whether successes take any time up to that one, as if longer ones had failed. */
    private static boolean isCutOff(Histogram successes, double nanos) {
        return successes.getValueAtPercentile(FEW_PERCENTILE) <= FASTER * nanos
                && successes.getMaxValue() >= NEARLY * nanos;
    }

    private static Diagnosis judge(PhaseSeries phase, Facts operation, Fixed of) {
        boolean says =
                of.cause().equals(TIMED_OUT) && of.count() >= MANY && of.spike().share() >= ALL;
        return RULE.claim()
                .in(
                        phase,
                        says ? Confidence.CERTAIN : Confidence.LIKELY,
                        phase.share(of.count()),
                        of.count(),
                        phase.operations().get(operation.operation()).requests(),
                        operation.name(),
                        "'" + of.cause() + "'",
                        of.spike().nanos() / 1e6,
                        phase.responseTimeout().toNanos() / 1e6);
    }

    private static boolean isSuch(Cause cause) {
        return cause.isStatus(status -> status >= 500 || status == 408) || cause.isReset();
    }

    /** Whether the other side ended requests in the words of a protocol, such as streams of HTTP/2. */
    private static boolean isEnded(Facts facts, Cause cause) {
        return cause.isNamed()
                && facts.failures().stream()
                        .filter(of -> of.outcome().cause().equals(cause))
                        .allMatch(of -> of.outcome() instanceof Outcome.OfProtocol
                                && !of.outcome().censored());
    }
}
