package io.phaseload.measure.times;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A sum of packed times by their places in a histogram. A histogram computes the place of each value that is added to
 * it, and looks for its least and greatest: of thousands of seconds, most of the time.
 */
final class PlaceCounts {

    private long[] counts = new long[0];

    void add(int place, long count) {
        if (place >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(place + 1, 2 * counts.length));
        }
        counts[place] += count;
    }

    void addTo(Histogram sum) {
        for (int place = 0; place < counts.length; place++) {
            if (counts[place] > 0) {
                sum.recordValueWithCount(Times.lowestAt(place), counts[place]);
            }
        }
    }
}
