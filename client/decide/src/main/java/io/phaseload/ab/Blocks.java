package io.phaseload.ab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of runs. Each block has two runs of A, two of A again and two of B, the second half in the reverse order of
 * the first, such as A, B, A again, A again, B, A. So the mean position of all three is the same, and a drift that is
 * linear within a block changes none of their differences. The order of the first half is random; six blocks have all
 * six orders, so that each comes first equally often.
 */
public final class Blocks {

    /** The number of runs in a block. */
    public static final int RUNS = 6;

    private static final List<List<Arm>> ORDERS = List.of(
            List.of(Arm.A, Arm.B, Arm.AGAIN),
            List.of(Arm.AGAIN, Arm.B, Arm.A),
            List.of(Arm.B, Arm.A, Arm.AGAIN),
            List.of(Arm.B, Arm.AGAIN, Arm.A),
            List.of(Arm.A, Arm.AGAIN, Arm.B),
            List.of(Arm.AGAIN, Arm.A, Arm.B));

    private Blocks() {}

    /**
     * The order of a block.
     *
     * @param seed of the comparison
     * @param block from 1
     * @return {@value #RUNS} runs
     */
    public static List<Arm> order(long seed, int block) {
        int round = (block - 1) / ORDERS.size();
        List<List<Arm>> shuffled = new ArrayList<>(ORDERS);
        Collections.shuffle(shuffled, new Random(seed * 31 + round));
        List<Arm> order = new ArrayList<>(shuffled.get((block - 1) % ORDERS.size()));
        List<Arm> reverse = new ArrayList<>(order);
        Collections.reverse(reverse);
        order.addAll(reverse);
        return order;
    }
}
