package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.FAST;
import static io.phaseload.diagnosis.Found.TIMED_OUT;
import static io.phaseload.diagnosis.Found.http;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All rules together. */
class DiagnosesTest {

    @Test
    void nothingIsFoundInACleanRun() {
        assertThat(ids(closed().second(r -> r.connected(10, 5, FAST))
                        .seconds(20, r -> r.answered(90, 5).answered(10, 8))))
                .isEmpty();
    }

    @Test
    void whatExplainsMostComesFirst() {
        assertThat(ids(closed().seconds(
                                8,
                                r -> r.answered(100, 5).failed(60, 4, http(429)).failed(3, 10_000, TIMED_OUT))))
                .containsExactly("rate-limit", "unanswered");
    }

    /** Readers look at the peak: what a phase beside it shows more clearly is said of the peak. */
    @Test
    void aCauseIsOfAMeasuredPhaseAndNamesTheOthers() {
        PhaseSeries warmup = new MadeUpPhase("warmup", 5, Load.Closed.AT_ONCE)
                .seconds(8, r -> r.answered(100, 5).failed(300, 4, http(429)))
                .series();
        PhaseSeries peak = closed().seconds(8, r -> r.answered(100, 5).failed(60, 4, http(429)))
                .series();

        assertThat(Diagnoses.of(new RunSeries(List.of(warmup, peak), false, false)))
                .filteredOn(found -> found.id().equals("rate-limit"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.phase()).contains("peak");
                    assertThat(found.text()).endsWith(" Also in warmup.");
                });
    }

    /** The client's own stalls look like the server's. */
    @Test
    void timesOfAClientThatIsTheLimitSayNothing() {
        MadeUpPhase phase =
                closed().seconds(5, r -> r.answered(100, 5)).seconds(3, r -> {}).seconds(5, r -> r.answered(100, 5));

        assertThat(Diagnoses.of(new RunSeries(List.of(phase.series()), true, false)))
                .isEmpty();
    }

    @Test
    void aClientThatIsTheLimitAccusesNoHandshakesAndStarts() {
        MadeUpPhase tls = closed().seconds(5, r -> r.connected(20, 10, Found.connect(0, 0.2, 15)));
        MadeUpPhase syn = closed().second(r -> r.connected(10, 5, FAST))
                .second(r -> r.connected(4, 5, Found.connect(0, 1_020, -1)))
                .seconds(5, r -> r.answered(100, 5));
        MadeUpPhase cold = closed().second(r -> r.cold(3, 900)).seconds(5, r -> r.answered(100, 5));

        for (MadeUpPhase phase : List.of(tls, syn, cold)) {
            assertThat(Diagnoses.of(new RunSeries(List.of(phase.series()), true, false)))
                    .filteredOn(found -> found.confidence() != Confidence.POSSIBLE)
                    .extracting(Diagnosis::id)
                    .doesNotContain("tls-handshakes", "accept-queue", "cold-starts");
        }
    }

    /** The server only does as it is told. */
    @Test
    void requestsThatAskToCloseHaveNoLimitOfKeepAlive() {
        MadeUpPhase phase = closed().seconds(10, r -> r.connected(100, 5, FAST));

        assertThat(ids(phase)).contains("keep-alive-limit");
        assertThat(Diagnoses.of(new RunSeries(List.of(phase.series()), false, true)))
                .isEmpty();
    }

    /** Rules must not trip over a phase of which next to nothing is known. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aPhaseOfHardlyAnySecondsIsNoTrouble(int seconds) {
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Overload.DROP);
        Load ramp = new Load.Open(
                new RampArrivals(Rate.perSecond(1), Rate.perSecond(10), Duration.ofSeconds(5)), Overload.DROP);

        for (Load load : List.of(Load.Closed.AT_ONCE, open, ramp)) {
            assertThat(ids(new MadeUpPhase("peak", 10, load).seconds(seconds, r -> r.answered(10, 5))))
                    .isEmpty();
        }
    }
}
