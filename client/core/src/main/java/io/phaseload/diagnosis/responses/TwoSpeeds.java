package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Cases;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.Paths;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.stats.RecordedValues;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** Responses of one operation that are either fast or slow, with next to none between. */
public final class TwoSpeeds {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(Claim.of("two-speeds"), TwoSpeeds::judge)
            .unlessClientLimited()
            .unlessInWarmup();

    /**
     * The same of fewer requests, with a smaller gap, in bursts, or of responses above a length: no rule explains these
     * times.
     */
    public static final DiagnosisRule LAST =
            DiagnosisRule.ofPhaseInRun(RULE.claim(), TwoSpeeds::judgeLast).unlessClientLimited();

    private static final int MANY_REQUESTS = 500;
    private static final int LEAST_REQUESTS = 100;
    private static final int LEAST_CASES = 8;
    private static final double LEAST_SLOW = 0.02;
    private static final double MOST_SLOW = 0.60;
    private static final double FACTOR_OF_GAP = 2;
    private static final double STEP = 0.25;
    private static final double MOST_BETWEEN = 0.10;
    private static final double FACTOR = 3;
    private static final double MORE = 0.1;
    private static final double LEAST_AT_RANDOM = 0.1;

    private static final long LEAST_NANOS = 5_000_000;

    /** Of fewer than many requests: a busy machine makes few this slow. */
    private static final double FAR = 10;

    /** The same; and of many paths: making something takes less than this. */
    private static final long FAR_NANOS = 100_000_000;

    /** A machine that is busy for a while makes fewer slow. */
    private static final int LAST_CASES = 20;

    private static final long LAST_NANOS = 40_000_000;

    /** TCP_DELACK_MIN is 40 ms, by a timer with steps of 4 ms. */
    private static final long LEAST_DELAYED_NANOS = 38_000_000;

    private static final long MOST_DELAYED_NANOS = 52_000_000;
    private static final double MOST_WAIT = 0.8;

    /** Of all paths: such a part may be of another kind, which takes longer by its nature. */
    private static final double MOST_PATHS = 0.3;

    private static final double BY_TIME = 0.2;

    /** The same of the stretch of time that has the slow ones. */
    private static final double BY_TIME_WITHIN = 0.1;

    /** Of the phase, in as many of which slow ones must come in bursts. */
    private static final int PARTS = 10;

    private static final int LEAST_PARTS = 6;
    private static final double ALIKE = 1.5;
    private static final double MOST_EARLY = 0.6;

    /** Of the slow ones: those that no stall of the client affected. */
    private static final double LEAST_OWN = 0.5;

    private static final double TO_THE_END = 0.9;

    private static final String BY_CONNECTION =
            "the connection decides which, so it is one slow instance of several, or one slow route";
    private static final String BY_USER =
            "each [user]'s responses are always fast or always slow: because of the [user]'s data, or of the instance or"
                    + " the route that"
                    + " its connection leads to";
    private static final String AT_RANDOM =
            "which of them is slow is random, whatever the time, the connection or the size: a"
                    + " cache that misses, one of several replicas, or one slow instance that a"
                    + " balancer picks for each [request]";
    private static final String OR_ASKED = AT_RANDOM + ", unless some [requests] ask for more than others";
    private static final String BY_PATH =
            "nearly all slow ones are those of %s, whose data is slow, or the partition or instance that has it";
    private static final String IN_PIECES =
            "these wait for about 40 ms between their first byte and their last one, as long as Linux delays an"
                    + " acknowledgement: the server, or a proxy before it, sends them in pieces with Nagle's algorithm"
                    + " (without TCP_NODELAY)";
    private static final String BY_SECONDS =
            "these take whole seconds longer, as those do that wait for a timer: before another try, or for an answer"
                    + " that doesn't come, such as a name server's";
    private static final String IN_BURSTS =
            "these come in bursts: something that they need is made anew or isn't there at times, such as what a cache"
                    + " holds for a while, or a connection";
    private static final String BY_LENGTH =
            "nearly all slow ones are the longest responses, of about %,d bytes or more, and shorter ones don't take longer the"
                    + " longer they are: above a length they go another way, such as through a disk or a buffer";
    private static final String UNKNOWN = "two paths through the service, or one slow instance of several";

    private TwoSpeeds() {}

    /** The two speeds. */
    private record Gap(double share, long slowNanos, long fastNanos) {

