package io.phaseload.plan.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesTest {

    @Test
    void readsNameAndLabels() {
        assertThat(Series.parse("up")).isEqualTo(new Series("up", Map.of()));
        assertThat(Series.parse("a:b_c1{}")).isEqualTo(new Series("a:b_c1", Map.of()));
        assertThat(Series.parse("busy{name=\"http-nio-8080\",x=\"\"}"))
                .isEqualTo(new Series("busy", Map.of("name", "http-nio-8080", "x", "")));
        assertThat(Series.parse("m { a = \"1\" , b=\"2\", }")).isEqualTo(new Series("m", Map.of("a", "1", "b", "2")));
    }

    @Test
    void readsEscapes() {
        Series series = Series.parse("m{path=\"C:\\\\dir\\n\\\"}{,=\\\"\"}");
        assertThat(series.labels()).isEqualTo(Map.of("path", "C:\\dir\n\"}{,=\""));
        assertThat(Series.parse(series.toString())).isEqualTo(series);
    }

    @Test
    void readsALongLabel() {
        String value = "\\\\x".repeat(100_000);
        assertThat(Series.parse("m{a=\"" + value + "\"}").labels().get("a")).hasSize(200_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1a",
                "a b",
                "a{",
                "a}",
                "a{b}",
                "a{b=}",
                "a{b=c}",
                "a{b=\"c}",
                "a{1=\"c\"}",
                "a{b=\"c\" d=\"e\"}",
                "a{,}",
                "a{b=\"c\",,d=\"e\"}",
                "a{b=\"\\t\"}",
                "a{b=\"c\",b=\"d\"}",
                "a{b=\"c\"}x",
                "{b=\"c\"}"
            })
    void rejectsInvalidSeries(String text) {
        assertThatThrownBy(() -> Series.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("metric '" + text + "': expected name or name{label=\"value\",…}");
    }

    @Test
    void aSelectionMatchesSeriesWithItsLabels() {
        Series heap = Series.parse("used{area=\"heap\"}");
        assertThat(heap.covers(Series.parse("used{area=\"heap\",id=\"Eden\"}"))).isTrue();
        assertThat(heap.covers(Series.parse("used{area=\"nonheap\"}"))).isFalse();
        assertThat(heap.covers(Series.parse("used"))).isFalse();
        assertThat(heap.covers(Series.parse("max{area=\"heap\"}"))).isFalse();
        assertThat(Series.parse("used{area=\"\"}").covers(Series.parse("used"))).isTrue();
    }
}
