package io.phaseload.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.phaseload.scrape.PrometheusText.MetricSample;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {

    private static final String TEXT = "text/plain; version=0.0.4";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

    /** The example of the format's own description. */
    @Test
    void readsTheExample() throws IOException {
        List<MetricSample> samples = PrometheusText.parse(
                TEXT,
                """
                        # HELP http_requests_total The total number of HTTP requests.
                        # TYPE http_requests_total counter
                        http_requests_total{method="post",code="200"} 1027 1395066363000
                        http_requests_total{method="post",code="400"}    3 1395066363000

                        # Escaping in label values:
                        msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9

                        # Minimalistic line:
                        metric_without_timestamp_and_labels 12.47

                        # A weird metric from before the epoch:
                        something_weird{problem="division by zero"} +Inf -3982045

                        # A histogram, which has a pretty complex representation in the text format:
                        # TYPE http_request_duration_seconds histogram
                        http_request_duration_seconds_bucket{le="0.05"} 24054
                        http_request_duration_seconds_bucket{le="+Inf"} 144320
                        http_request_duration_seconds_sum 53423
                        """);
        assertThat(samples).hasSize(8);
        assertThat(samples.get(0).series().labels()).isEqualTo(Map.of("method", "post", "code", "200"));
        assertThat(samples.get(1).value()).isEqualTo(3);
        assertThat(samples.get(2).series().labels().get("path")).isEqualTo("C:\\DIR\\FILE.TXT");
        assertThat(samples.get(2).series().labels().get("error")).isEqualTo("Cannot find file:\n\"FILE.TXT\"");
        assertThat(samples.get(2).value()).isEqualTo(1_458_255_915);
        assertThat(samples.get(3).value()).isEqualTo(12.47);
        assertThat(samples.get(4).value()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void readsEveryKindOfNumber() throws IOException {
        String text = "a NaN\nb -Inf\nc -1.5E-3\nd .5\ne 5.\nf +2e+2\ng inf\nh 0 12.5\n";
        assertThat(PrometheusText.parse(TEXT, text))
                .extracting(MetricSample::value)
                .containsExactly(
                        Double.NaN, Double.NEGATIVE_INFINITY, -0.0015, 0.5, 5.0, 200.0, Double.POSITIVE_INFINITY, 0.0);
    }

    @Test
    void readsBlanksWhereAllowed() throws IOException {
        String text = "\n  a  \t1  \r\nb\t{x=\"y\" , }\t2\t3\nc{x=\"} 1\"} 4";
        assertThat(PrometheusText.parse(TEXT, text))
                .extracting(sample -> sample.series().name(), MetricSample::value)
                .containsExactly(tuple("a", 1.0), tuple("b", 2.0), tuple("c", 4.0));
    }

    @Test
    void skipsExemplars() throws IOException {
        String text = "foo_bucket{le=\"10\"} 17 # {trace_id=\"oHg5\"} 9.8 1520879607.789\n"
                + "foo_count 17 1520879607.789 # {trace_id=\"oHg5\"} 9.8\n# EOF\n";
        assertThat(PrometheusText.parse(OPEN_METRICS, text))
                .extracting(MetricSample::value)
                .containsExactly(17.0, 17.0);
    }

    @Test
    void detectsATruncatedPage() {
        assertThatThrownBy(() -> PrometheusText.parse(OPEN_METRICS, "a 1\n"))
                .isInstanceOf(IOException.class)
                .hasMessage("the page ends before its # EOF");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a{}",
                "a x",
                "a 1 x",
                "a 1 2 3",
                "a 1d",
                "a 0x1",
                "a Infinity",
                "a 1,5",
                "a{b=\"c\" 1",
                "a{b=\"c} 1",
                "a{b=c} 1",
                "a} 1",
                "1 1",
                "<html>",
                "{\"a\": 1}"
            })
    void rejectsAnInvalidLine(String line) {
        assertThatThrownBy(() -> PrometheusText.parse(TEXT, "# HELP\nup 1\n" + line + "\n"))
                .isInstanceOf(IOException.class)
                .hasMessage("line 3 isn't in Prometheus text format: " + line);
    }
}
