package io.phaseload.cluster;

import io.phaseload.plan.share.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Deals a plan to agents. */
final class PlanSplit {

    private PlanSplit() {}

    /**
     * Turns by weight: as many of a round as an agent's weight, spread over it, the first ones first. Equal weights are
     * one turn each.
     *
     * @param weights of the agents, 1 or more each
     * @return a part for each agent; together they have every turn
     */
    static List<Part> byWeight(List<Integer> weights) {
        int divisor = weights.stream().reduce(0, PlanSplit::greatestCommonDivisor);
        List<Integer> own = weights.stream().map(weight -> weight / divisor).toList();
        int round = own.stream().mapToInt(Integer::intValue).sum();
        List<List<Integer>> turns = new ArrayList<>();
        own.forEach(weight -> turns.add(new ArrayList<>()));
        long[] credit = new long[own.size()];
        for (int turn = 0; turn < round; turn++) {
            for (int i = 0; i < credit.length; i++) {
                credit[i] += own.get(i);
            }
            int next = IntStream.range(0, credit.length).reduce(0, (a, b) -> credit[b] > credit[a] ? b : a);
            credit[next] -= round;
            turns.get(next).add(turn);
        }
        return turns.stream().map(dealt -> new Part(dealt, round)).toList();
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
