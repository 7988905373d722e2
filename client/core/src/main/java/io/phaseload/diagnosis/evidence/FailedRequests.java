package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.stats.Shares;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The requests of a phase that failed in one of several ways, as a whole and second by second.
 *
 * @param phase all its requests
 * @param causes the ways, by their causes
 */
public record FailedRequests(PhaseSeries phase, Predicate<Cause> causes) {

    /** The share of the seconds with failures in which requests must succeed, too. */
    private static final double MOST = 0.8;

    /** Of the share's mean, or of what chance makes, whichever is larger. */
    private static final double CONSTANT = 0.1;

    private static final double CHANCE = 3;
    private static final double MOST_CHANCE = 1e-4;
    private static final double LONG_PERCENTILE = 90;

    /** Those with one of several causes. */
    public static FailedRequests with(PhaseSeries phase, Cause... causes) {
        return new FailedRequests(phase, Set.of(causes)::contains);
    }

    /** Those that were answered with one of several statuses. */
    public static FailedRequests withStatus(PhaseSeries phase, IntPredicate such) {
        return new FailedRequests(phase, cause -> cause.isStatus(such));
    }

    /** All of them. */
    public long count() {
        return count(phase.all());
    }

    /** Those in a tally of the phase. */
    public long count(Tally tally) {
        return tally.failures().entrySet().stream()
                .filter(cause -> causes.test(cause.getKey()))
                .mapToLong(cause -> cause.getValue().count())
                .sum();
    }

    /** Those that ended in a second. */
    public long in(Second second) {
        return second.failures().entrySet().stream()
                .filter(cause -> causes.test(cause.getKey()))
                .mapToLong(cause -> cause.getValue())
                .sum();
    }

    /** Those of the phase's sample; empty without a sample, as in merged runs. */
    public List<SampledRequest> sampled() {
        return phase.facts().stream()
                .flatMap(operation -> operation.failures().stream())
                .filter(request -> causes.test(request.outcome().cause()))
                .toList();
    }

    /** Whether they took longer than nearly all successes in the median, as if they had waited in vain. */
    public boolean waited(Histogram successes) {
        return successes.getTotalCount() > 0
                && Facts.medianNanos(sampled()) > successes.getValueAtPercentile(LONG_PERCENTILE);
    }

    /** Those that no stall of the client affected, estimated from the sample; all without a sample. */
    public long withoutStalls() {
        List<SampledRequest> sampled = sampled();
        long clear = sampled.stream().filter(request -> !request.stalled()).count();
        return sampled.isEmpty() ? count() : Math.round((double) count() * clear / sampled.size());
    }

    /** Of all requests, from 0 to 1. */
    public double share() {
        return phase.share(count());
    }

    /** Whether there are so many, and such a share, that they are worth a word. */
    public boolean matter(long least, double leastShare) {
        return count() >= least && share() >= leastShare;
    }

    /** Their causes, with the first message of each that has one: for people. */
    public String inWords() {
        return phase.all().failures().entrySet().stream()
                .filter(cause -> causes.test(cause.getKey()))
                .map(cause -> "'" + cause.getKey() + "'")
                .collect(Collectors.joining(", "));
    }

    /**
     * Whether other requests succeeded in most of the seconds in which these failed, so that the target wasn't down as
     * a whole.
     */
    public boolean besideSuccesses() {
        List<Second> such =
                phase.seconds().stream().filter(second -> in(second) > 0).toList();
        long both = such.stream().filter(second -> second.succeeded() > 0).count();
        return !such.isEmpty() && both >= MOST * such.size();
    }

    /** The second in which they begin, if they would have begun earlier by chance; empty if they may have. */
    public Optional<Second> onset() {
        long before = 0;
        for (Second second : phase.seconds()) {
            if (in(second) > 0) {
                double share = (double) count() / Math.max(1, phase.all().requests() - before);
                return Math.pow(1 - share, before) < MOST_CHANCE ? Optional.of(second) : Optional.empty();
            }
            before += second.requests();
        }
        return Optional.empty();
    }

    /** The same failures in the part of the phase from a second on. */
    public FailedRequests from(Second second) {
        return new FailedRequests(phase.from(second), causes);
    }

    /** The share of the steady seconds in which some failed, from 0 to 1. */
    public double spread() {
        List<Second> steady = phase.steady();
        long such = steady.stream().filter(second -> in(second) > 0).count();
        return steady.isEmpty() ? 0 : (double) such / steady.size();
    }

    /** How much their share varies from second to second; see {@link Shares#dispersion}. */
    public double dispersion() {
        List<Second> steady = phase.steady();
        return Shares.dispersion(
                steady.stream().mapToLong(this::in).toArray(),
                steady.stream().mapToLong(Second::requests).toArray());
    }

    /** Whether their share is the same in each steady second, as far as chance lets it. */
    public boolean isConstant() {
        Steadiness shares = Steadiness.of(phase.steady().stream()
                .filter(second -> second.requests() > 0)
                .mapToDouble(second -> (double) in(second) / second.requests())
                .toArray());
        return dispersion() <= CHANCE || shares.variation() <= CONSTANT && shares.mean() > 0;
    }
}
