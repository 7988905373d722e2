package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.diagnosis.statistics.Period;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Times in which requests were open and none ended, as the sample of one operation shows them, or in which some of them
 * were open until they all ended at once, as those of one of several instances do.
 *
 * @param facts of that operation
 * @param episodes in order, without those that begin with the phase
 */
record Standstill(Facts facts, List<Episode> episodes) {

    /** Less than this of the slow responses' time leaves too much that something else made slow. */
    private static final double MOST = 0.7;

    private static final double PURE = 0.8;

    /** If more are slow, or for a longer part of the phase, that is what is usual. */
    private static final double MOST_SLOW = 0.5;

    /** One user's slow response holds up nobody else. */
    private static final int LEAST_USERS = 2;

    /** That responses which are slow independently of each other are so at once. */
    private static final double MOST_CHANCE = 1e-3;

    /** Longer ones are chains of slow responses that overlap by chance. */
    private static final double CHAIN = 1.5;

    /** Of some requests that end together. */
    private static final int LEAST_TOGETHER = 5;

    private static final double MOST_TOGETHER = 0.8;

    /** Of the longest one: the time within which they end. */
    private static final double AT_ONCE = 0.1;

    /** Far more together than they began: others wait in a line, or for a time of their own. */
    private static final int MORE_TOGETHER = 2;

    private static final double LEAST_SOME_NANOS = 2e8;
    private static final double TIMES_USUAL = 5;

    /** So many responses were due in all of them together: e⁻¹² is the chance of none. */
    private static final double LEAST_DUE = 12;

    /** A cold server is slow at first. */
    private static final long START_NANOS = 300_000_000;

    private static final int MANY = 3;

    /** Of many, the longest: a healthy collector's pauses are shorter. */
    static final double LEAST_MILLIS = 40;

    /** One or two that are shorter happen on any machine, such as while a JVM compiles. */
    private static final double LEAST_MILLIS_OF_FEW = 60;

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
                        .filter(of -> of.fromNanos() > START_NANOS && of.users() >= LEAST_USERS)
                        .filter(of -> of.nanos() <= CHAIN * of.longestNanos())
                        .filter(of -> of.purity() >= PURE || endTogether(facts, of))
                        .toList());
    }

    /** Whether requests of several users and connections waited for the same moment. */
    private static boolean endTogether(Facts facts, Episode episode) {
        List<SampledRequest> cases =
                facts.slow().requests().stream().filter(episode::has).toList();
        long ends = width(cases.stream().mapToLong(SampledRequest::endNanos));
        return Math.min(cases.size(), episode.users()) >= LEAST_TOGETHER
                && episode.longestNanos() >= Math.max(LEAST_SOME_NANOS, TIMES_USUAL * facts.medianNanos())
                && ends <= AT_ONCE * episode.longestNanos()
                && MORE_TOGETHER * ends <= width(cases.stream().mapToLong(SampledRequest::sentNanos))
                && cases.stream().noneMatch(of -> of.connection().sharedNumber() >= 0);
    }

    /** The shortest time that has most of some moments. */
    private static long width(LongStream moments) {
        long[] sorted = moments.sorted().toArray();
        int most = (int) Math.ceil(MOST_TOGETHER * sorted.length);
        return IntStream.rangeClosed(0, sorted.length - most)
                .mapToLong(i -> sorted[i + most - 1] - sorted[i])
                .min()
                .orElse(0);
    }

    /** {@return true if others went on meanwhile} */
    boolean isOfSome() {
        return episodes.stream().anyMatch(of -> of.purity() < PURE);
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
                && facts.slow().share() <= MOST_SLOW
                && episodes.stream().mapToLong(Episode::nanos).sum()
                        <= MOST_SLOW * facts.wall().toNanos()
                && longestMillis() >= (episodes.size() >= MANY ? LEAST_MILLIS : LEAST_MILLIS_OF_FEW)
                && cases() >= 3
                && within >= MOST * after
                && (isOfSome() || due >= LEAST_DUE)
                && chance() < MOST_CHANCE
                && facts.slow().byTime().isSignificant()
                && !facts.slow().byNew().explains(0.5)
                && !facts.slow().haveOwnStatus();
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

    double impact() {
        return facts.slowPart();
    }

    /** The distance at which they end, in seconds; empty if it varies. */
    Optional<Double> periodSeconds() {
        return Period.seconds(
                episodes.stream().mapToDouble(of -> of.toNanos() / 1e9).toArray());
    }
}
