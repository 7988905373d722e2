package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.share.Part;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How agents share a plan. */
class PlanSplitTest {

    @Test
    void equalAgentsTakeTurns() {
        assertThat(PlanSplit.byWeight(List.of(1, 1, 1)).toString()).isEqualTo("[1/3, 2/3, 3/3]");
        assertThat(PlanSplit.byWeight(List.of(7, 7)).toString()).isEqualTo("[1/2, 2/2]");
    }

    /** Spread over the round, not one after another: the load of each agent is even. */
    @Test
    void aHeavyAgentHasMoreTurns() {
        assertThat(PlanSplit.byWeight(List.of(3, 1)).toString()).isEqualTo("[1,2,4/4, 3/4]");
    }

    @Test
    void everyUserIsOneAgentsAndWeightsHold() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<Integer> weights = IntStream.range(0, 1 + random.nextInt(8))
                    .mapToObj(i -> 1 + random.nextInt(20))
                    .toList();
            int users = random.nextInt(500);
            List<Part> parts = PlanSplit.byWeight(weights);

            assertThat(LongStream.range(0, users)
                            .map(user ->
                                    parts.stream().filter(of -> of.has(user)).count()))
                    .allMatch(owners -> owners == 1);
            long sum = weights.stream().mapToLong(Integer::longValue).sum();
            for (int i = 0; i < parts.size(); i++) {
                double fair = (double) users * weights.get(i) / sum;
                assertThat((double) parts.get(i).count(users)).isBetween(fair - 4, fair + 4);
            }
        }
    }
}
