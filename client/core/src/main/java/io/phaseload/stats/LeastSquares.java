package io.phaseload.stats;

import java.util.Objects;

/**
 * Fits a {@link ScalabilityLaw} to points by non-linear least squares.
 *
 * <p>With <i>a = 1/λ</i>, <i>b = σ/λ</i> and <i>c = κ/λ</i> the law is
 *
 * <pre>X(N) = N/D,   D = a + b·u + c·v,   u = N − 1,   v = N·(N − 1)</pre>
 *
 * <p>The sum of <i>(Xᵢ − Nᵢ/Dᵢ)²</i> is minimized by the Levenberg-Marquardt method. It starts from a linear problem
 * with nearly the same solution: <i>N/X = D</i> with weights <i>X⁴/N²</i>, since an error <i>dX</i> causes one of
 * <i>N/X²·dX</i> in <i>N/X</i>. None of the three may be negative. If one is in the best solution, each combination of
 * zeros is fitted, and the best allowed one counts.
 */
final class LeastSquares {

    private static final int MOST_STEPS = 200;
    private static final int PARAMETERS = 3;

    /** Which of a, b and c aren't 0, from most to least freedom. */
    private static final boolean[][] FREE = {
        {true, true, true}, {true, true, false}, {true, false, true}, {true, false, false}
    };

    private final double[] users;
    private final double[] throughput;

    /** Fits points with at least three different numbers of users and positive throughput. */
    LeastSquares(double[] users, double[] throughput) {
        this.users = users;
        this.throughput = throughput;
    }

    ScalabilityLaw fit() {
        double[] best = null;
        double least = Double.POSITIVE_INFINITY;
        for (boolean[] free : FREE) {
            double[] solution = solve(free);
            double squares = squares(solution);
            if (solution[0] > 0 && solution[1] >= 0 && solution[2] >= 0 && squares < least) {
                best = solution;
                least = squares;
            }
            if (free == FREE[0] && best != null) {
                // All others have less freedom and can't fit better.
                break;
            }
        }
        double[] law = Objects.requireNonNull(best, "a law without contention always fits");
        return new ScalabilityLaw(1 / law[0], law[1] / law[0], law[2] / law[0]);
    }

    private double[] solve(boolean[] free) {
        double[] parameters = start(free);
        double squares = squares(parameters);
        double damping = 1e-3;
        for (int i = 0; i < MOST_STEPS && damping < 1e12; i++) {
            double[] next = plus(parameters, step(parameters, free, damping));
            double after = squares(next);
            if (after <= squares) {
                boolean done = squares - after <= 1e-14 * squares;
                parameters = next;
                squares = after;
                damping = Math.max(damping / 10, 1e-12);
                if (done) {
                    break;
                }
            } else {
                damping *= 10;
            }
        }
        return parameters;
    }

    private double[] start(boolean[] free) {
        double[][] normal = new double[PARAMETERS][PARAMETERS + 1];
        for (int i = 0; i < users.length; i++) {
            double weight = Math.pow(throughput[i], 4) / (users[i] * users[i]);
            add(normal, terms(users[i]), weight, users[i] / throughput[i]);
        }
        double[] solution = solveLinear(normal, free, 0);
        return Double.isFinite(squares(solution)) ? solution : linear();
    }

    /** The straight line through the steepest point, which is always allowed. */
    private double[] linear() {
        double slope = 0;
        for (int i = 0; i < users.length; i++) {
            slope = Math.max(slope, throughput[i] / users[i]);
        }
        return new double[] {1 / slope, 0, 0};
    }

    private double[] step(double[] parameters, boolean[] free, double damping) {
        double[][] normal = new double[PARAMETERS][PARAMETERS + 1];
        for (int i = 0; i < users.length; i++) {
            add(normal, gradient(parameters, i), 1, throughput[i] - value(parameters, i));
        }
        return solveLinear(normal, free, damping);
    }

