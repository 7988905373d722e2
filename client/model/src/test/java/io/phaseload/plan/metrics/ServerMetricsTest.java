package io.phaseload.plan.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Target;
import io.phaseload.plan.metrics.ServerMetrics.Choice;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerMetricsTest {

    private static final URI PAGE = URI.create("http://localhost/metrics");

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cpu{core=\"0\"}", "rate(cpu)", "rate(cpu{mode=\"idle\"})"})
    void aSelectionRoundTrips(String text) {
        assertThat(Choice.parse(text).toString()).isEqualTo(text);
        assertThat(Choice.parse(text).rate()).isEqualTo(text.startsWith("rate"));
    }

    @Test
    void withoutASelectionTheTargetsOwnFormatIsRead() {
        assertThat(new ServerMetrics(PAGE, Map.of()).names())
                .startsWith("cpuPercent", "inFlight", "busyThreads", "heapMiB")
                .contains("acceptQueue", "machineCpuPercent", "tcpListenOverflowsPerSecond")
                .doesNotContain("longestHiccupMs")
                .doesNotHaveDuplicates();
        assertThat(new ServerMetrics(PAGE, Map.of("up", Choice.parse("up"))).names())
                .containsExactly("up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1x", "CPU", "a-b", "a b", "ä", "a,b"})
    void rejectsANameThatWouldBreakATable(String name) {
        Map<String, Choice> choices = Map.of(name, Choice.parse("up"));
        assertThatThrownBy(() -> new ServerMetrics(PAGE, choices))
                .hasMessage("metric name '%s': expected a lower-case letter, then lower-case letters, digits and '_'"
                        .formatted(name));
    }

    @Test
    void severalServersHaveNames() {
        Map<String, URI> pages = new LinkedHashMap<>();
        pages.put("b", PAGE);
        pages.put("a", URI.create("/metrics"));
        ServerMetrics both = new ServerMetrics(pages, Map.of("up", Choice.parse("up")));

        assertThat(both.names()).containsExactly("b.up", "a.up");
        assertThat(Target.of(URI.create("http://other/")).resolve(both.page("a")))
                .isEqualTo(URI.create("http://other/metrics"));

        pages.put("", PAGE);
        assertThatThrownBy(() -> new ServerMetrics(pages, Map.of()))
                .hasMessage("several servers: expected a name for each: name=http://localhost/metrics");
        assertThatThrownBy(() -> new ServerMetrics(Map.of("A", PAGE), Map.of()))
                .hasMessageStartingWith("server name 'A': expected a lower-case letter");
        assertThatThrownBy(() -> new ServerMetrics(Map.of(), Map.of()))
                .hasMessage("server metrics: expected one server or more");
    }

    @Test
    void aPathIsRelativeToTheTarget() {
        ServerMetrics below = new ServerMetrics(URI.create("/metrics?x=1"), Map.of());
        assertThat(Target.of(URI.create("https://[::1]:8443/app/?q")).resolve(below.page("")))
                .isEqualTo(URI.create("https://[::1]:8443/app/metrics?x=1"));
        assertThat(Target.of(URI.create("http://localhost")).resolve(below.page("")))
                .isEqualTo(URI.create("http://localhost/metrics?x=1"));
        assertThat(Target.of(URI.create("http://other/")).resolve(new ServerMetrics(PAGE, Map.of()).page("")))
                .isEqualTo(PAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metrics", "//host/metrics", "/metrics#x", "ftp://host/", "http:/x"})
    void rejectsOtherAddresses(String uri) {
        assertThatThrownBy(() -> new ServerMetrics(URI.create(uri), Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsAnAddressThatIsInvalidForATarget() {
        assertThatThrownBy(() -> new ServerMetrics(URI.create("file:///x"), Map.of()))
                .hasMessageStartingWith("url 'file:///x': expected http://host");
    }
}
