package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.recording.Recorder;
import io.phaseload.timing.Timing;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TalliesTest {

    /** More requests than are held without a histogram. */
    private static final int MANY = 600;

    private final List<Tally> first = List.of(of(0, MANY), of(0, 1));
    private final List<Tally> second = List.of(of(1_000, MANY), of(1_000, 2));

    private static Tally of(int nanos, int count) {
        Tally tally = new Tally();
        IntStream.range(nanos, nanos + count).forEach(i -> tally.add(Samples.success(i)));
        return tally;
    }

    @Test
    void intervalsAddUpByOperationAndArePacked() {
        List<Tally> sums = Tallies.sumEach(2, List.of(first, second));

        assertThat(sums).extracting(Tally::requests).containsExactly(2L * MANY, 3L);
        assertThat(sums).noneMatch(Tally::isLarge);
        assertThat(first).extracting(Tally::requests).containsExactly((long) MANY, 1L);
    }

    @Test
    void timesOfOneTimingAreAddedFromLivePackedAndFewTimes() {
        List<Tally> tallies = List.of(first.get(0), second.get(0), second.get(1), new Tally());
        tallies.get(1).pack();

        Histogram sum = Tallies.sum(tallies, Timing.SERVICE);

        assertThat(sum.getTotalCount()).isEqualTo(2 * MANY + 2);
        assertThat(sum).isEqualTo(Tallies.sum(tallies).histogram(Timing.SERVICE));
        assertThat(Tallies.sum(tallies, Timing.FAILED).getTotalCount()).isZero();
    }

    @Test
    void aPhaseAddsUpItsIntervalsInPackedSums() {
        Iterator<List<Tally>> recorded = List.of(first, second, second, List.of(new Tally(), new Tally()))
                .iterator();
        Recorder recorder = new Recorder(2, sums -> Tallies.addEach(sums, recorded.next()), List::of);

        recorder.nextInterval();
        recorder.nextInterval();
        assertThat(recorder.soFar()).extracting(Tally::requests).containsExactly(2L * MANY, 3L);
        assertThat(recorder.soFar()).noneMatch(Tally::isLarge);

        recorder.nextInterval();
        List<Tally> totals = recorder.totals();
        assertThat(totals).extracting(Tally::requests).containsExactly(3L * MANY, 5L);
        assertThat(totals).noneMatch(Tally::isLarge);
        assertThat(second).extracting(Tally::requests).containsExactly((long) MANY, 2L);
    }
}
