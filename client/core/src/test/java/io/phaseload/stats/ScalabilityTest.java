package io.phaseload.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.stats.ScalabilityFit.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The law, and fits of it. */
class ScalabilityTest {

    private static final Percentage FITTED = Percentage.withPercentage(1e-4);
    private static final Offset<Double> ROUNDING = within(1e-9);

    /**
     * SPEC SDM91 on a Sun SPARCcenter 2000 (Gunther: Guerrilla Capacity Planning, and the data set {@code specsdm91} of
     * R's package usl). The coefficients are of {@code scipy.optimize.curve_fit}, SciPy 1.17.1; the package's
     * documentation has them, too.
     */
    @Test
    void fitsThePublishedBenchmark() {
        ScalabilityFit fit = fit(
                new double[] {1, 18, 36, 72, 108, 144, 216},
                new double[] {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2});

        assertThat(fit.law().lambda()).isCloseTo(89.9952326, FITTED);
        assertThat(fit.law().sigma()).isCloseTo(0.0277284754, FITTED);
        assertThat(fit.law().kappa()).isCloseTo(1.04365483e-4, FITTED);
        assertThat(fit.peak().orElseThrow()).isCloseTo(96.519561, FITTED);
        assertThat(fit.throughput(96.519561).orElseThrow()).isCloseTo(1883.8989966, FITTED);
        assertThat(fit.knee().orElseThrow()).isCloseTo(1883.8989966 / 89.9952326, FITTED);
        assertThat(fit.rSquared()).isCloseTo(0.9895614780531269, ROUNDING);
        assertThat(fit.residualError()).isCloseTo(82.84582, within(1e-4));
        assertThat(fit.mostUsers()).isEqualTo(216);
        assertThat(fit.lambda().low()).isLessThan(89.99);
        assertThat(fit.lambda().high()).isGreaterThan(89.99);
        assertThat(fit.peakInterval().low()).isBetween(50.0, 96.0);
    }

    /**
     * The data set {@code raytracer} of the same package. Without bounds its κ would be below 0; with them,
     * {@code curve_fit} finds these.
     */
    @Test
    void coefficientsAreNeverNegative() {
        ScalabilityFit fit = fit(
                new double[] {1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64},
                new double[] {20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310});

        assertThat(fit.law().kappa()).isZero();
        assertThat(fit.law().lambda()).isCloseTo(21.8488428, FITTED);
        assertThat(fit.law().sigma()).isCloseTo(0.0577707804, FITTED);
        assertThat(fit.peak()).isEmpty();
        assertThat(fit.peakInterval().high()).isInfinite();
        assertThat(fit.knee().orElseThrow()).isCloseTo(1 / 0.0577707804, FITTED);
    }

    @ParameterizedTest
    @CsvSource({
        "120, 0.05, 0.0004",
        "120, 0, 0.0004",
        "120, 0.3, 0",
        "0.5, 0, 0",
        "9000, 0.9, 0.01",
        "10, 0.0001, 0.000001"
    })
    void recoversTheLawThatGeneratedThePoints(double lambda, double sigma, double kappa) {
        ScalabilityLaw law = new ScalabilityLaw(lambda, sigma, kappa);
        double[] users = {1, 5, 10, 50, 200, 1_000, 2_000};
        double[] throughput = new double[users.length];
        for (int i = 0; i < users.length; i++) {
            throughput[i] = law.throughput(users[i]);
        }

        ScalabilityFit fit = fit(users, throughput);

        assertThat(fit.law().lambda()).isCloseTo(lambda, Percentage.withPercentage(1e-3));
        assertThat(fit.law().sigma()).isCloseTo(sigma, within(1e-6));
        assertThat(fit.law().kappa()).isCloseTo(kappa, within(1e-9));
        assertThat(fit.rSquared()).isCloseTo(1, ROUNDING);
    }

