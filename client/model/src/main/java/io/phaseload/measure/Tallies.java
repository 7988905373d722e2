package io.phaseload.measure;

import io.phaseload.measure.times.Times;
import io.phaseload.timing.Timing;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Several tallies together: one an operation, or one an interval. */
public final class Tallies {

    private Tallies() {}

    /**
     * Creates empty tallies.
     *
     * @param count their number, such as one per operation
     * @return an immutable list of them
     */
    public static List<Tally> newList(int count) {
        return Stream.generate(Tally::new).limit(count).toList();
    }

    /**
     * Adds tallies to others, each to the one with the same index.
     *
     * @param sums the tallies to add to
     * @param more as many tallies, which aren't changed
     */
    public static void addEach(List<Tally> sums, List<Tally> more) {
        for (int i = 0; i < sums.size(); i++) {
            sums.get(i).add(more.get(i));
        }
    }

    /**
     * Adds tallies.
     *
     * @param tallies the tallies, which aren't changed
     * @return their sum
     */
    public static Tally sum(Collection<Tally> tallies) {
        Tally sum = new Tally();
        sum.addAll(tallies);
        return sum;
    }

    /**
     * Adds lists of tallies, those with the same index to each other.
     *
     * @param count the number of tallies that each list has
     * @param lists such as of intervals; they aren't changed
     * @return as many sums, packed
     */
    public static List<Tally> sumEach(int count, List<List<Tally>> lists) {
        return IntStream.range(0, count)
                .mapToObj(index -> {
                    Tally sum = sum(lists.stream().map(of -> of.get(index)).toList());
                    // Before the next: a live one takes up to two MiB.
                    sum.pack();
                    return sum;
                })
                .toList();
    }

    /**
     * Adds the times of one timing, without those of the others.
     *
     * @param tallies left as they are
     * @param timing the timing
     * @return a new histogram, in nanoseconds
     */
    public static Histogram sum(Collection<Tally> tallies, Timing timing) {
        Histogram sum = Times.newHistogram();
        tallies.forEach(tally -> tally.addTo(timing, sum));
        return sum;
    }
}
