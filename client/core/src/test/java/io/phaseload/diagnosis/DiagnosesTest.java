package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each pattern is found where it is, and not where something like it has another cause. */
class DiagnosesTest {

    private static final Outcome REFUSED = new Outcome.ConnectRefused();
    private static final Outcome TIMED_OUT = new Outcome.ReadTimeout();
    private static final SetUp FAST = connect(0, 0.2, -1);

    private static SetUp connect(double dnsMillis, double tcpMillis, double tlsMillis) {
        return new SetUp(nanos(dnsMillis), nanos(tcpMillis), tlsMillis < 0 ? -1 : nanos(tlsMillis));
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1e6);
    }

    private static Outcome http(int status) {
        return new Outcome.HttpFailure(status, "");
    }

    private static List<Diagnosis> of(MadeUpPhase... phases) {
        return Diagnoses.of(
                new RunSeries(Stream.of(phases).map(MadeUpPhase::series).toList(), false));
    }

    private static Diagnosis only(MadeUpPhase... phases) {
        assertThat(of(phases)).hasSize(1);
        return of(phases).get(0);
    }

    private static List<String> ids(MadeUpPhase... phases) {
        return of(phases).stream().map(Diagnosis::id).toList();
    }

    @Test
    void nothingIsFoundInACleanRun() {
        assertThat(
                        ids(
                                closed().second(r -> r.connected(10, 5, FAST))
                                        .seconds(20, r -> r.answered(90, 5).answered(10, 8))))
                .isEmpty();
    }

    @Test
    void connectsOfWholeSecondsAreRetransmittedSyns() {
        Diagnosis found =
                only(
                        closed().second(r -> r.connected(10, 5, FAST))
                                .second(r -> r.connected(4, 5, connect(0, 1_020, -1)))
                                .second(r -> r.connected(2, 5, connect(0, 3_050, -1)))
                                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("accept-queue");
        assertThat(found.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(found.evidence())
                .isEqualTo(Map.of("slowConnects", 6L, "connects", 16L, "timedOut", 0L));
        assertThat(found.text()).contains("or the network lost it");
    }

    @Test
    void anOverflowOnTheSameMachineMakesItCertain() {
        Diagnosis found =
                only(
                        closed().second(r -> r.connected(10, 5, FAST))
                                .second(
                                        Map.of("tcpListenOverflowsPerSecond", 12.0),
                                        r -> r.connected(4, 5, connect(0, 1_020, -1)))
                                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.text()).contains("an accept queue of this machine overflowed 12 times");
    }

    @Test
    void connectsThatAreJustSlowArentRetransmittedSyns() {
        assertThat(
                        ids(
                                closed().second(r -> r.connected(10, 5, FAST))
                                        .second(r -> r.connected(1, 5, connect(0, 1_400, -1)))
                                        .second(r -> r.connected(1, 5, connect(0, 1_600, -1)))
                                        .second(r -> r.connected(1, 5, connect(0, 2_700, -1)))
                                        .seconds(5, r -> r.answered(100, 5))))
                .isEmpty();
    }

    @Test
    void refusalsBesideSuccessesAreALimitOfConnections() {
        Diagnosis found = only(closed().seconds(6, r -> r.answered(95, 5).failed(5, 1, REFUSED)));

        assertThat(found.id()).isEqualTo("connection-limit");
        assertThat(found.impact()).isCloseTo(0.05, within(1e-9));
        assertThat(found.text()).startsWith("30 of 600 requests found their connection refused");
    }

    @Test
    void refusalsAloneAreAnOutage() {
        Diagnosis found =
                only(
                        closed().seconds(5, r -> r.answered(100, 5))
                                .seconds(2, r -> r.failed(4, 1, REFUSED))
                                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("outage");
        assertThat(found.evidence())
                .isEqualTo(Map.of("fromSeconds", 5.0, "toSeconds", 7.0, "failed", 8L));
    }

    @Test
    void aStopWithoutAnyResponseIsAnOutage() {
        Diagnosis found =
                only(
                        closed().seconds(5, r -> r.answered(100, 5))
                                .seconds(3, r -> {})
                                .second(r -> r.answered(10, 3_000).answered(90, 5))
                                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("outage");
        assertThat(found.text()).startsWith("from 5.0 to 8.0 s into the run");
    }

    /** Of a service with few requests, seconds without one are no news. */
    @Test
    void rareRequestsHaveNoOutage() {
        assertThat(
                        ids(
                                closed().seconds(5, r -> r.answered(2, 5))
                                        .seconds(2, r -> {})
                                        .seconds(5, r -> r.answered(2, 5))))
                .isEmpty();
    }

    @Test
    void manyConnectionsAreALimitOfKeepAlive() {
        Diagnosis found = only(closed().seconds(10, r -> r.answered(99, 5).connected(4, 5, FAST)));

        assertThat(found.id()).isEqualTo("keep-alive-limit");
        assertThat(found.evidence().get("requestsPerConnection").doubleValue())
                .isCloseTo(1030 / 40.0, within(0.01));
    }

    @Test
    void connectionsThatFailuresNeedArentALimitOfKeepAlive() {
        assertThat(
                        ids(
                                closed().seconds(
                                                10,
                                                r ->
                                                        r.answered(80, 5)
                                                                .connected(10, 5, FAST)
                                                                .failed(10, 10_000, TIMED_OUT))))
                .containsExactly("unanswered");
    }

    @Test
    void aRequestIntoAClosingConnectionIsAnIdleTimeout() {
        assertThat(
                        only(closed().seconds(
                                                5,
                                                r ->
                                                        r.answered(999, 5)
                                                                .failed(
                                                                        1,
                                                                        1,
                                                                        new Outcome
                                                                                .ClosedWhileIdle())))
                                .id())
                .isEqualTo("idle-timeout");
    }

    @Test
    void slowLookUpsAreNamed() {
        Diagnosis found =
                only(
                        closed().second(r -> r.connected(10, 5, connect(5_000, 0.2, -1)))
                                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("slow-dns");
        assertThat(found.evidence().get("maxMs").doubleValue()).isCloseTo(5_000, within(10.0));
    }

    @Test
    void costlyHandshakesAreNamed() {
        assertThat(ids(closed().seconds(5, r -> r.connected(20, 10, connect(0, 0.2, 15)))))
                .contains("tls-handshakes");
        assertThat(ids(closed().second(r -> r.connected(10, 10, connect(0, 0.2, 15)))))
                .doesNotContain("tls-handshakes");
    }

    @Test
    void refusalsAtAFlatRateAreARateLimit() {
        Diagnosis found =
                only(closed().seconds(8, r -> r.answered(100, 5).failed(60, 4, http(429))));

        assertThat(found.id()).isEqualTo("rate-limit");
        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.text()).contains("status 429, while 100.0 a second succeeded");
    }

    @Test
    void fastRefusalsWhoseRateVariesShedLoad() {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 10; i++) {
            int answered = i % 2 == 0 ? 40 : 160;
            phase.second(r -> r.answered(answered, 50).failed(30, 1, http(503)));
        }

        assertThat(only(phase).id()).isEqualTo("load-shedding");
    }

    @Test
    void aTailUpToTheTimeoutIsCutOff() {
        assertThat(
                        only(closed().seconds(
                                                5,
                                                r ->
                                                        r.answered(90, 500)
                                                                .answered(9, 9_000)
                                                                .failed(1, 10_000, TIMED_OUT)))
                                .id())
                .isEqualTo("timeout-too-short");
    }

    @Test
    void silenceBesideFastResponsesIsNoTail() {
        assertThat(
                        only(closed().seconds(
                                                5,
                                                r ->
                                                        r.answered(99, 5)
                                                                .failed(1, 10_000, TIMED_OUT)))
                                .id())
                .isEqualTo("unanswered");
    }

    @Test
    void coldStartsAreNamed() {
        assertThat(only(closed().second(r -> r.cold(3, 900)).seconds(5, r -> r.answered(100, 5))))
                .satisfies(found -> assertThat(found.id()).isEqualTo("cold-starts"))
                .satisfies(found -> assertThat(found.evidence()).containsEntry("coldStarts", 3L));
    }

    @Test
    void aGapBetweenFastAndSlowIsTwoSpeeds() {
        Diagnosis found = only(closed().seconds(10, r -> r.answered(67, 5).answered(33, 60)));

        assertThat(found.id()).isEqualTo("two-speeds");
        assertThat(found.text()).startsWith("33 % of 'GET /' took about 60.").contains("5.1 ms");
    }

    @Test
    void aLongTailIsOneSpeed() {
        MadeUpPhase phase = closed();
        phase.seconds(
                10,
                r -> {
                    for (int i = 0; i < 100; i++) {
                        // Log-uniform from 2 to 200 ms.
                        r.answered(1, 2 * Math.pow(100, i / 100.0));
                    }
                });

        assertThat(ids(phase)).isEmpty();
    }

    @Test
    void responsesThatTakeARetransmitLongerAreLoss() {
        MadeUpPhase phase = closed().seconds(10, r -> r.answered(98, 5).answered(2, 207));

        assertThat(only(phase).id()).isEqualTo("packet-loss");
        assertThat(only(phase).confidence()).isEqualTo(Confidence.POSSIBLE);
        phase.second(Map.of("tcpRetransmitsPerSecond", 20.0), r -> r.answered(100, 5));
        assertThat(only(phase).confidence()).isEqualTo(Confidence.LIKELY);
    }

    @Test
    void aFlatRateOfBytesIsBandwidth() {
        Diagnosis found = only(closed().seconds(6, r -> r.answeredSlowly(100, 100, 5, 125_000)));

        assertThat(found.id()).isEqualTo("bandwidth");
        assertThat(found.evidence().get("mbitPerSecond").doubleValue()).isCloseTo(100, within(0.1));
    }

    @Test
    void stallsAtEvenDistancesAreFound() {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 30; i++) {
            boolean stalls = i % 5 == 3;
            phase.second(r -> r.answered(100, 5).answered(stalls ? 5 : 0, 150));
        }

        Diagnosis found = only(phase);

        assertThat(found.id()).isEqualTo("periodic-stalls");
        assertThat(found.evidence()).containsEntry("periodSeconds", 5.0).containsEntry("stalls", 6);
    }

    @Test
    void stallsAtRandomArentPeriodic() {
        MadeUpPhase phase = closed();
        List<Integer> at = List.of(3, 5, 14, 16, 27);
        for (int i = 0; i < 30; i++) {
            boolean stalls = at.contains(i);
            phase.second(r -> r.answered(100, 5).answered(stalls ? 1 : 0, 150));
        }

        assertThat(ids(phase)).isEmpty();
    }

    @Test
    void timesThatGrowAreADrift() {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 30; i++) {
            double millis = 5 + i * 0.3;
            phase.second(r -> r.answered(100, millis));
        }

        assertThat(only(phase).id()).isEqualTo("drift");
    }

    @Test
    void underARampTimesMayGrow() {
        MadeUpPhase phase =
                new MadeUpPhase(
                        "peak",
                        10,
                        new Load.Open(
                                new RampArrivals(
                                        Rate.perSecond(90),
                                        Rate.perSecond(100),
                                        Duration.ofSeconds(30)),
                                Overload.QUEUE));
        for (int i = 0; i < 30; i++) {
            double millis = 5 + i * 0.3;
            phase.second(r -> r.answered(100, millis));
        }

        assertThat(ids(phase)).isEmpty();
    }

    @Test
    void moreUsersWhoGetNoMoreDoneAreASaturation() {
        MadeUpPhase few = new MadeUpPhase("loading", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 40, Load.Closed.AT_ONCE);
        few.seconds(3, r -> r.answered(1_000, 10));
        many.seconds(3, r -> r.answered(1_020, 40));

        Diagnosis found = only(few, many);

        assertThat(found.id()).isEqualTo("saturation");
        assertThat(found.phase()).isEmpty();
        assertThat(found.text()).startsWith("from 10 to 40 users the throughput went from 1000");
    }

    /** What comes later is warmer. */
    @Test
    void aCooldownThatIsFasterIsNoSaturation() {
        MadeUpPhase many = new MadeUpPhase("peak", 40, Load.Closed.AT_ONCE);
        MadeUpPhase few = new MadeUpPhase("cooldown", 10, Load.Closed.AT_ONCE);
        many.seconds(3, r -> r.answered(1_000, 40));
        few.seconds(3, r -> r.answered(1_000, 10));

        assertThat(ids(many, few)).isEmpty();
    }

    @Test
    void usersWhoGetMoreDoneArent() {
        MadeUpPhase few = new MadeUpPhase("loading", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 40, Load.Closed.AT_ONCE);
        few.seconds(3, r -> r.answered(1_000, 10));
        many.seconds(3, r -> r.answered(2_000, 20));

        assertThat(ids(few, many)).isEmpty();
    }

    @Test
    void theKneeOfARampIsFound() {
        MadeUpPhase phase =
                new MadeUpPhase(
                        "peak",
                        10,
                        new Load.Open(
                                new RampArrivals(
                                        new Rate(1, Duration.ofSeconds(100)),
                                        Rate.perSecond(200),
                                        Duration.ofSeconds(20)),
                                Overload.QUEUE));
        for (int i = 0; i < 20; i++) {
            int answered = Math.min(120, 10 * i + 5);
            phase.second(r -> r.answered(answered, 5));
        }

        Diagnosis found = only(phase);

        assertThat(found.id()).isEqualTo("ramp-knee");
        assertThat(found.evidence().get("kneePerSecond").doubleValue()).isCloseTo(120, within(1.0));
    }

    @Test
    void failuresThatBeginWithMoreUsersAreLocated() {
        MadeUpPhase few = new MadeUpPhase("loading", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 20, Load.Closed.AT_ONCE);
        few.seconds(3, r -> r.answered(1_000, 10));
        many.seconds(3, r -> r.answered(1_900, 10).failed(100, 1, http(500)));

        Diagnosis found = only(few, many);

        assertThat(found.id()).isEqualTo("failures-with-load");
        assertThat(found.text()).contains("between 10 and 20 users").contains("5.00 %");
    }

    @Test
    void whatExplainsMostComesFirst() {
        assertThat(
                        ids(
                                closed().seconds(
                                                8,
                                                r ->
                                                        r.answered(100, 5)
                                                                .failed(60, 4, http(429))
                                                                .failed(3, 10_000, TIMED_OUT))))
                .containsExactly("rate-limit", "unanswered");
    }

    /** The client's own stalls look like the server's. */
    @Test
    void timesOfAClientThatIsTheLimitSayNothing() {
        MadeUpPhase phase =
                closed().seconds(5, r -> r.answered(100, 5))
                        .seconds(3, r -> {})
                        .seconds(5, r -> r.answered(100, 5));

        assertThat(Diagnoses.of(new RunSeries(List.of(phase.series()), true))).isEmpty();
    }

    /** Rules must not trip over a phase of which next to nothing is known. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aPhaseOfHardlyAnySecondsIsNoTrouble(int seconds) {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Overload.DROP);
        Load ramp =
                new Load.Open(
                        new RampArrivals(
                                Rate.perSecond(1), Rate.perSecond(10), Duration.ofSeconds(5)),
                        Overload.DROP);

        for (Load load : List.of(Load.Closed.AT_ONCE, open, ramp)) {
            assertThat(
                            ids(
                                    new MadeUpPhase("peak", 10, load)
                                            .seconds(seconds, r -> r.answered(10, 5))))
                    .isEmpty();
        }
    }
}
