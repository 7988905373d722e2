package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.report.charts.Axis;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.pictures.Pictures;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SketchesTest {

    @Test
    void axesHaveRoundNumbers() {
        assertThat(Axis.fromZero(DoubleStream.of(1_190)).ticks().values())
                .containsExactly("0", "200", "400", "600", "800", "1,000", "1,200");
        assertThat(Axis.fromZero(DoubleStream.empty()).ticks().values()).contains("0", "1");
        assertThat(Axis.logarithmic(DoubleStream.of(0, 0.4, 12)).ticks().values())
                .containsExactly("0.5", "1", "2", "5", "10");
        assertThat(Axis.logarithmic(DoubleStream.of(6, 7)).ticks().values()).containsExactly("6", "7");
        assertThat(Axis.logarithmic(DoubleStream.of(0.002, 7_000)).ticks().values())
                .containsExactly("0.01", "0.1", "1", "10", "100", "1,000");
        assertThat(Axis.percentiles(new double[] {1, 20_000_000}).ticks().values())
                .startsWith("0 %", "50 %", "90 %", "99 %")
                .endsWith("99.9999 %", "99.99999 %");
        assertThat(Axis.time(0, 90).ticks().values())
                .containsExactly("0:00", "0:10", "0:20", "0:30", "0:40", "0:50", "1:00", "1:10", "1:20", "1:30");
        assertThat(Axis.steps("threads", new double[] {100, 10, 1}).ticks().values())
                .containsExactly("1", "10", "100");
    }

    @Test
    void equalFactorsAreEqualDistancesOnALogarithmicAxis() {
        Axis axis = Axis.steps("threads", new double[] {1, 10, 100});
        assertThat(axis.place(10)).isCloseTo(0.5, within(1e-9));
        assertThat(Axis.steps("threads", new double[] {5}).place(5)).isEqualTo(0.5);
    }

    @Test
    void aRunHasItsFirstChartsWithoutScripts() {
        SyntheticRun run = SyntheticRun.run(30, 100, "GET /", "POST /<cart>");
        String page = run.page();
        assertThat(page.split("<svg class=\"sketch\"", -1)).hasSize(4);
        assertThat(page)
                .contains(">succeeded</text>", ">p99</text>", ">http 503</text>")
                .contains("role=\"img\" aria-label=\"Response time\"");
        assertThat(Pictures.sketch(run.tables(), new Theme(), "client")).isEmpty();
    }

    /** Where a policy refuses styles, there are no variables. */
    @Test
    void coloursAreThereWithoutStyles() {
        List<String> colors = new Theme().colors("category");
        assertThat(colors).allMatch(color -> color.matches("#\\w{6}|var\\(--[\\w-]+,#\\w{6}\\)"));
    }
}