        /** Looks for the emptiest gap, whose lower edge moves in steps of a quarter of a percent. */
        static Optional<Gap> of(Histogram times, double factorOfFew, long leastOfFew) {
            long all = times.getTotalCount();
            if (all < LEAST_REQUESTS) {
                return Optional.empty();
            }
            double factor = all < MANY_REQUESTS ? factorOfFew : FACTOR;
            long least = all < MANY_REQUESTS ? leastOfFew : LEAST_NANOS;
            RecordedValues recorded = RecordedValues.of(times);
            for (double percent = 40; percent <= 98; percent += STEP) {
                long edge = recorded.atPercentile(percent);
                long far = (long) (edge * FACTOR_OF_GAP);
                if (far >= times.getMaxValue()) {
                    return Optional.empty();
                }
                long slow = recorded.countBetween(far, times.getMaxValue());
                long between = recorded.countBetween(times.nextNonEquivalentValue(edge), far - 1);
                double share = (double) slow / all;
                if (share >= LEAST_SLOW
                        && slow >= LEAST_CASES
                        && share <= MOST_SLOW
                        && between <= MOST_BETWEEN * slow) {
                    long fastMedian = recorded.atPercentile((1 - share) * 50);
                    long slowMedian = recorded.atPercentile((1 - share / 2) * 100);
                    if (slowMedian >= factor * fastMedian && slowMedian - fastMedian >= least) {
                        return Optional.of(new Gap(share, slowMedian, fastMedian));
                    }
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        return judge(run, phase, times -> Gap.of(times, FAR, FAR_NANOS), false);
    }

    private static Optional<Diagnosis> judgeLast(RunSeries run, PhaseSeries phase) {
        return judge(
                run,
                phase,
                times -> Gap.of(times, FACTOR, LAST_NANOS)
                        .filter(gap -> gap.share() * times.getTotalCount() >= LAST_CASES),
                true);
    }

    private static Optional<Diagnosis> judge(
            RunSeries run, PhaseSeries phase, Function<Histogram, Optional<Gap>> gaps, boolean last) {
        for (int i = 0; i < phase.operations().size(); i++) {
            Tally operation = phase.operations().get(i);
            Optional<Gap> gap = operation.failed() == 0 || operation.failed() < operation.requests() / 100
                    ? gaps.apply(operation.histogram(Timing.SERVICE))
                    : Optional.empty();
            if (gap.isPresent()) {
                String name = phase.names().get(i);
                Optional<Facts> facts = phase.facts(i);
                Optional<Diagnosis> found = facts.isEmpty()
                        ? Optional.of(diagnosis(phase, name, gap.get(), false, UNKNOWN))
                        : judge(run, phase, gap.get(), facts.get(), last);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase, Gap gap, Facts facts, boolean last) {
        boolean fixed = run.fixed().contains(facts.name());
        boolean inPieces = waitForAcknowledgement(facts);
        boolean bySeconds = facts.isSlowBySeconds();
        Optional<Paths> paths = facts.slowPaths();
        boolean manyPaths =
                paths.filter(of -> of.such().size() > MOST_PATHS * of.of()).isPresent();
        Cases all = facts.slow();
        boolean byTime = all.byTime().explains(BY_TIME) && !bySeconds;
        Cases slow = byTime
                ? facts.slowWithin()
                        .filter(within -> !within.byTime().explains(BY_TIME_WITHIN))
                        .orElse(all)
                : all;
        boolean inBursts = byTime && slow == all;
        boolean bySize = slow.bySize().explains(0.4);
        OptionalLong length = last && bySize ? slow.leastLength() : OptionalLong.empty();
        // Stalls of the client made the others slow; or what has a rule of its own, or how much was asked for; or, at
        // a busy target, requests that wait for slower ones.
        if (last && isShort(phase, gap, facts)
                || all.share() < LEAST_OWN * gap.share()
                || inBursts && !(last && areSpread(phase, slow) && areAlike(slow))
                || slow.byNew().explains(0.2)
                || slow.byStatus().explains(0.4)
                || bySize && !inPieces && length.isEmpty()
                || paths.filter(Paths::ofParameter).isPresent()
                || manyPaths && gap.slowNanos() - gap.fastNanos() < FAR_NANOS) {
            return Optional.empty();
        }
        boolean byConnection =
                slow.byConnection().explains(0.3) || slow.byUser().explains(0.3);
        // A user's own data can't be the reason.
        boolean sure = byConnection
                && (fixed || slow.byConnection().explained() >= slow.byUser().explained() + MORE);
        String pattern;
        if (inPieces) {
            pattern = IN_PIECES;
        } else if (bySeconds) {
            pattern = BY_SECONDS;
        } else if (length.isPresent()) {
            pattern = BY_LENGTH.formatted(length.getAsLong());
        } else if (inBursts) {
            pattern = IN_BURSTS;
        } else if (paths.isPresent()) {
            pattern = BY_PATH.formatted(paths.get().inWords());
        } else if (byConnection) {
            pattern = sure ? BY_CONNECTION : BY_USER;
        } else if (gap.share() < LEAST_AT_RANDOM && gap.slowNanos() < FAR * gap.fastNanos()) {
            // What a cache rarely lacks takes longer, too, and is no fault.
            return Optional.empty();
        } else {
            pattern = fixed ? AT_RANDOM : OR_ASKED;
        }
        return Optional.of(diagnosis(
                phase,
                facts.name(),
                gap,
                sure || inPieces || bySeconds && fixed || paths.isPresent() && !manyPaths,
                (slow == all ? "" : when(phase, slow)) + phase.words().text(pattern)));
    }

    /** Whether the difference is less than another operation usually takes. */
    private static boolean isShort(PhaseSeries phase, Gap gap, Facts facts) {
        return phase.facts().stream()
                .filter(other -> other.operation() != facts.operation())
                .anyMatch(other -> gap.slowNanos() - gap.fastNanos() < other.medianNanos());
    }

    /** Whether slow ones come in most parts of the phase, and don't get fewer, as while a cache fills. */
    private static boolean areSpread(PhaseSeries phase, Cases slow) {
        long part = phase.wall().toNanos() / PARTS;
        long[] parts = slow.requests().stream()
                .mapToLong(of -> Math.max(0, of.sentNanos()) / part)
                .sorted()
                .toArray();
        return LongStream.of(parts).distinct().count() >= LEAST_PARTS
                && LongStream.of(parts).filter(of -> of < PARTS / 2).count() <= MOST_EARLY * parts.length;
    }

    /** Whether slow ones take about the same time; those that wait for the same moment don't. */
    private static boolean areAlike(Cases slow) {
        long[] times = slow.requests().stream()
                .mapToLong(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        return times[9 * times.length / 10] <= ALIKE * times[times.length / 10];
    }

    /** The stretch of time that has the slow ones, of which others are fast. */
    private static String when(PhaseSeries phase, Cases slow) {
        List<SampledRequest> requests = slow.requests();
        long last = requests.get(requests.size() - 1).sentNanos();
        String end = last >= TO_THE_END * phase.wall().toNanos()
                ? "on"
                : "to %.1f s".formatted(phase.startSeconds() + last / 1e9);
        return "from %.1f s into the run %s, %.0f %% are slow, and "
                .formatted(phase.startSeconds() + requests.get(0).sentNanos() / 1e9, end, slow.share() * 100);
    }

    private static Diagnosis diagnosis(PhaseSeries phase, String name, Gap gap, boolean likely, String pattern) {
        return RULE.claim()
                .in(
                        phase,
                        likely ? Confidence.LIKELY : Confidence.POSSIBLE,
                        gap.share(),
                        gap.share() * 100,
                        name,
                        gap.slowNanos() / 1e6,
                        gap.fastNanos() / 1e6,
                        pattern);
    }

    /**
     * Whether slow ones, and only these, pause in the middle for as long as the client's system delays an
     * acknowledgement.
     */
    private static boolean waitForAcknowledgement(Facts facts) {
        return waiting(facts.slow().requests()) >= MOST_WAIT
                && waiting(facts.undisturbed().stream()
                                .filter(of -> !facts.split().isSlow(of))
                                .toList())
                        <= 1 - MOST_WAIT;
    }

    private static double waiting(List<SampledRequest> requests) {
        long such = requests.stream()
                .filter(of -> of.firstByteNanos() >= 0)
                .mapToLong(of -> of.serviceNanos() - of.firstByteNanos())
                .filter(nanos -> nanos >= LEAST_DELAYED_NANOS && nanos <= MOST_DELAYED_NANOS)
                .count();
        return (double) such / Math.max(1, requests.size());
    }
}
