package io.phaseload.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearMissesTest {

    private static final List<String> OPTIONS =
            List.of("--threads", "--iterations", "--connect-timeout", "--url", "--get", "--rate");

    @Test
    void aPropertyThatIsNearlyAnOptionIsNamed() {
        assertThat(NearMisses.lines(OPTIONS, List.of("thread", "Iterations", "connectTimeout", "threads"), List.of()))
                .containsExactly(
                        "warning: -DIterations: no such option, did you mean -Diterations?",
                        "warning: -DconnectTimeout: no such option, did you mean" + " -Dconnect-timeout?",
                        "warning: -Dthread: no such option, did you mean -Dthreads?");
    }

    @Test
    void anEnvironmentVariableIsNeverRead() {
        assertThat(NearMisses.lines(OPTIONS, List.of(), List.of("THREAD", "PHASELOAD_RATE")))
                .containsExactly(
                        "warning: environment variable PHASELOAD_RATE: is not read, did you mean"
                                + " --rate or -Drate?",
                        "warning: environment variable THREAD: is not read, did you mean" + " --threads or -Dthreads?");
    }

    @Test
    void othersAreLeftAlone() {
        assertThat(NearMisses.lines(
                        OPTIONS,
                        List.of("test", "thread.count", "ur", "user"),
                        List.of("URL", "PATH", "HOME", "PHASELOAD_JAVA_OPTS")))
                .isEmpty();
    }
}
