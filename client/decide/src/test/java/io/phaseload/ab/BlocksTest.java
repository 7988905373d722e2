package io.phaseload.ab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlocksTest {

    @Test
    void theMeanPlaceOfAllThreeIsTheSame() {
        for (int block = 1; block <= 30; block++) {
            Map<Arm, Integer> places = new EnumMap<>(Arm.class);
            List<Arm> order = Blocks.order(7, block);
            assertThat(order).hasSize(Blocks.RUNS);
            for (int i = 0; i < order.size(); i++) {
                places.merge(order.get(i), i, Integer::sum);
            }
            assertThat(places.values()).containsOnly(5);
        }
    }

    @Test
    void sixBlocksHaveAllOrders() {
        Set<List<Arm>> orders = new HashSet<>();
        for (int block = 7; block <= 12; block++) {
            orders.add(Blocks.order(3, block));
        }
        assertThat(orders).hasSize(6);
    }

    @Test
    void aSeedRepeatsItsOrder() {
        assertThat(Blocks.order(1, 4)).isEqualTo(Blocks.order(1, 4));
        assertThat(IntStream.range(0, 20)
                        .mapToObj(seed -> Blocks.order(seed, 1))
                        .distinct())
                .hasSizeGreaterThan(3);
    }
}
