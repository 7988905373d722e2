package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.FAST;
import static io.phaseload.diagnosis.Found.REFUSED;
import static io.phaseload.diagnosis.Found.TIMED_OUT;
import static io.phaseload.diagnosis.Found.connect;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is concluded from how connections are made and kept. */
class ConnectionRulesTest {

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
        Diagnosis found = only(closed().seconds(10, r -> r.answered(99, 5).connected(4, 5, FAST)));

        assertThat(found.id()).isEqualTo("keep-alive-limit");
        assertThat(found.evidence().get("requestsPerConnection").doubleValue()).isCloseTo(1030 / 40.0, within(0.01));
    }

    @Test
    void connectionsThatFailuresNeedArentALimitOfKeepAlive() {
        assertThat(ids(closed().seconds(
                                10,
                                r -> r.answered(80, 5).connected(10, 5, FAST).failed(10, 10_000, TIMED_OUT))))
                .containsExactly("unanswered");
    }

    @Test
    void aRequestIntoAClosingConnectionOfAUserWhoPausesIsAnIdleTimeout() {
        Outcome closed = new Outcome.UnknownIfRead();

        assertThat(only(paused().seconds(5, r -> r.answered(999, 5).failed(1, 1, closed)))
                        .id())
                .isEqualTo("idle-timeout");
        assertThat(ids(closed().seconds(5, r -> r.answered(999, 5).failed(1, 1, closed))))
                .doesNotContain("idle-timeout");
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

        assertThat(Diagnoses.of(new RunSeries(List.of(phase), false, false, false, Set.of())))
                .isEmpty();
    }

    /** The first look-up loads the JVM's classes. */
    @Test
    void oneSlowLookUpOfManyIsNoSlowName() {
        assertThat(ids(closed().second(r -> r.connected(1, 5, connect(400, 0.2, -1)))
                        .seconds(5, r -> r.connected(20, 5, connect(0.1, 0.2, -1)))))
                .doesNotContain("slow-dns");
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
                closed().seconds(6, r -> r.connected(15, 20, connect(0, 8, -1)).connected(5, 20, connect(0, 70, -1)));

        assertThat(ids(phase)).startsWith("jitter");
        assertThat(ids(closed().seconds(6, r -> r.connected(20, 20, connect(0, 30, -1)))))
                .doesNotContain("jitter");
    }
}
