package io.phaseload.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearMissesTest {

    private static final List<String> NAMES = List.of(
            "--threads",
            "--iterations",
            "--connect-timeout",
            "--url",
            "--get",
            "--rate",
            "--head",
            "--part",
            "--think");

    private static List<String> lines(List<String> properties, List<String> environment) {
        List<OptionSpec> options = Stream.concat(NAMES.stream(), Stream.of("DIR"))
                .map(name -> new OptionSpec(
                        name, List.of(), () -> OptionText.NONE, OptionSpec.Takes.ONE, false, (typed, value) -> {}))
                .toList();
        return NearMisses.lines(() -> options, properties, environment);
    }

    @Test
    void aPropertyThatIsNearlyAnOptionIsNamed() {
        assertThat(lines(List.of("thread", "Iterations", "connectTimeout", "threads"), List.of()))
                .containsExactly(
                        "warning: -DIterations: no such option, did you mean -Diterations?",
                        "warning: -DconnectTimeout: no such option, did you mean -Dconnect-timeout?",
                        "warning: -Dthread: no such option, did you mean -Dthreads?");
    }

    @Test
    void anUnknownVariableIsNamed() {
        assertThat(lines(
                        List.of(),
                        List.of("PHASELOAD_THREAD", "PHASELOAD_RATE", "PHASELOAD_WEATHER", "PHASELOAD_CONNECTTIMEOUT")))
                .containsExactly(
                        "warning: PHASELOAD_CONNECTTIMEOUT: no such option, did you mean PHASELOAD_CONNECT_TIMEOUT?",
                        "warning: PHASELOAD_THREAD: no such option, did you mean PHASELOAD_THREADS?",
                        "warning: PHASELOAD_WEATHER: no such option");
    }

    @Test
    void othersAreLeftAlone() {
        assertThat(lines(
                        List.of("test", "thread.count", "ur", "user"),
                        List.of(
                                "THREAD",
                                "PATH",
                                "PHASELOAD_JAVA_OPTS",
                                "PHASELOAD_CLUSTER_SECRET",
                                "PHASELOAD_SERVICE_HOST",
                                "PHASELOAD_PORT_7800_TCP_ADDR",
                                "PHASELOAD_AGENTS_SERVICE_PORT_HTTP")))
                .isEmpty();
    }

    /** A word of another meaning is no help, but letters are often swapped. */
    @ParameterizedTest
    @CsvSource({
        "--har,",
        "--heda, --head",
        "--thnik, --think",
        "--threds, --threads",
        "--conect-timout, --connect-timeout"
    })
    void aSuggestionIsNear(String typed, String meant) {
        assertThat(EditDistance.nearest(typed, NAMES).orElse(null)).isEqualTo(meant);
    }
}
