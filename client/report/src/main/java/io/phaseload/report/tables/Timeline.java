package io.phaseload.report.tables;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A run over time in at most about 600 bins of equal length, each within one phase; the last bin of a phase may be up
 * to a half shorter or longer. The histograms of a bin are added; no percentile is averaged.
 *
 * @param bins in the order of time
 */
public record Timeline(List<Bin> bins) {

    /** A screen can't show more, and a page must stay small. */
    static final int MOST_BINS = 600;

    private static final Duration EARLY = Duration.ofMillis(250);

    private static final int[] NICE_SECONDS = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600};

    /**
     * The requests that ended in one part of a phase.
     *
     * @param phase its name
     * @param start since the run's start
     * @param end since the run's start
     * @param operations one per operation
     * @param all the sum of all operations
     * @param client the client machine's figures, one element per interval
     * @param server the target's own figures, one element per reading
     */
    public record Bin(
            String phase,
            Duration start,
            Duration end,
            List<Tally> operations,
            Tally all,
            List<HostFigures> client,
            List<HostFigures> server) {

        public double startSeconds() {
            return start.toNanos() / 1e9;
        }

        double endSeconds() {
            return end.toNanos() / 1e9;
        }

        public double lengthSeconds() {
            return endSeconds() - startSeconds();
        }

        /** In the middle. */
        public double atSeconds() {
            return (startSeconds() + endSeconds()) / 2;
        }

        private static Bin of(Stretch stretch) {
            List<Interval> intervals = stretch.intervals();
            List<Tally> operations = Tallies.sumEach(
                    intervals.get(0).operations().size(),
                    intervals.stream().map(Interval::operations).toList());
            Tally all = Tallies.sum(operations);
            // Hundreds of them are kept.
            all.pack();
            return new Bin(
                    stretch.phase(),
                    stretch.start(),
                    stretch.end(),
                    operations,
                    all,
                    intervals.stream().map(Interval::client).toList(),
                    intervals.stream()
                            .flatMap(interval -> interval.server().stream())
                            .toList());
        }
    }

    /**
     * The intervals of a bin, for what needs no histograms of them: adding thousands takes a while.
     *
     * @param phase its name
     * @param start since the run's start
     * @param end since the run's start
     * @param intervals at least one
     */
    record Stretch(String phase, Duration start, Duration end, List<Interval> intervals) {

        double lengthSeconds() {
            return end.toNanos() / 1e9 - start.toNanos() / 1e9;
        }

        long requests(int operation) {
            return intervals.stream()
                    .mapToLong(interval -> interval.operations().get(operation).requests())
                    .sum();
        }
    }

    /** Creates it from a run's intervals, in order of time. */
    public static Timeline of(List<Interval> intervals) {
        return new Timeline(stretches(intervals).stream().map(Bin::of).toList());
    }

    /** The same bins, whose intervals aren't added. */
    static List<Stretch> stretches(List<Interval> intervals) {
        Duration bin = bin(intervals);
        Map<String, List<Interval>> byPhase = intervals.stream()
                .collect(Collectors.groupingBy(Interval::phase, LinkedHashMap::new, Collectors.toList()));
        List<Stretch> stretches = new ArrayList<>();
        byPhase.forEach((phase, own) -> {
            List<List<Interval>> groups = groups(own, bin);
            for (int i = 0; i < groups.size(); i++) {
                Duration end = end(groups.get(i));
                Duration next = i + 1 < groups.size() ? start(groups.get(i + 1)) : end;
                // Intervals of merged runs can overlap, and extend into the next bin.
                Duration ends = next.compareTo(end) < 0 ? next : end;
                stretches.add(new Stretch(phase, start(groups.get(i)), ends, groups.get(i)));
            }
        });
        return stretches;
    }

    /** Groups the intervals of one phase by the bin in which they begin. */
    private static List<List<Interval>> groups(List<Interval> phase, Duration bin) {
        Duration first = start(phase);
        List<List<Interval>> groups = new ArrayList<>(phase.stream()
                .collect(Collectors.groupingBy(
                        interval -> index(interval, first, bin), TreeMap::new, Collectors.toList()))
                .values());
        List<Interval> last = groups.get(groups.size() - 1);
        // The rest of a phase may be too short for a meaningful rate.
        if (groups.size() > 1 && end(last).minus(start(last)).compareTo(bin.dividedBy(2)) < 0) {
            groups.remove(groups.size() - 1);
            groups.get(groups.size() - 1).addAll(last);
        }
        return groups;
    }

    private static long index(Interval interval, Duration first, Duration bin) {
        // Seconds aren't exact: the ticker may be a little early.
        return interval.start().minus(first).plus(EARLY).toNanos() / bin.toNanos();
    }

    /** The shortest of a few round lengths that gives few enough bins. */
    static Duration bin(List<Interval> intervals) {
        Duration length = end(intervals).minus(start(intervals));
        for (int seconds : NICE_SECONDS) {
            if (length.toSeconds() <= (long) seconds * MOST_BINS) {
                return Duration.ofSeconds(seconds);
            }
        }
        return length.dividedBy(MOST_BINS);
    }

    private static Duration start(List<Interval> intervals) {
        return intervals.stream().map(Interval::start).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    private static Duration end(List<Interval> intervals) {
        return intervals.stream()
                .map(interval -> interval.start().plus(interval.length()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
