package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Chance;
import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.SampledRequest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Times in which requests were open and none ended, as the sample of one operation shows them.
 *
 * @param facts of that operation
 * @param episodes in order, without those that begin with the phase
 */
record Standstill(Facts facts, List<Episode> episodes) {

    /** Less than this of the slow responses' time leaves too much that something else made slow. */
    private static final double MOST = 0.7;

    private static final double PURE = 0.8;

    /** One user's slow response holds up nobody else. */
    private static final int LEAST_USERS = 2;

    /** That responses which are slow independently of each other are so at once. */
    private static final double MOST_CHANCE = 1e-3;

    /** Longer ones are chains of slow responses that overlap by chance. */
    private static final double CHAIN = 1.5;

    /** So many responses were due in all of them together: e⁻¹² is the chance of none. */
    private static final double LEAST_DUE = 12;

    /** A cold server is slow at first. */
    private static final long START_NANOS = 300_000_000;

    /** Of the operation that shows them best; empty if none does. */
    static Optional<Standstill> of(PhaseSeries phase) {
        return phase.facts().stream()
                .map(Standstill::of)
                .filter(Standstill::isReal)
                .max(Comparator.comparingLong(Standstill::cases));
    }

    private static Standstill of(Facts facts) {
        return new Standstill(
                facts,
                facts.slow().episodes().stream()
                        .filter(of -> of.purity() >= PURE && of.fromNanos() > START_NANOS)
                        .filter(of -> of.users() >= LEAST_USERS)
                        .filter(of -> of.nanos() <= CHAIN * of.longestNanos())
                        .toList());
    }

    private boolean isReal() {
        double after = facts.slow().requests().stream()
                .filter(of -> of.sentNanos() > START_NANOS)
                .mapToDouble(SampledRequest::serviceNanos)
                .sum();
        double within = facts.slow().requests().stream()
                .filter(of -> episodes.stream().anyMatch(each -> each.has(of)))
                .mapToDouble(SampledRequest::serviceNanos)
                .sum();
        double rate = facts.requests().size() / (facts.wall().toNanos() * facts.share());
        double due = episodes.stream()
                .mapToDouble(of -> rate * Math.max(0, of.nanos() - facts.split().nanos()))
                .sum();
        return !episodes.isEmpty()
                && cases() >= 3
                && within >= MOST * after
                && due >= LEAST_DUE
                && chance() < MOST_CHANCE
                && facts.slow().byTime().isSignificant()
                && !facts.slow().byNew().explains(0.5);
    }

    private double chance() {
        long all = facts.slow().requests().stream()
                .filter(of -> of.sentNanos() > START_NANOS)
                .count();
        long joined = episodes.stream().mapToLong(of -> of.users() - 1).sum();
        double beginning = episodes.stream()
                .mapToDouble(of -> of.lastNanos() - of.fromNanos())
                .sum();
        return Chance.ofTogether(
                all, episodes.size(), joined, beginning / facts.wall().toNanos());
    }

    long cases() {
        return episodes.stream().mapToLong(Episode::cases).sum();
    }

    double longestMillis() {
        return episodes.stream().mapToLong(Episode::longestNanos).max().orElse(0) / 1e6;
    }

    double usualMillis() {
        return facts.medianNanos() / 1e6;
    }

    /** Of the time that sampled requests took, the part that slow ones took. */
    double impact() {
        double all = mean(facts.requests());
        return all == 0
                ? 0
                : Math.min(1, facts.slow().share() * mean(facts.slow().requests()) / all);
    }

    private static double mean(List<SampledRequest> of) {
        return of.stream().mapToLong(SampledRequest::serviceNanos).average().orElse(0);
    }

    /**
     * The distance at which they come, in seconds; empty if it varies. All starts are within 8 % of the distance from
     * even times (standard deviation); 29 % is what random times have.
     */
    Optional<Double> periodSeconds() {
        int n = episodes.size();
        if (n < 4) {
            return Optional.empty();
        }
        double[] starts =
                episodes.stream().mapToDouble(of -> of.toNanos() / 1e9).toArray();
        double[] distances = new double[n - 1];
        for (int i = 1; i < n; i++) {
            distances[i - 1] = starts[i] - starts[i - 1];
        }
        Arrays.sort(distances);
        double period = distances[(n - 1) / 2];
        double turns = 0;
        for (int i = 1; i < n; i++) {
            turns += Math.max(1, Math.rint((starts[i] - starts[i - 1]) / period));
        }
        period = (starts[n - 1] - starts[0]) / turns;
        double squares = 0;
        for (int i = 1; i < n; i++) {
            double distance = starts[i] - starts[i - 1];
            double off = distance / period - Math.max(1, Math.rint(distance / period));
            squares += off * off;
        }
        boolean even = Math.sqrt(squares / (n - 1)) <= 0.08 * Math.sqrt(2);
        return even && turns < 2 * n ? Optional.of(period) : Optional.empty();
    }
}