    /**
     * Systems that follow no law: the best of those whose coefficients aren't below 0, as a search with Nelder's and
     * Mead's simplex finds them from a dozen starts.
     */
    @ParameterizedTest
    @CsvSource({
        "1 2 5 20 100 60, 10.5494506, 0, 0",
        "1 2 5 20 100 10, 7.71573025, 0, 0.00317771851",
        "5 80 3 90 2 70, 24.6988222, 0.146335436, 0.0496355004",
        "10 10 10 10 10 10, 10, 1, 0",
        "100 50 30 25 20 16, 100.034762, 0.92431804, 1.07107131",
    })
    void fitsDataThatFollowNoLaw(String throughputs, double lambda, double sigma, double kappa) {
        double[] measured = Arrays.stream(throughputs.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();

        ScalabilityFit fit = fit(new double[] {1, 2, 3, 4, 5, 6}, measured);

        assertThat(fit.law().lambda()).isCloseTo(lambda, Percentage.withPercentage(1e-2));
        assertThat(fit.law().sigma()).isCloseTo(sigma, within(1e-4));
        assertThat(fit.law().kappa()).isCloseTo(kappa, within(1e-4));
    }

    @Test
    void constantThroughputIsAPoorFit() {
        double[] users = {1, 2, 3, 4, 5, 6};

        ScalabilityFit flat = fit(users, new double[] {10, 10, 10, 10, 10, 10});

        assertThat(flat.rSquared()).isZero();
        assertThat(flat.isPoor()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0.8, false", "0.79, true", "NaN, true"})
    void aPoorFitPredictsNothingBeyondItsSteps(double rSquared, boolean poor) {
        ScalabilityFit fit = of(new ScalabilityLaw(10, 0, 1e-4), rSquared);

        assertThat(fit.isPoor()).isEqualTo(poor);
        assertThat(fit.peak().isPresent()).isEqualTo(!poor);
        assertThat(fit.knee().isPresent()).isEqualTo(!poor);
        assertThat(fit.throughput(200)).isPresent();
        assertThat(fit.throughput(201).isPresent()).isEqualTo(!poor);
    }

    /** √(1/κ) users, where 200 were measured. */
    @ParameterizedTest
    @CsvSource({"400, true", "401, false"})
    void aPeakIsReportedUpToTwiceTheMeasuredUsers(double peak, boolean believed) {
        ScalabilityFit fit = of(new ScalabilityLaw(10, 0, 1 / (peak * peak)), 1);

        assertThat(fit.peak().isPresent()).isEqualTo(believed);
    }

    private static ScalabilityFit of(ScalabilityLaw law, double rSquared) {
        ConfidenceInterval any = new ConfidenceInterval(0, 1, 0.95);
        return new ScalabilityFit(law, any, any, any, any, rSquared, 0, 200);
    }

    /** The trace of the hat matrix is the number of coefficients that aren't 0. */
    @ParameterizedTest
    @CsvSource({"0.05, 0.0004, 3", "0.05, 0, 2", "0, 0.0004, 2", "0, 0, 1"})
    void leveragesAddUpToTheCoefficients(double sigma, double kappa, int coefficients) {
        double[] users = {1, 5, 10, 50, 200};
        LeastSquares squares = new LeastSquares(users, new double[] {1, 1, 1, 1, 1});
        ScalabilityLaw law = new ScalabilityLaw(120, sigma, kappa);
        double sum = 0;
        for (int i = 0; i < users.length; i++) {
            double leverage = squares.leverage(law, i);
            assertThat(leverage).isBetween(0.0, 1.0);
            sum += leverage;
        }
        assertThat(sum).isCloseTo(coefficients, ROUNDING);
    }

    /** The diagonal of J·(JᵀJ)⁻¹·Jᵀ, in fractions without rounding. */
    @Test
    void leveragesAreTheDiagonalOfTheHatMatrix() {
        double[] expected = {0.0516749095, 0.428481607, 0.559550873, 0.967118484, 0.993174127};
        LeastSquares squares = new LeastSquares(new double[] {1, 5, 10, 50, 200}, new double[] {1, 1, 1, 1, 1});
        for (int i = 0; i < expected.length; i++) {
            assertThat(squares.leverage(new ScalabilityLaw(120, 0.05, 0.0004), i))
                    .isCloseTo(expected[i], within(1e-8));
        }
    }

    /** Of a straight line through 0: N² / Σ N². */
    @Test
    void leverageOfAStraightLine() {
        LeastSquares squares = new LeastSquares(new double[] {1, 2, 3}, new double[] {1, 1, 1});

        assertThat(squares.leverage(new ScalabilityLaw(7, 0, 0), 1)).isCloseTo(4 / 14.0, ROUNDING);
    }

    @Test
    void intervalsCoverTheTrueCoefficients() {
        ScalabilityLaw law = new ScalabilityLaw(100, 0.03, 0.0002);
        Random random = new Random(5);
        int peaks = 0;
        int sigmas = 0;
        int runs = 60;
        for (int run = 0; run < runs; run++) {
            ScalabilityFit fit =
                    ScalabilityFit.of(noisy(law, 3, 0.05, random), run).orElseThrow();
            peaks += has(fit.peakInterval(), law.peak().orElseThrow());
            sigmas += has(fit.sigma(), law.sigma());
        }
        assertThat(peaks).isBetween(51, 60);
        assertThat(sigmas).isBetween(51, 60);
    }

    @Test
    void theSameSeedMakesTheSameIntervalsWhateverTheOrder() {
        List<Point> points = noisy(new ScalabilityLaw(100, 0.03, 0.0002), 2, 0.05, new Random(6));
        ScalabilityFit fit = ScalabilityFit.of(points, 7).orElseThrow();
        Collections.shuffle(points, new Random(8));
        assertThat(ScalabilityFit.of(points, 7)).hasValue(fit);
        assertThat(ScalabilityFit.of(points, 8)).get().isNotEqualTo(fit);
    }

    @Test
    void fewerThanSixStepsAreNotFitted() {
        List<Point> five =
                Stream.of(1, 2, 3, 4, 5, 5, 5).map(n -> new Point(n, 10.0 * n)).toList();
        assertThat(ScalabilityFit.of(five, 1)).isEmpty();
    }

    @Test
    void nothingIsPredictedBeyondTwiceTheMeasuredUsers() {
        ScalabilityLaw law = new ScalabilityLaw(10, 0.01, 0.000001);
        ScalabilityFit fit =
                ScalabilityFit.of(noisy(law, 1, 0, new Random(9)), 1).orElseThrow();

        assertThat(fit.throughput(400)).isPresent();
        assertThat(fit.throughput(401)).isEmpty();
        assertThat(fit.law().peak().orElseThrow()).isGreaterThan(900);
        assertThat(fit.peak()).isEmpty();
        assertThat(fit.knee()).isPresent();
    }

    @Test
    void aSystemThatOnlyGetsSlowerPeaksAtOneUser() {
        assertThat(new ScalabilityLaw(10, 1.5, 0.1).peak()).hasValue(1);
        assertThat(new ScalabilityLaw(10, 0, 0).knee()).isEmpty();
        assertThat(new ScalabilityLaw(10, 0, 0).peak()).isEmpty();
        assertThat(new ScalabilityLaw(10, 0.04, 0).knee()).hasValue(25);
    }

    @Test
    void rejectsInvalidPoints() {
        assertThatThrownBy(() -> new Point(0, 1)).hasMessage("users 0.0: expected 1 or more");
        assertThatThrownBy(() -> new Point(1, Double.NaN)).hasMessage("throughput NaN: expected more than 0");
        assertThatThrownBy(() -> new Point(1, 0)).hasMessageContaining("more than 0");
        double infinity = Double.POSITIVE_INFINITY;
        assertThatThrownBy(() -> new Point(infinity, 1)).hasMessageContaining("1 or more");
        assertThatThrownBy(() -> new Point(1, infinity)).hasMessageContaining("more than 0");
        assertThatThrownBy(() -> new Point(Double.NaN, 1)).hasMessageContaining("1 or more");
    }

    private static ScalabilityFit fit(double[] users, double[] throughput) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < users.length; i++) {
            points.add(new Point(users[i], throughput[i]));
        }
        return ScalabilityFit.of(points, 1).orElseThrow();
    }

    private static List<Point> noisy(ScalabilityLaw law, int trials, double noise, Random random) {
        List<Point> points = new ArrayList<>();
        for (double users : new double[] {1, 5, 10, 20, 50, 100, 200}) {
            for (int i = 0; i < trials; i++) {
                double factor = Math.exp(noise * random.nextGaussian());
                points.add(new Point(users, law.throughput(users) * factor));
            }
        }
        return points;
    }

    private static int has(ConfidenceInterval interval, double value) {
        return interval.low() <= value && value <= interval.high() ? 1 : 0;
    }
}
