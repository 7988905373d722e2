package io.phaseload.report.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.report.tables.Timeline.Bin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void tenMinutesAreShownBySecond() {
        List<Interval> intervals = seconds("peak", 0, 600);

        assertThat(Timeline.bin(intervals)).isEqualTo(Duration.ofSeconds(1));
        assertThat(Timeline.of(intervals).bins()).hasSize(600);
    }

    @Test
    void noBinSpansTwoPhases() {
        List<Interval> intervals = seconds("loading", 0, 1_003);
        intervals.addAll(seconds("peak", 1_003, 1_001));

        List<Bin> bins = Timeline.of(intervals).bins();

        assertThat(bins).extracting(Bin::phase).containsOnly("loading", "peak");
        assertThat(bins.stream().filter(bin -> bin.phase().equals("peak")).findFirst())
                .hasValueSatisfying(bin -> assertThat(bin.startSeconds()).isEqualTo(1_003));
        assertThat(bins.stream().mapToDouble(Bin::lengthSeconds).sum()).isEqualTo(2_004);
    }

    /** A rate of a tenth of a second would be a spike that isn't there. */
    @Test
    void theRestOfAPhaseJoinsTheLastBin() {
        List<Interval> intervals = seconds("peak", 0, 3);
        intervals.add(new Interval("peak", Duration.ofSeconds(3), Duration.ofMillis(100), List.of(new Tally())));

        assertThat(Timeline.of(intervals).bins()).extracting(Bin::lengthSeconds).containsExactly(1.0, 1.0, 1.1);
    }

    /** Two runs of the same time have twice the rate, not twice the time. */
    @Test
    void mergedRunsOverlap() {
        List<Interval> intervals = seconds("peak", 0, 3);
        for (int i = 0; i < 3; i++) {
            Duration half = Duration.ofMillis(1_000 * i + 400);
            intervals.add(2 * i + 1, new Interval("peak", half, Duration.ofSeconds(1), none()));
        }

        assertThat(Timeline.of(intervals).bins())
                .extracting(Bin::startSeconds, Bin::endSeconds)
                .containsExactly(tuple(0.0, 1.0), tuple(1.0, 2.0), tuple(2.0, 3.4));
    }

    @Test
    void anEmptyRunIsAnEmptyTimeline() {
        assertThat(Timeline.of(List.of()).bins()).isEmpty();
    }

    private static List<Interval> seconds(String phase, int from, int count) {
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            intervals.add(new Interval(phase, Duration.ofSeconds(from + i), Duration.ofSeconds(1), none()));
        }
        return intervals;
    }

    private static List<Tally> none() {
        return List.of(new Tally());
    }
}
