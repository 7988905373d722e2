package io.phaseload.report.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Counters;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Table;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CoursesTest {

    private static final int FIGURE = 2;
    private static final int START = 3;
    private static final int END = 5;
    private static final int SAMPLES = 6;
    private static final int MS = 7;

    /** In an outage there are few requests a second, each of which takes long. */
    @Test
    void binsWidenUntilTheirSamplesSupportThePercentile() {
        List<Interval> intervals = new ArrayList<>();
        for (int second = 0; second < 30; second++) {
            boolean outage = second >= 10 && second < 20;
            intervals.add(second("peak", second, outage ? 60 : 1_000, outage ? 2_000 : 10));
        }

        List<List<Object>> p99 = rows(intervals, "p99");

        assertThat(p99).extracting(row -> row.get(START)).contains(9.0, 10.0, 20.0);
        List<Object> outage = p99.stream()
                .filter(row -> row.get(START).equals(10.0))
                .findFirst()
                .orElseThrow();
        assertThat(outage.get(END)).isEqualTo(20.0);
        assertThat(outage.get(SAMPLES)).isEqualTo(600L);
        assertThat((Double) outage.get(MS)).isBetween(1_990.0, 2_010.0);
        assertThat(rows(intervals, "p50")).hasSize(30);
        assertThat(p99.stream().mapToLong(row -> (Long) row.get(SAMPLES)).sum()).isEqualTo(20_600L);
    }

    @Test
    void whatIsLeftOfAPhaseJoinsItsLastPointAndNoPointSpansTwo() {
        List<Interval> intervals = new ArrayList<>();
        intervals.add(second("loading", 0, 600, 10));
        intervals.add(second("loading", 1, 30, 10));
        intervals.add(second("peak", 2, 30, 10));

        assertThat(rows(intervals, "p99"))
                .singleElement()
                .satisfies(row -> assertThat(row.get(END)).isEqualTo(2.0))
                .satisfies(row -> assertThat(row.get(SAMPLES)).isEqualTo(630L));
        // Of the stretches of the highest percentile: none is drawn above it.
        assertThat(rows(intervals, "max")).extracting(row -> row.get(END)).containsExactly(2.0, 3.0);
    }

    @Test
    void nothingIsDrawnWhereNothingWasReceived() {
        List<Interval> intervals = new ArrayList<>();
        for (int second = 0; second < 6; second++) {
            intervals.add(second("peak", second, second == 0 || second == 3 || second == 4 ? 0 : 600, 10));
        }

        for (String figure : List.of("p50", "p99", "max")) {
            assertThat(rows(intervals, figure))
                    .extracting(row -> row.get(START))
                    .as(figure)
                    .containsExactly(1.0, 2.0, 5.0);
        }
    }

    @Test
    void everyRequestIsInOneCellOfTheHeatMap() {
        List<Interval> intervals = new ArrayList<>();
        for (int second = 0; second < 300; second++) {
            intervals.add(second("peak", second, 100, second < 150 ? 5 : 80));
        }

        Table heat = Courses.heat(Timeline.of(intervals).bins());

        assertThat(heat.rows()).hasSizeLessThanOrEqualTo(80);
        assertThat(heat.rows().stream().mapToLong(row -> (Long) row.get(5)).sum())
                .isEqualTo(30_000L);
        assertThat(heat.rows())
                .first()
                .satisfies(row -> assertThat((Double) row.get(3)).isLessThanOrEqualTo(5))
                .satisfies(row -> assertThat((Double) row.get(4)).isGreaterThanOrEqualTo(5));
    }

    private static List<List<Object>> rows(List<Interval> intervals, String figure) {
        return Courses.latencies(Timeline.of(intervals).bins()).rows().stream()
                .filter(row -> row.get(FIGURE).equals(figure))
                .toList();
    }

    private static Interval second(String phase, int second, int requests, long millis) {
        Histogram nanos = new Histogram(1, 3_600_000_000_000L, 3);
        nanos.recordValueWithCount(millis * 1_000_000, requests);
        Tally tally = Tally.of(
                Map.of(Timing.RESPONSE, nanos),
                Map.of(),
                new Counters(requests, 0, 0, 0, 0, Map.of(), Map.of()),
                Map.of());
        return new Interval(phase, Duration.ofSeconds(second), Duration.ofSeconds(1), List.of(tally));
    }
}
