package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.sweep.trials.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridTest {

    @Test
    void loadVariesFasterThanParameters() {
        Grid grid = new Grid()
                .vary("size", List.of("1k", "64k"))
                .load(List.of(Map.of("rate", "5/s")))
                .load(List.of(Map.of("duration", "1s", "threads", "10"), Map.of("duration", "2s", "threads", "20")))
                .vary("mode", List.of("a"));

        assertThat(grid.steps(3))
                .extracting(Step::number, Step::toString)
                .map(Object::toString)
                .containsExactly(
                        "(1, \"threads=10, rate=5/s, duration=1s, size=1k, mode=a\")",
                        "(2, \"threads=20, rate=5/s, duration=2s, size=1k, mode=a\")",
                        "(3, \"threads=10, rate=5/s, duration=1s, size=64k, mode=a\")",
                        "(4, \"threads=20, rate=5/s, duration=2s, size=64k, mode=a\")");
    }

    @Test
    void withoutAxesThereIsASingleStep() {
        assertThat(new Grid().steps(1)).containsExactly(new Step(1, Map.of()));
    }

    @Test
    void tooManyTrialsAreRejectedBeforeStepsAreCreated() {
        Grid grid = new Grid();
        List<String> ten = List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        for (String name : List.of("a", "b", "c", "d")) {
            grid.vary(name, ten);
        }
        assertThat(grid.steps(1)).hasSize(10_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid.steps(2))
                .withMessage("20000 trials: expected at most 10000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p50_ms", "threads", "rate", "step", "trial", "1a", "", "a-b", "size"})
    void aNameIsUniqueAndNotAColumn(String name) {
        Grid grid = new Grid().vary("size", List.of("1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid.vary(name, List.of("1")))
                .withMessageStartingWith("expected ");
    }

    @Test
    void loadsAreThoseThatReportsKnow() {
        assertRefused("{size=1}: expected threads or rate or duration", List.of(Map.of("size", "1")));
        assertRefused(
                "{rate=5/s}: expected the same names everywhere",
                List.of(Map.of("threads", "1"), Map.of("rate", "5/s")));
        assertRefused("expected each value once", List.of(Map.of("threads", "1"), Map.of("threads", "1")));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Grid().load(List.of(Map.of("rate", "100"))).steps(1))
                .withMessage("rate 100: expected a rate such as 500/s, 1.5k/s or 30/m");
    }

    private static void assertRefused(String message, List<Map<String, String>> points) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Grid().load(points))
                .withMessage(message);
    }
}
