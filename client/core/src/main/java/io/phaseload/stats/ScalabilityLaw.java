package io.phaseload.stats;

import java.util.OptionalDouble;

/**
 * The Universal Scalability Law (Gunther: Guerrilla Capacity Planning, 2007): the throughput <i>X</i> of <i>N</i>
 * concurrent users,
 *
 * <pre>X(N) = λ·N / (1 + σ·(N − 1) + κ·N·(N − 1))</pre>
 *
 * @param lambda λ, the throughput of a single user, in requests per second; above 0
 * @param sigma σ, contention: the share of the work that is serial; 0 or more
 * @param kappa κ, coherency: the cost of each pair of users, as a share of the work; 0 or more
 */
public record ScalabilityLaw(double lambda, double sigma, double kappa) {

    /**
     * The throughput.
     *
     * @param users N, 1 or more
     * @return requests per second
     */
    public double throughput(double users) {
        return lambda * users / (1 + sigma * (users - 1) + kappa * users * (users - 1));
    }

    /**
     * Where the throughput is greatest, <i>N* = √((1 − σ)/κ)</i>: there dX/dN is 0.
     *
     * @return users, at least 1; empty without coherency, since throughput then never decreases
     */
    public OptionalDouble peak() {
        return kappa == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(Math.max(1, (1 - sigma) / kappa)));
    }

    /**
     * Where users begin to wait for each other rather than to be served: the number that would reach the greatest
     * throughput if it kept growing as at first, <i>X(N*)/λ</i>. Without a peak the throughput's limit is <i>λ/σ</i>,
     * which makes it <i>1/σ</i>. It is where the two asymptotes of operational analysis meet (Denning and Buzen: The
     * Operational Analysis of Queueing Network Models, ACM Computing Surveys 10, 1978).
     *
     * @return users; empty if throughput grows in a straight line
     */
    public OptionalDouble knee() {
        if (peak().isPresent()) {
            return OptionalDouble.of(throughput(peak().getAsDouble()) / lambda);
        }
        return sigma == 0 ? OptionalDouble.empty() : OptionalDouble.of(1 / sigma);
    }
}
