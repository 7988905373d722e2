package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.Episode;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.statistics.Chance;
import io.phaseload.diagnosis.statistics.Period;
import io.phaseload.measure.recording.SampledRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Stretches of time in which nearly all requests of one operation are slow, though they go on ending, and nearly none
 * at other times.
 *
 * @param facts of that operation
 * @param limitNanos slower ones are slow
 * @param again true if they come again and again: then more may be slow, and the first may begin with the phase
 * @param episodes the stretches, in order, without those that begin or end with the phase
 */
record SlowPeriods(Facts facts, long limitNanos, boolean again, List<Episode> episodes) {

    /** So many fast requests, one after another, end a stretch. */
    private static final int APART = 3;

    private static final int LEAST = 6;
    private static final int LEAST_USERS = 2;
    private static final double PURE = 0.8;
    private static final double MOST = 0.8;
    private static final double MOST_SLOW = 0.5;

    /** Of those that come again and again, which shows what is usual between them. */
    private static final double MOST_SLOW_AGAIN = 0.8;

    private static final double FAST = 0.1;
    private static final double MOST_CHANCE = 1e-6;
    private static final double AT_ONCE = 0.5;
    private static final int FALLING = 3;
    private static final int FEW = 20;
    private static final int TIMES_USUAL = 2;

    /** The part of the phase at each end that isn't looked at: 'slow-start' and 'drift' explain it. */
    private static final double END = 0.03;

    /** A cold server is slow at first, too. */
    private static final double START_NANOS = 5e8;

    /** Of the operation that shows them best; empty if none does. */
    static Optional<SlowPeriods> of(PhaseSeries phase) {
        return of(phase, facts -> facts.split().nanos(), false);
    }

    /** The same with twice the median as the limit: slow ones that vary reach below where a tail begins. */
    static Optional<SlowPeriods> ofVaried(PhaseSeries phase) {
        return of(phase, facts -> TIMES_USUAL * facts.medianNanos(), false);
    }

    /** The same with twice the time of fast ones as the limit: most of them may be slow, again and again. */
    static Optional<SlowPeriods> ofMost(PhaseSeries phase) {
        return of(phase, facts -> TIMES_USUAL * fastNanos(facts), true);
    }

    private static long fastNanos(Facts facts) {
        return Facts.quantileNanos(facts.undisturbed(), FAST);
    }

    private static Optional<SlowPeriods> of(PhaseSeries phase, ToLongFunction<Facts> limit, boolean again) {
        return phase.facts().stream()
                .map(facts -> of(facts, limit.applyAsLong(facts), again))
                .flatMap(all -> Stream.of(
                        all,
                        new SlowPeriods(
                                all.facts(),
                                all.limitNanos(),
                                all.again(),
                                Episode.longest(all.episodes()).stream().toList())))
                .filter(SlowPeriods::isReal)
                .max(Comparator.comparingLong(SlowPeriods::cases));
    }

    private static SlowPeriods of(Facts facts, long limit, boolean again) {
        List<SampledRequest> successes = facts.undisturbed();
        List<Episode> found = new ArrayList<>();
        int first = -1;
        int last = -1;
        for (int i = 0; i <= successes.size(); i++) {
            boolean over = i == successes.size();
            if (first >= 0 && (over || i - last > APART)) {
                add(facts, limit, successes.subList(first, last + 1), found);
                first = -1;
            }
            if (!over && successes.get(i).serviceNanos() > limit) {
                first = first < 0 ? i : first;
                last = i;
            }
        }
        double begin = again ? 0 : Math.max(START_NANOS, END * facts.wall().toNanos());
        return new SlowPeriods(
                facts,
                limit,
                again,
                found.stream().filter(of -> of.fromNanos() > begin).toList());
    }

    private static void add(Facts facts, long limit, List<SampledRequest> all, List<Episode> found) {
        List<SampledRequest> stretch = pure(limit, all);
        List<SampledRequest> slow =
                stretch.stream().filter(of -> of.serviceNanos() > limit).toList();
        Episode episode = Episode.of(slow, (double) slow.size() / stretch.size());
        if (episode.cases() >= LEAST && episode.users() >= LEAST_USERS && episode.purity() >= PURE) {
            found.add(episode);
        }
    }

    /** The longest beginning that ends with a slow one and has few fast ones: afterwards they may get more and more. */
    private static List<SampledRequest> pure(long limit, List<SampledRequest> stretch) {
        int slow = 0;
        int end = 1;
        for (int i = 0; i < stretch.size(); i++) {
            if (stretch.get(i).serviceNanos() > limit) {
                slow++;
                end = slow >= PURE * (i + 1) ? i + 1 : end;
            }
        }
        return stretch.subList(0, end);
    }

    private boolean isReal() {
        long all = slow().size();
        double most = again ? MOST_SLOW_AGAIN : MOST_SLOW;
        double part = episodes.stream()
                        .mapToDouble(of -> of.lastNanos() - of.fromNanos())
                        .sum()
                / facts.wall().toNanos();
        return !episodes.isEmpty()
                && all <= most * facts.requests().size()
                && cases() + tail() >= MOST * all
                && part <= most
                && Chance.ofTogether(all, episodes.size(), cases() - episodes.size(), part) < MOST_CHANCE;
    }

    private boolean isSlow(SampledRequest request) {
        return request.serviceNanos() > limitNanos;
    }

    private List<SampledRequest> slow() {
        return facts.undisturbed().stream().filter(this::isSlow).toList();
    }

    /**
     * Slow ones after the only stretch, if they get fewer and there were hardly any before: a cache that fills again
     * has such.
     */
    private long tail() {
        if (episodes.size() != 1) {
            return 0;
        }
        Episode only = episodes.get(0);
        long half = (only.lastNanos() + facts.wall().toNanos()) / 2;
        List<SampledRequest> slow = slow();
        long before =
                slow.stream().filter(of -> of.sentNanos() < only.fromNanos()).count();
        long after =
                slow.stream().filter(of -> of.sentNanos() > only.lastNanos()).count();
        long late = slow.stream().filter(of -> of.sentNanos() > half).count();
        return before * FEW <= only.cases() && after - late >= FALLING * late ? after : 0;
    }

    /** Whether the first requests of each are as slow as all of them: a line of waiting ones grows. */
    boolean beginAtOnce() {
        return episodes.stream().allMatch(each -> {
            List<SampledRequest> within = facts.requests().stream()
                    .filter(of -> !of.failed() && isSlow(of))
                    .filter(each::hasSent)
                    .toList();
            List<SampledRequest> first = within.subList(0, Math.max(LEAST / 2, within.size() / 8));
            return Facts.medianNanos(first) >= AT_ONCE * Facts.medianNanos(within);
        });
    }

    /** Whether the last one is over before the phase is: otherwise it may be there to stay. */
    boolean end() {
        return episodes.get(episodes.size() - 1).lastNanos()
                < (1 - 2 * END) * facts.wall().toNanos();
    }

    long cases() {
        return episodes.stream().mapToLong(Episode::cases).sum();
    }

    double longestMillis() {
        return episodes.stream().mapToLong(Episode::longestNanos).max().orElse(0) / 1e6;
    }

    double slowMillis() {
        return Facts.medianNanos(slow()) / 1e6;
    }

    double fastMillis() {
        return fastNanos(facts) / 1e6;
    }

    double usualMillis() {
        return facts.medianNanos() / 1e6;
    }

    /** The distance at which they begin, in seconds; empty if it varies. */
    Optional<Double> periodSeconds() {
        return Period.seconds(
                episodes.stream().mapToDouble(of -> of.fromNanos() / 1e9).toArray());
    }
}
