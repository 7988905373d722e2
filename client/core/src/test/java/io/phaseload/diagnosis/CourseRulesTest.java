package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.REFUSED;
import static io.phaseload.diagnosis.Found.TIMED_OUT;
import static io.phaseload.diagnosis.Found.http;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.stats.ScalabilityLaw;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded from what changes from second to second, and from phase to phase. */
class CourseRulesTest {

    /** Requests that were open when their phase ended, and timed out after it. */
    @Test
    void whatThePhasesEndLeftOpenIsNoOutage() {
        assertThat(ids(closed().seconds(5, r -> r.answered(100, 5)).second(r -> r.failed(16, 1_000, TIMED_OUT))))
                .doesNotContain("outage");
    }

    @Test
    void refusalsAloneAreAnOutage() {
        Diagnosis found = only(closed().seconds(5, r -> r.answered(100, 5))
                .seconds(2, r -> r.failed(4, 1, REFUSED))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("outage");
        assertThat(found.evidence()).containsEntry("failed", 8L);
        assertThat(found.text()).startsWith("from 5.0 to 7.0 s into the run");
    }

    @Test
    void allOutagesAreCounted() {
        Diagnosis found = only(closed().seconds(5, r -> r.answered(100, 5))
                .seconds(2, r -> r.failed(40, 1, http(502)))
                .seconds(3, r -> r.answered(100, 5))
                .seconds(3, r -> r.failed(30, 1, REFUSED))
                .seconds(5, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("outage");
        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.evidence()).containsEntry("failed", 170L);
        assertThat(found.text()).startsWith("from 10.0 to 13.0 s into the run, and once more for 5.0 s in all,");
    }

    /** A stopped client loses its own requests. */
    @Test
    void aStopOfTheClientIsNoOutageOfTheServer() {
        MadeUpPhase phase = closed().seconds(5, r -> r.answered(100, 5))
                .second(r -> {})
                .second(r -> r.failedInStall(10, 1_500, TIMED_OUT))
                .seconds(5, r -> r.answered(100, 5));

        assertThat(ids(phase)).isEmpty();
    }

    @Test
    void aNetworkThatWasDownLooksLikeAServerThatWas() {
        Diagnosis found = only(closed().seconds(15, r -> r.answered(100, 5))
                .second(r -> {})
                .second(r -> r.failed(10, 1_500, TIMED_OUT))
                .seconds(15, r -> r.answered(100, 5)));

        assertThat(found.id()).isEqualTo("outage");
        assertThat(found.confidence()).isEqualTo(Confidence.LIKELY);
    }

    /** A server that refuses is up. */
    @Test
    void aWindowWhoseLimitIsReachedIsNoOutage() {
        assertThat(ids(closed().second(r -> r.answered(100, 5))
                        .seconds(9, r -> r.failed(100, 5, http(429)))
                        .second(r -> r.answered(100, 5))
                        .seconds(9, r -> r.failed(100, 5, http(429)))
                        .second(r -> r.answered(100, 5))))
                .containsExactly("rate-limit");
    }

    /** Of a service with few requests, seconds without one are no news. */
    @Test
    void rareRequestsHaveNoOutage() {
        assertThat(ids(closed().seconds(5, r -> r.answered(2, 5))
                        .seconds(2, r -> {})
                        .seconds(5, r -> r.answered(2, 5))))
                .isEmpty();
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
        MadeUpPhase phase = new MadeUpPhase(
                "peak",
                10,
                new Load.Open(
                        new RampArrivals(Rate.perSecond(90), Rate.perSecond(100), Duration.ofSeconds(30)),
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
        assertThat(found.text())
                .startsWith("with 10 users 1000 requests a second ended, with 40 users the throughput was 1020");
    }

    @Test
    void fewRequestsSaturateIfTheyTakeFarLonger() {
        assertThat(ids(slow(10, 24, 160), slow(40, 25, 900))).containsExactly("saturation");
        assertThat(ids(slow(10, 24, 160), slow(40, 25, 300))).isEmpty();
    }

    /** Few users didn't load the target fully, so that more get more done. */
    @Test
    void manyTimesTheUsersWhoMostlyWaitAreASaturation() {
        assertThat(ids(slow(3, 35, 40), slow(33, 63, 420))).containsExactly("saturation");
        assertThat(ids(slow(3, 35, 40), slow(33, 300, 80))).isEmpty();
        assertThat(ids(slow(12, 120, 20), slow(30, 145, 200))).containsExactly("saturation");
        assertThat(ids(slow(12, 120, 20), slow(30, 170, 200))).isEmpty();
    }

    /** Each word of a model's answer takes its time, so the answers take less than three times as long. */
    @ParameterizedTest
    @CsvSource({"1500, 1130, true", "640, 240, false"})
    void streamsWaitBeforeTheyBegin(double millis, double firstEventMillis, boolean saturated) {
        MadeUpPhase few = new MadeUpPhase("few", 2, Load.Closed.AT_ONCE).seconds(3, r -> r.streamed(3, 540, 134));
        MadeUpPhase many = new MadeUpPhase("peak", 29, Load.Closed.AT_ONCE)
                .seconds(6, r -> r.streamed(16, millis, firstEventMillis));

        List<Diagnosis> found = Diagnoses.of(new RunSeries(List.of(few.series(), many.series()), false, false));

        assertThat(found).extracting(Diagnosis::id).isEqualTo(saturated ? List.of("saturation") : List.of());
        assertThat(found).allMatch(of -> of.text().contains("the mean time to the first event of all went from 134"));
    }

    private static MadeUpPhase slow(int users, int perSecond, double millis) {
        return new MadeUpPhase("with" + users, users, Load.Closed.AT_ONCE)
                .seconds(3, r -> r.answered(perSecond, millis));
    }

    private static MadeUpPhase atARate(int perSecond, int answered) {
        Load load = new Load.Open(new ConstantArrivals(Rate.perSecond(perSecond)), Overload.QUEUE);
        MadeUpPhase phase = new MadeUpPhase("peak", 100, load);
        for (int i = 0; i < 5; i++) {
            double late = 1_000.0 * i * (perSecond - answered) / perSecond;
            phase.second(r -> r.late(late).answered(answered, 10));
        }
        return phase;
    }

    @Test
    void aRateThatIsntReachedIsASaturation() {
        Diagnosis found = only(atARate(100, 85));

        assertThat(found.id()).isEqualTo("saturation");
        assertThat(found.text()).startsWith("at a rate of 100 a second the throughput was 85");
        assertThat(ids(atARate(100, 92))).containsExactly("saturation");
        assertThat(ids(atARate(100, 96))).isEmpty();
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
        MadeUpPhase phase = new MadeUpPhase(
                "peak",
                10,
                new Load.Open(
                        new RampArrivals(
                                new Rate(1, Duration.ofSeconds(100)), Rate.perSecond(200), Duration.ofSeconds(20)),
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

    /** The first phase is too short for each 25th message of a sender to be lost. */
    @Test
    void failuresThatAShortPhaseCouldntShowDontBeginWithLoad() {
        MadeUpPhase few = new MadeUpPhase("warmup", 25, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 50, Load.Closed.AT_ONCE);
        few.seconds(1, r -> r.answered(250, 10));
        many.seconds(2, r -> r.answered(500, 10));
        many.seconds(3, r -> r.answered(467, 10).failed(33, 10, http(500)));

        assertThat(ids(few, many)).doesNotContain("failures-with-load");
        few.seconds(4, r -> r.answered(250, 10));
        assertThat(ids(few, many)).contains("failures-with-load");
    }

    /** Those that were under way at the end had a place each. */
    @Test
    void theLastSecondsSuccessesSayNothingOfFailures() {
        MadeUpPhase few = new MadeUpPhase("few", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 50, Load.Closed.AT_ONCE);
        few.seconds(3, r -> r.answered(250, 10));
        many.seconds(3, r -> r.answered(250, 10).failed(500, 1, http(500)));
        many.second(r -> r.answered(12, 10));

        assertThat(ids(few, many)).contains("failures-with-load");
    }

    @Test
    void failuresThatPassWhileTheLoadGoesOnDontBeginWithLoad() {
        MadeUpPhase few = new MadeUpPhase("warmup", 10, Load.Closed.AT_ONCE);
        MadeUpPhase many = new MadeUpPhase("peak", 20, Load.Closed.AT_ONCE);
        few.seconds(5, r -> r.answered(250, 10));
        many.seconds(3, r -> r.answered(500, 10));
        many.seconds(2, r -> r.answered(400, 10).failed(100, 10, http(500)));
        many.seconds(3, r -> r.answered(500, 10));

        assertThat(ids(few, many)).doesNotContain("failures-with-load");
    }

    private static Optional<Diagnosis> ofSweep(double serial) {
        ScalabilityLaw law = new ScalabilityLaw(100, serial, 0);
        List<ScalabilityFit.Point> points = IntStream.of(1, 2, 4, 8, 16, 32)
                .mapToObj(users -> new ScalabilityFit.Point(users, law.throughput(users)))
                .toList();
        return Diagnoses.of(ScalabilityFit.of(points, 1).orElseThrow());
    }

    @Test
    void workThatIsSerialLimitsASweep() {
        Diagnosis found = ofSweep(0.1).orElseThrow();

        assertThat(found.id()).isEqualTo("contention");
        assertThat(found.text()).startsWith("10.0 % of the work").contains("can't exceed about 1000 requests a second");
        assertThat(ofSweep(0.01)).isEmpty();
    }
}
