package io.phaseload.report;

import io.phaseload.measure.Interval;
import io.phaseload.measure.ServerFigures;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A run over time in at most about 600 bins of the same length, each within one phase; the last one
 * of a phase may be up to a half shorter or longer. Histograms of what falls into a bin are added;
 * no percentile is averaged.
 *
 * @param bins in the order of time
 */
record Timeline(List<Bin> bins) {

    /** More can't be told apart on a screen, and a page must stay small. */
    static final int MOST_BINS = 600;

    private static final int[] NICE_SECONDS = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600};

    /**
     * What ended in one stretch of a phase.
     *
     * @param phase its name
     * @param start since the run's start
     * @param end since the run's start
     * @param operations one an operation
     * @param all their sum
     * @param server what the target said of itself, each time it was asked
     */
    record Bin(
            String phase,
            Duration start,
            Duration end,
            List<Tally> operations,
            Tally all,
            List<ServerFigures> server) {

        double startSeconds() {
            return start.toNanos() / 1e9;
        }

        double endSeconds() {
            return end.toNanos() / 1e9;
        }

        double lengthSeconds() {
            return endSeconds() - startSeconds();
        }

        /** In the middle. */
        double atSeconds() {
            return (startSeconds() + endSeconds()) / 2;
        }

        private static Bin of(List<Interval> intervals) {
            Interval first = intervals.get(0);
            List<Tally> operations = new ArrayList<>();
            for (int i = 0; i < first.operations().size(); i++) {
                int operation = i;
                operations.add(
                        Tally.sum(
                                intervals.stream()
                                        .map(interval -> interval.operations().get(operation))
                                        .toList()));
            }
            Tally all = Tally.sum(operations);
            // Hundreds of them are kept.
            operations.forEach(Tally::pack);
            all.pack();
            Duration end =
                    intervals.stream().map(Timeline::end).max(Duration::compareTo).orElseThrow();
            return new Bin(
                    first.phase(),
                    first.start(),
                    end,
                    operations,
                    all,
                    intervals.stream().flatMap(interval -> interval.server().stream()).toList());
        }
    }

    /** Of a run's intervals, in the order of time. */
    static Timeline of(List<Interval> intervals) {
        Duration bin = bin(intervals);
        List<Bin> bins = new ArrayList<>();
        List<Interval> group = new ArrayList<>();
        for (int i = 0; i < intervals.size(); i++) {
            group.add(intervals.get(i));
            boolean last =
                    i + 1 == intervals.size()
                            || !intervals.get(i + 1).phase().equals(intervals.get(i).phase());
            if (last || (isFull(group, bin) && !isRest(intervals, i + 1, bin))) {
                bins.add(Bin.of(group));
                group.clear();
            }
        }
        return new Timeline(bins);
    }

    /** The shortest one of a few round lengths with which there aren't too many. */
    static Duration bin(List<Interval> intervals) {
        Duration first = intervals.isEmpty() ? Duration.ZERO : intervals.get(0).start();
        Duration length =
                intervals.stream()
                        .map(Timeline::end)
                        .max(Duration::compareTo)
                        .orElse(first)
                        .minus(first);
        for (int seconds : NICE_SECONDS) {
            if (length.toSeconds() <= (long) seconds * MOST_BINS) {
                return Duration.ofSeconds(seconds);
            }
        }
        return length.dividedBy(MOST_BINS);
    }

    private static boolean isFull(List<Interval> group, Duration bin) {
        Duration length = end(group.get(group.size() - 1)).minus(group.get(0).start());
        // Seconds aren't exact: the ticker may come a little early.
        return length.toMillis() >= bin.toMillis() - 250;
    }

    /** Whether so little of the phase is left that its rate would mean nothing. */
    private static boolean isRest(List<Interval> intervals, int from, Duration bin) {
        String phase = intervals.get(from).phase();
        Duration start = intervals.get(from).start();
        for (int i = from; i < intervals.size() && intervals.get(i).phase().equals(phase); i++) {
            if (end(intervals.get(i)).minus(start).compareTo(bin.dividedBy(2)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static Duration end(Interval interval) {
        return interval.start().plus(interval.length());
    }
}
