package io.phaseload;

import static io.phaseload.Truth.ATTEMPTS;
import static io.phaseload.Truth.MILLI;
import static io.phaseload.Truth.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import io.phaseload.engine.ClientThreads;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.TestEngine;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.measure.Tallies;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** When requests of an open model arrive, as the server sees it. */
@Tag("contract")
@Timeout(120)
class ArrivalTruthTest {

    /** The first requests of a JVM are late: they load classes. */
    @BeforeAll
    static void warmUp() throws Exception {
        arrivals(new ConstantArrivals(Rate.perSecond(200)), 1);
    }

    @AfterEach
    void nothingIsLeftRunning() throws Exception {
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /**
     * Kolmogorov–Smirnov at 1 %: the gaps between arrivals at the server against an exponential distribution, and the
     * arrivals against a uniform one. The seed is fixed, and its own sequence passes well; but a thread that is woken
     * late turns two gaps into one long and one short one, so one of three runs must pass.
     */
    @Test
    void poissonArrivalsFollowAPoissonProcess() throws Exception {
        String worst = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Noise noise = Noise.start();
            long[] arrivals;
            try (noise) {
                arrivals = arrivals(new PoissonArrivals(Rate.perSecond(200), 20_261_120), 5);
            }
            int n = arrivals.length - 1;
            double[] gaps = new double[n];
            double[] times = new double[n];
            for (int i = 0; i < n; i++) {
                gaps[i] = 1 - Math.exp(-200 * (arrivals[i + 1] - arrivals[i]) / 1e9);
                times[i] = (arrivals[i] - arrivals[0]) / (double) (arrivals[n] - arrivals[0]);
            }
            double critical = 1.628 / Math.sqrt(n);
            // A shift of some arrivals by milliseconds is nothing among five seconds, but on a busy
            // machine threads stall for longer.
            assertThat(distance(times))
                    .as("D of the arrivals, where %s", noise)
                    .isLessThan(critical + noise.millis(100) / 5_000);
            double distance = distance(gaps);
            if (distance < critical) {
                return;
            }
            worst = String.format("D %.4f of gaps, at most %.4f; %s", distance, critical, noise);
            assertThat(noise.millis(99)).as(worst).isGreaterThan(0.5);
        }
        abort("the machine is too noisy: " + worst);
    }

    @Test
    @DisabledIfSystemProperty(
            named = TestEngine.TRANSPORT,
            matches = "nio",
            disabledReason = "the JDK's selector waits for whole milliseconds")
    void constantArrivalsKeepTheirRate() throws Exception {
        String worst = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Noise noise = Noise.start();
            long[] arrivals;
            try (noise) {
                arrivals = arrivals(new ConstantArrivals(Rate.perSecond(200)), 2);
            }
            int n = arrivals.length;
            assertThat(n).isEqualTo(400);
            assertThat(gap(arrivals) / MILLI).isCloseTo(5, within(0.01 + noise.millis(100) / (n - 1)));
            double[] errors = new double[n - 1];
            for (int i = 0; i < n - 1; i++) {
                errors[i] = Math.abs((arrivals[i + 1] - arrivals[i]) / MILLI - 5);
            }
            Arrays.sort(errors);
            double p99 = errors[(int) Math.ceil((n - 1) * 0.99) - 1];
            if (p99 < 1) {
                return;
            }
            worst = String.format("p99 of a gap's error is %.3f ms; %s", p99, noise);
            // A gap has two ends, and a request passes through four threads' hands.
            assertThat(noise.millis(100)).as(worst).isGreaterThan(0.5);
        }
        abort("the machine is too noisy: " + worst);
    }

    /**
     * Of the straight line with the least squares: a first or last one that is late, as any may be, hardly moves it.
     */
    private static double gap(long[] arrivals) {
        double middle = (arrivals.length - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < arrivals.length; i++) {
            products += (i - middle) * (arrivals[i] - arrivals[0]);
            squares += (i - middle) * (i - middle);
        }
        return products / squares;
    }

    /** When requests came, as the server saw it, in order of time. */
    private static long[] arrivals(Schedule schedule, int seconds) throws Exception {
        Queue<Long> seen = new ConcurrentLinkedQueue<>();
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                seen.add(System.nanoTime());
                peer.write(Peer.OK);
            }
        };
        PhaseMeasurement phase;
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            Plan plan = open(server.uri(), 16, schedule, seconds);
            Measurement measured = TestEngine.of(plan, RunListener.NONE).run();
            assertThat(measured.fault()).isEmpty();
            phase = measured.phases().get(0);
        }
        assertThat(phase.asked()).isEqualTo(Tallies.sum(phase.operations()).succeeded());
        assertThat((long) seen.size()).isEqualTo(phase.asked());
        return seen.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** How far an empirical distribution is from the uniform one in 0 to 1. */
    private static double distance(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            distance = Math.max(distance, sorted[i] - (double) i / sorted.length);
            distance = Math.max(distance, (double) (i + 1) / sorted.length - sorted[i]);
        }
        return distance;
    }
}
