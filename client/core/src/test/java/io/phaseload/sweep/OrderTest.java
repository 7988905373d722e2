package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {

    private static final List<Step> STEPS = Rows.steps(10, 20, 30);

    private static List<String> arranged(Order order, long seed) {
        return order.arrange(STEPS, 3, seed).stream().map(Trial::folder).toList();
    }

    @Test
    void interleavedAlternatesDirection() {
        assertThat(arranged(Order.INTERLEAVED, 1))
                .containsExactly(
                        "step-01/trial-1",
                        "step-02/trial-1",
                        "step-03/trial-1",
                        "step-03/trial-2",
                        "step-02/trial-2",
                        "step-01/trial-2",
                        "step-01/trial-3",
                        "step-02/trial-3",
                        "step-03/trial-3");
    }

    @Test
    void sequentialFinishesEachStepFirst() {
        assertThat(arranged(Order.SEQUENTIAL, 1))
                .isSorted()
                .hasSize(9)
                .startsWith("step-01/trial-1", "step-01/trial-2", "step-01/trial-3");
    }

    @Test
    void randomIsAPermutationDeterminedByTheSeed() {
        assertThat(arranged(Order.RANDOM, 7))
                .isEqualTo(arranged(Order.RANDOM, 7))
                .isNotEqualTo(arranged(Order.RANDOM, 8))
                .containsExactlyInAnyOrderElementsOf(arranged(Order.SEQUENTIAL, 1));
    }
}
