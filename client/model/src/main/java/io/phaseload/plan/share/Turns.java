package io.phaseload.plan.share;

/** Shares by weight without chance. */
public final class Turns {

    private Turns() {}

    /**
     * Exact shares by weight, as evenly mixed as they can be.
     *
     * @param weights each 0 or more, at least one of them more than 0
     * @return indices of weights, each as often as its share says, for the shortest such round
     */
    public static int[] of(int... weights) {
        int divisor = 0;
        int sum = 0;
        for (int weight : weights) {
            divisor = gcd(divisor, weight);
            sum += weight;
        }
        int[] turns = new int[sum / divisor];
        int[] credit = new int[weights.length];
        for (int turn = 0; turn < turns.length; turn++) {
            int most = 0;
            for (int i = 0; i < credit.length; i++) {
                credit[i] += weights[i];
                most = credit[i] > credit[most] ? i : most;
            }
            credit[most] -= sum;
            turns[turn] = most;
        }
        return turns;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
