package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.FAST;
import static io.phaseload.diagnosis.Found.REFUSED;
import static io.phaseload.diagnosis.Found.TIMED_OUT;
import static io.phaseload.diagnosis.Found.connect;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RandomPhase;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is concluded from how connections are made and kept. */
class ConnectionRulesTest {

    private static final Outcome CLOSED = Outcome.NoResponse.UNKNOWN_IF_READ;
    private static final Outcome RESET = new Outcome.Reset(Stage.BEFORE_RESPONSE);

    @Test
    void connectsOfWholeSecondsAreRetransmittedSyns() {
        Diagnosis found = only(closed().second(r -> r.connected(10, 5, FAST))
                .second(r -> r.connected(4, 5, connect(0, 1_020, -1)))
                .second(r -> r.connected(2, 5, connect(0, 3_050, -1)))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("accept-queue");
        assertThat(found.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(found.evidence()).isEqualTo(Map.of("slowConnects", 6L, "connects", 16L, "timedOut", 0L));
        assertThat(found.text()).contains("or the network lost it");
    }

    @Test
    void anOverflowOnTheSameMachineMakesItCertain() {
        Diagnosis found = only(closed().second(r -> r.connected(10, 5, FAST))
                .second(Map.of("tcpListenOverflowsPerSecond", 12.0), r -> r.connected(4, 5, connect(0, 1_020, -1)))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.text()).contains("an accept queue of this machine overflowed 12 times");
    }

    @Test
    void connectsThatAreJustSlowArentRetransmittedSyns() {
        assertThat(ids(closed().second(r -> r.connected(10, 5, FAST))
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
    void manyConnectionsAreALimitOfKeepAlive() {
        Diagnosis found = only(closed().seconds(10, r -> r.answered(74, 5).connected(4, 5, FAST)));

        assertThat(found.id()).isEqualTo("keep-alive-limit");
        assertThat(found.evidence().get("requestsPerConnection").doubleValue()).isCloseTo(780 / 40.0, within(0.01));
    }

    @Test
    void connectionsThatFailuresNeedArentALimitOfKeepAlive() {
        assertThat(ids(closed().seconds(
                                10,
                                r -> r.answered(80, 5).connected(10, 5, FAST).failed(10, 10_000, TIMED_OUT))))
                .containsExactly("unanswered");
    }

    @Test
    void asManyRequestsWhateverTheTimeAreCertainlyALimitOfKeepAlive() {
        RandomPhase phase = new RandomPhase(1, 10, 10_000, 0).reconnecting(place -> place % 10 == 0);

        assertThat(limitOfKeepAlive(phase.series(of -> 20 * phase.noise(0.8))).confidence())
                .isEqualTo(Confidence.CERTAIN);
    }

    /** Ten requests of 100 ms each, or a second. */
    @Test
    void asManyRequestsInTheSameTimeMayBeALifetime() {
        Diagnosis found = limitOfKeepAlive(new RandomPhase(1, 10, 10_000, 0)
                .reconnecting(place -> place % 10 == 0)
                .series(of -> 100));

        assertThat(found.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(found.text()).contains("requests, or some 1.1 s after they were made");
    }

    /** Three requests, then a pause that is longer than an idle timeout. */
    @Test
    void asManyRequestsBeforeAPauseMayBeAnIdleTimeout() {
        PhaseSeries dear = paused().seconds(10, r -> r.connected(10, 5, new SetUp(0, 300_000_000, -1))
                        .answered(10, 5)
                        .answered(10, 5))
                .series();

        assertThat(Diagnoses.of(new RunSeries(List.of(dear), false, false)))
                .extracting(Diagnosis::id, Diagnosis::confidence)
                .contains(tuple("keep-alive-limit", Confidence.POSSIBLE));
        assertThat(ids(paused().seconds(
                                10,
                                r -> r.connected(10, 5, FAST).answered(10, 5).answered(10, 5))))
                .isEmpty();
    }

    /** Forty requests a connection, whose making costs next to nothing. */
    @Test
    void rareEndsThatMayBeAnIdleTimeoutAreNotWorthAWord() {
        MadeUpPhase phase = paused();
        for (int i = 0; i < 5; i++) {
            phase.second(r -> r.connected(10, 5, FAST))
                    .seconds(13, r -> r.answered(10, 5).answered(10, 5).answered(10, 5));
        }

        assertThat(ids(phase)).isEmpty();
    }

    /** A server's default of a hundred requests. */
    @Test
    void manyRequestsAConnectionAreWorthAWordWhereNewOnesCost() {
        MadeUpPhase cheap = closed();
        MadeUpPhase fair = closed();
        MadeUpPhase dear = closed();
        for (int i = 0; i < 10; i++) {
            cheap.second(r -> r.answered(280, 5).connected(4, 5, FAST));
            fair.second(r -> r.answered(280, 5).connected(4, 5, new SetUp(0, 30_000_000, -1)));
            dear.second(r -> r.answered(280, 5).connected(4, 5, new SetUp(0, 100_000_000, -1)));
        }

        assertThat(ids(cheap)).doesNotContain("keep-alive-limit");
        assertThat(ids(fair)).doesNotContain("keep-alive-limit");
        assertThat(ids(dear)).contains("keep-alive-limit");
        assertThat(Diagnoses.of(new RunSeries(List.of(dear.series()), true, false)))
                .extracting(Diagnosis::id)
                .doesNotContain("keep-alive-limit");
    }

    /** A publisher and three receivers. */
    @Test
    void connectionsOfPairsAreNoLimitOfKeepAlive() {
        MadeUpPhase phase = closed().seconds(6, r -> r.answered(30, 5).connected(7, 5, FAST));

        assertThat(limitOfKeepAlive(phase.series()).confidence()).isNotNull();
        assertThat(ids(phase.ofMessages())).isEmpty();
    }

    private static Diagnosis limitOfKeepAlive(PhaseSeries phase) {
        List<Diagnosis> found = Diagnoses.of(new RunSeries(List.of(phase), false, false));
        assertThat(found).extracting(Diagnosis::id).startsWith("keep-alive-limit");
        return found.get(0);
    }

    /**
     * Users come back after a longer pause, and some find their connection closed; farther away, its end comes later.
     * The pauses of journeys aren't those of a load.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsThatFailAfterLongPausesAreAnIdleTimeout(boolean far) {
        MadeUpPhase phase = (far ? closed() : paused()).second(r -> r.connected(10, 5, FAST));
        for (int i = 0; i < 3; i++) {
            phase.second(r -> r.answered(100, 5)).second(r -> r.answered(200, 5));
            phase.second(r -> {}).second(r -> r.failed(4, far ? 16 : 1, far ? RESET : CLOSED));
        }

        assertThat(only(phase).id()).isEqualTo("idle-timeout");
        assertThat(only(phase).confidence()).isEqualTo(Confidence.LIKELY);
    }

    /** A crash looks the same. */
    @Test
    void requestsThatFailAfterAnyPauseAreResets() {
        Diagnosis found = only(paused().second(r -> r.connected(10, 5, FAST))
                .seconds(5, r -> r.answered(990, 5).failed(10, 1, CLOSED)));

        assertThat(found.id()).isEqualTo("resets");
        assertThat(found.confidence()).isEqualTo(Confidence.POSSIBLE);
        assertThat(found.text()).contains("it crashes on it, or closes idle ones just then");
    }

    @Test
    void withoutPausesNothingIsIdle() {
        assertThat(ids(closed().seconds(5, r -> r.answered(999, 5).failed(1, 1, CLOSED))))
                .doesNotContain("idle-timeout");
    }

    @Test
    void theTimeBeforeARequestIsSentIsNoTimeOfWork() {
        assertThat(resets(closed().seconds(5, r -> r.answered(990, 5).late(80).failed(10, 0.3, RESET))))
                .contains("0.3 ms after they were sent")
                .doesNotContain("works");
        assertThat(resets(closed().seconds(5, r -> r.answered(990, 5).failed(10, 80, RESET))))
                .contains("while it works");
    }

    @Test
    void aSharedConnectionIsntNew() {
        assertThat(resets(closed().shared().seconds(5, r -> r.answered(990, 5).failed(10, 0.3, RESET))))
                .contains("resets connections that are in use");
    }

    /** A stalled client reads a reset late. */
    @Test
    void ofALimitedClientTimesProveNoWork() {
        PhaseSeries phase = closed().second(r -> r.connected(10, 5, FAST))
                .seconds(5, r -> r.answered(990, 5).failed(10, 80, RESET))
                .series();

        assertThat(Diagnoses.of(new RunSeries(List.of(phase), true, false)))
                .extracting(Diagnosis::id, Diagnosis::confidence)
                .containsExactly(tuple("resets", Confidence.LIKELY));
    }

    private static String resets(MadeUpPhase phase) {
        assertThat(only(phase).id()).isEqualTo("resets");
        return only(phase).text();
    }

    private static MadeUpPhase paused() {
        Load load = new Load.Closed(Pause.of(Duration.ofSeconds(1)), Pause.NONE, Duration.ZERO);
        return new MadeUpPhase("peak", 10, load);
    }

    @Test
    void slowLookUpsAreNamed() {
        Diagnosis found = only(closed().second(r -> r.connected(10, 5, connect(5_000, 0.2, -1)))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("slow-dns");
        assertThat(found.evidence().get("maxMs").doubleValue()).isCloseTo(5_000, within(10.0));
    }

    @Test
    void anAddressInDigitsIsntLookedUp() {
        PhaseSeries phase = closed().second(r -> r.connected(10, 5, connect(5_000, 0.2, -1)))
                .seconds(5, r -> r.answered(100, 5))
                .series();

        assertThat(Diagnoses.of(new RunSeries(List.of(phase), false, false, false, Set.of(), Set.of(), Set.of())))
                .isEmpty();
    }

    /** The first look-up loads the JVM's classes. */
    @Test
    void oneSlowLookUpOfManyIsNoSlowName() {
        assertThat(ids(closed().second(r -> r.connected(1, 5, connect(400, 0.2, -1)))
                        .seconds(5, r -> r.connected(20, 5, connect(0.1, 0.2, -1)))))
                .doesNotContain("slow-dns");
    }

    /** All users wait for it, and the answer is kept for later connections. */
    @Test
    void aSlowLookUpThatIsKeptIsASlowName() {
        assertThat(ids(closed().second(r -> r.connected(20, 5, connect(400, 0.2, -1)))
                        .seconds(5, r -> r.connected(40, 5, connect(0.1, 0.2, -1)))))
                .contains("slow-dns");
    }

    /** A limit of connections is proved by fewer users or by users who never get one. */
    @Test
    void refusalsOfUsersWhoGetAConnectionInTheEndAreNoLimit() {
        assertThat(ids(closed().seconds(
                                6, r -> r.connected(20, 5, FAST).answered(75, 5).failed(5, 1, REFUSED))))
                .doesNotContain("connection-limit");
    }

    @Test
    void costlyHandshakesAreNamed() {
        assertThat(ids(closed().seconds(5, r -> r.connected(20, 10, connect(0, 0.2, 15)))))
                .contains("tls-handshakes");
        assertThat(ids(closed().second(r -> r.connected(10, 10, connect(0, 0.2, 15)))))
                .doesNotContain("tls-handshakes");
        // Each of ten pairs opens a few.
        assertThat(ids(closed().ofMessages().seconds(4, r -> r.connected(20, 10, connect(0, 0.2, 15)))))
                .contains("tls-handshakes");
        assertThat(ids(closed().ofMessages().seconds(2, r -> r.connected(20, 10, connect(0, 0.2, 15)))))
                .doesNotContain("tls-handshakes");
        Outcome untrusted = new Outcome.TlsFailure("untrusted");
        assertThat(ids(closed().seconds(
                                5, r -> r.connected(20, 10, connect(0, 0.2, 15)).failed(12, 1, untrusted))))
                .doesNotContain("tls-handshakes");
    }

    /** A server ends idle connections after a second, and users rest for longer after three requests; or it counts. */
    @ParameterizedTest
    @CsvSource({"1600, false", "0, true"})
    void connectionsThatEndWhenIdleAreNoLimit(double restMillis, boolean said) {
        SimulatedPhase phase = new SimulatedPhase(1).seconds(10).thinking(150, 500);
        phase.users = 20;
        phase.restMillis = restMillis;
        phase.of(asked -> new SimulatedPhase.Answer(Outcome.SUCCESS, phase.usual(), asked.place() == 2));

        assertThat(phase.diagnoses().stream().anyMatch(of -> of.id().equals("keep-alive-limit")))
                .isEqualTo(said);
    }

    @Test
    void failuresOfNewConnectionsAlone() {
        Outcome tls = new Outcome.TlsFailure("closed");
        MadeUpPhase phase =
                closed().seconds(6, r -> r.answered(90, 5).connected(4, 5, FAST).failed(1, 1, tls));

        assertThat(ids(phase)).contains("new-connections");
        phase.second(r -> r.failed(1, 1, Found.http(500)));
        assertThat(ids(phase)).doesNotContain("new-connections");
    }

    @Test
    void handshakesOfVeryDifferentTimesAreJitter() {
        MadeUpPhase phase =
                closed().seconds(6, r -> r.connected(15, 20, connect(0, 8, -1)).connected(5, 82, connect(0, 70, -1)));

        assertThat(ids(phase)).startsWith("jitter");
        assertThat(ids(closed().seconds(6, r -> r.connected(20, 20, connect(0, 30, -1)))))
                .doesNotContain("jitter");
    }

    /** A Wi-Fi that saves power wakes up about ten times a second; two ways are of two lengths. */
    @Test
    void handshakesThatWaitForAnIntervalAreJitter() {
        MadeUpPhase phase = closed();
        MadeUpPhase ways = closed();
        for (int i = 0; i < 6; i++) {
            phase.second(r -> IntStream.range(0, 20).forEach(n -> r.connected(1, 20, connect(0, 5 + 5 * n, -1))));
            ways.second(r -> r.connected(8, 20, connect(0, 5, -1)).connected(12, 20, connect(0, 95, -1)));
        }

        assertThat(ids(phase)).contains("jitter");
        assertThat(ids(ways)).doesNotContain("jitter");
    }

    /** A cold client reads its first handshakes late. */
    @ParameterizedTest
    @CsvSource({"446, true", "12, false"})
    void slowConnectionsOfAColdClientAreNoDeadAddress(double laterMillis, boolean found) {
        MadeUpPhase warmup = new MadeUpPhase("warmup", 10, Load.Closed.AT_ONCE)
                .second(r -> r.connected(20, 10, connect(0, 446, -1)))
                .seconds(2, r -> r.answered(100, 10));
        MadeUpPhase peak = closed().second(r -> r.connected(20, 10, connect(0, laterMillis, -1)))
                .seconds(6, r -> r.answered(100, 10));

        assertThat(ids(warmup, peak).contains("slow-connects")).isEqualTo(found);
    }
}