    /** The leverage of each point: the diagonal of the hat matrix. */
    double leverage(ScalabilityLaw law, int point) {
        double[] parameters = {1 / law.lambda(), law.sigma() / law.lambda(), law.kappa() / law.lambda()};
        boolean[] free = {true, law.sigma() > 0, law.kappa() > 0};
        double[] own = gradient(parameters, point);
        double[][] normal = new double[PARAMETERS][PARAMETERS + 1];
        for (int i = 0; i < users.length; i++) {
            add(normal, gradient(parameters, i), 1, 0);
        }
        for (int i = 0; i < PARAMETERS; i++) {
            normal[i][PARAMETERS] = own[i];
        }
        double[] solved = solveLinear(normal, free, 0);
        return own[0] * solved[0] + own[1] * solved[1] + own[2] * solved[2];
    }

    private double squares(double[] parameters) {
        double sum = 0;
        for (int i = 0; i < users.length; i++) {
            if (!(denominator(parameters, users[i]) > 0)) {
                return Double.POSITIVE_INFINITY;
            }
            double residual = throughput[i] - value(parameters, i);
            sum += residual * residual;
        }
        return sum;
    }

    private double value(double[] parameters, int point) {
        return users[point] / denominator(parameters, users[point]);
    }

    /** dX/da, dX/db and dX/dc: −N/D² times what each is multiplied by. */
    private double[] gradient(double[] parameters, int point) {
        double d = denominator(parameters, users[point]);
        double[] gradient = terms(users[point]);
        for (int i = 0; i < PARAMETERS; i++) {
            gradient[i] *= -users[point] / (d * d);
        }
        return gradient;
    }

    private static double denominator(double[] parameters, double n) {
        double[] terms = terms(n);
        return parameters[0] + parameters[1] * terms[1] + parameters[2] * terms[2];
    }

    private static double[] terms(double n) {
        return new double[] {1, n - 1, n * (n - 1)};
    }

    private static void add(double[][] normal, double[] row, double weight, double right) {
        for (int i = 0; i < PARAMETERS; i++) {
            for (int j = 0; j < PARAMETERS; j++) {
                normal[i][j] += weight * row[i] * row[j];
            }
            normal[i][PARAMETERS] += weight * row[i] * right;
        }
    }

    private static double[] plus(double[] one, double[] other) {
        return new double[] {one[0] + other[0], one[1] + other[1], one[2] + other[2]};
    }

    /**
     * Solves the normal equations for the free parameters by elimination. They are scaled to a diagonal of 1, since a,
     * b and c may differ by orders of magnitude; damping is added to the diagonal.
     */
    private static double[] solveLinear(double[][] normal, boolean[] free, double damping) {
        double[] scale = new double[PARAMETERS];
        double[][] m = new double[PARAMETERS][PARAMETERS + 1];
        for (int i = 0; i < PARAMETERS; i++) {
            scale[i] = free[i] && normal[i][i] > 0 ? 1 / Math.sqrt(normal[i][i]) : 0;
        }
        for (int i = 0; i < PARAMETERS; i++) {
            for (int j = 0; j < PARAMETERS; j++) {
                m[i][j] = normal[i][j] * scale[i] * scale[j];
            }
            m[i][i] = 1 + damping;
            m[i][PARAMETERS] = normal[i][PARAMETERS] * scale[i];
        }
        for (int i = 0; i < PARAMETERS; i++) {
            for (int j = i + 1; j < PARAMETERS; j++) {
                double factor = m[j][i] / m[i][i];
                for (int k = i; k <= PARAMETERS; k++) {
                    m[j][k] -= factor * m[i][k];
                }
            }
        }
        double[] solution = new double[PARAMETERS];
        for (int i = PARAMETERS - 1; i >= 0; i--) {
            double rest = m[i][PARAMETERS];
            for (int j = i + 1; j < PARAMETERS; j++) {
                rest -= m[i][j] * solution[j];
            }
            solution[i] = rest / m[i][i];
        }
        for (int i = 0; i < PARAMETERS; i++) {
            solution[i] *= scale[i];
        }
        return solution;
    }
}
