package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyBarsTest {

    private final LatencyBars bars = new LatencyBars(List.of());
    private final Histogram times = new Histogram(3);

    @Test
    void eachTimeIsInOneBar() {
        times.recordValueWithCount(150_000, 20);
        times.recordValueWithCount(900_000, 60);
        times.recordValueWithCount(1_500_000, 19);
        times.recordValueWithCount(30_000_000, 1);
        bars.add(times);
        assertThat(bars.text(80, '#'))
                .isEqualTo(
                        """

                        Latency, measured phases:
                          <=  200 us   20.0 %            20  #############
                          <=  500 us    0.0 %             0
                          <=    1 ms   60.0 %            60  ########################################
                          <=    2 ms   19.0 %            19  #############
                          <=    5 ms    0.0 %             0
                          <=   10 ms    0.0 %             0
                          <=   20 ms    0.0 %             0
                          <=   50 ms    1.0 %             1  #
                        """);
    }

    @Test
    void aNarrowTerminalHasShorterBars() {
        times.recordValueWithCount(900_000, 60);
        bars.add(times);
        assertThat(bars.text(60, '#').lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60))
                .last()
                .asString()
                .endsWith("60  " + "#".repeat(23));
    }

    @Test
    void noTimesHaveNoBars() {
        assertThat(bars.text(80, '#')).isEmpty();
    }
}
