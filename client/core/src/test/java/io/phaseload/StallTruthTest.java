package io.phaseload;

import static io.phaseload.Truth.MILLI;
import static io.phaseload.Truth.millis;
import static io.phaseload.Truth.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.engine.ClientThreads;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.TestEngine;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.measure.Tallies;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client reports of a server that stalls, compared with what the server did. */
@Tag("contract")
@Tag("users")
@Timeout(120)
class StallTruthTest {

    @AfterEach
    void nothingIsLeftRunning() throws Exception {
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /**
     * 300 requests a second are due for 10 s, and the server stalls for one of them. So a tenth of the response times
     * show it, the first one all of the second, each of the others a gap less than the one before; of the service times
     * only those of the eight that were in flight do. A closed model would have told of eight slow requests.
     *
     * <p>The line is what would be if the queue were worked off in no time. What it really came to, the server's
     * answers tell: the one with index i is to the request that was due at i gaps after the start.
     */
    @Test
    @Tag("slow")
    void aStallDelaysEveryRequestThatWasDueDuringIt() throws Exception {
        int rate = 300;
        int seconds = 10;
        int users = 8;
        int stallMillis = 1_000;
        Stall stall = new Stall(Duration.ofSeconds(4), Duration.ofMillis(stallMillis));
        Plan plan;
        Measurement measured;
        Noise noise = Noise.start();
        try (noise;
                MisbehavingServer server = MisbehavingServer.start(stall::answer)) {
            plan = open(server.uri(), users, new ConstantArrivals(Rate.perSecond(rate)), seconds);
            measured = TestEngine.of(plan, RunListener.NONE).run();
        }

        PhaseMeasurement phase = measured.phases().get(0);
        int requests = rate * seconds;
        assertThat(phase.asked()).isEqualTo(requests);
        assertThat(phase.notSent()).isEmpty();
        Figures figures =
                ResultBuilder.of(plan, Environment.capture(), measured).totals();
        assertThat(figures.succeeded()).isEqualTo(requests);
        assertThat(stall.caught.get()).isEqualTo(users);

        double[] truth = stall.responseMillis(1e9 / rate);
        Latency response = figures.response();
        double[] percents = {90, 95, 99, 100};
        LatencyValue[] reported = {response.p90(), response.p95(), response.p99(), response.max()};
        for (int i = 0; i < percents.length; i++) {
            double expected = truth[(int) Math.ceil(requests * percents[i] / 100) - 1];
            assertThat(millis(reported[i]))
                    .as("p%s, where %s", percents[i], noise)
                    .isCloseTo(expected, within(Math.max(4, expected * 0.02) + 2 * noise.millis(100)));
        }

        Histogram responses = Tallies.sum(phase.operations()).histogram(Timing.RESPONSE);
        // Half a gap to either side, working off the queue, and the machine.
        double slack = 100 + 2 * noise.millis(100);
        for (double percent : new double[] {91, 92, 93, 95, 97, 99, 99.9}) {
            double line = stallMillis - (100 - percent) / 100 * seconds * 1_000;
            assertThat(responses.getValueAtPercentile(percent) / MILLI)
                    .as("p%s, where %s", percent, noise)
                    .isCloseTo(line, within(slack));
        }
        assertThat(millis(response.p50())).isLessThan(10 + noise.millis(99));

        Histogram service = Tallies.sum(phase.operations()).histogram(Timing.SERVICE);
        assertThat(service.getCountBetweenValues(500_000_000L, Long.MAX_VALUE / 4))
                .isEqualTo(users);
        assertThat(service.getValueAtPercentile(99) / MILLI).isLessThan(slack);
        // Those in flight were sent in time; only what was due after them was sent late.
        double late = 0;
        for (int i = users; i * 1_000 < stallMillis * rate; i++) {
            late += stallMillis - i * 1_000.0 / rate;
        }
        assertThat(millis(figures.slip().mean())).isCloseTo(late / requests, within(slack / 10 + noise.millis(99)));
    }

    /** A server that stalls once, some time after the first request. */
    private static final class Stall {

        private final long afterNanos;
        private final long lengthNanos;
        private final AtomicLong first = new AtomicLong();
        private final AtomicLong caught = new AtomicLong();
        private final Queue<Long> arrived = new ConcurrentLinkedQueue<>();
        private final Queue<Long> answered = new ConcurrentLinkedQueue<>();

        Stall(Duration after, Duration length) {
            afterNanos = after.toNanos();
            lengthNanos = length.toNanos();
        }

        void answer(Peer peer) throws IOException, InterruptedException {
            while (true) {
                peer.readRequest();
                long now = System.nanoTime();
                arrived.add(now);
                first.compareAndSet(0, now);
                long since = now - first.get() - afterNanos;
                if (since >= 0 && since < lengthNanos) {
                    caught.incrementAndGet();
                    peer.pause(Duration.ofNanos(lengthNanos - since));
                }
                peer.write(Peer.OK);
                answered.add(System.nanoTime());
            }
        }

        /** How long after its intended time each request was answered, sorted. */
        double[] responseMillis(double gapNanos) {
            long[] arrivals = sorted(arrived);
            // None comes before its time, and one at least came at it.
            double start = Double.MAX_VALUE;
            for (int i = 0; i < arrivals.length; i++) {
                start = Math.min(start, arrivals[i] - arrivals[0] - i * gapNanos);
            }
            long[] answers = sorted(answered);
            double[] millis = new double[answers.length];
            for (int i = 0; i < answers.length; i++) {
                millis[i] = (answers[i] - arrivals[0] - start - i * gapNanos) / MILLI;
            }
            Arrays.sort(millis);
            return millis;
        }

        private static long[] sorted(Queue<Long> times) {
            return times.stream().mapToLong(Long::longValue).sorted().toArray();
        }
    }
}
