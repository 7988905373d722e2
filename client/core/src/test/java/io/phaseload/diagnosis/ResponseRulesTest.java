package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.TIMED_OUT;
import static io.phaseload.diagnosis.Found.http;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RandomPhase;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is concluded from responses and their times. */
class ResponseRulesTest {

    @Test
    void refusalsAtAFlatRateAreARateLimit() {
        Diagnosis found = only(closed().seconds(8, r -> r.answered(100, 5).failed(60, 4, http(429))));

        assertThat(found.id()).isEqualTo("rate-limit");
        assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN);
        assertThat(found.text()).contains("status 429, while 100.0 a second succeeded");
    }

    /** Evenly, more and more, for a while, and in bursts. */
    @ParameterizedTest
    @ValueSource(ints = {429, 420, 509})
    void aStatusThatReportsALimitIsThatAlone(int status) {
        MadeUpPhase growing = closed();
        MadeUpPhase away = closed();
        MadeUpPhase bursts = closed();
        for (int i = 0; i < 12; i++) {
            int refused = 8 * i;
            boolean isAway = i >= 5 && i < 8;
            boolean isBurst = i == 4 || i == 8;
            growing.second(r -> r.answered(100 - refused, 5).failed(refused, 4, http(status)));
            away.second(r -> r.answered(isAway ? 0 : 100, 5).failed(isAway ? 100 : 0, 4, http(status)));
            bursts.second(r -> r.answered(isBurst ? 20 : 100, 5).failed(isBurst ? 80 : 0, 4, http(status)));
        }

        assertThat(ids(closed().seconds(8, r -> r.answered(60, 5).failed(40, 4, http(status)))))
                .containsExactly("rate-limit");
        assertThat(ids(growing)).containsExactly("rate-limit");
        assertThat(ids(away)).containsExactly("rate-limit");
        assertThat(ids(bursts)).containsExactly("rate-limit");
    }

    @Test
    void aRateLimitSaysWhatRefusalsAskFor() {
        Outcome refused = new Outcome.HttpFailure(429, "slow down").retryAfter(7);
        Diagnosis found = only(closed().seconds(8, r -> r.answered(100, 5).failed(60, 4, refused)));

        assertThat(found.text()).contains("with status 429 and Retry-After: 7 s, while 100.0");
    }

    @Test
    void aBurstThatPassesFirstBelongsToARateLimit() {
        MadeUpPhase phase = closed().seconds(3, r -> r.answered(160, 5));
        phase.seconds(6, r -> r.answered(100, 5).failed(60, 4, http(429)));

        assertThat(only(phase).text())
                .contains("while 100.0 a second succeeded after the first 180 had used up a burst");
    }

    @Test
    void fastRefusalsOfASteadyRateAreALimit() {
        assertThat(ids(closed().seconds(8, r -> r.answered(120, 50).failed(400, 1, http(503)))))
                .containsExactly("rate-limit");
        assertThat(ids(closed().seconds(8, r -> r.answered(120, 5).failed(400, 1, http(503)))))
                .containsExactlyInAnyOrder("rate-limit", "load-shedding");
    }

    /** As many were under way when others succeeded. */
    @Test
    void fastRefusalsAloneAreNoShedLoad() {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 10; i++) {
            int answered = i % 2 == 0 ? 40 : 160;
            phase.second(r -> r.answered(answered, 50).failed(30, 1, http(503)));
        }

        assertThat(only(phase).id()).isEqualTo("steady-failures");
    }

    @Test
    void aTailUpToTheTimeoutIsCutOff() {
        assertThat(only(closed().seconds(5, r -> r.answered(90, 500)
                                .answered(9, 9_000)
                                .failed(1, 10_000, TIMED_OUT)))
                        .id())
                .isEqualTo("timeout-too-short");
    }

    @Test
    void silenceBesideFastResponsesIsNoTail() {
        assertThat(only(closed().seconds(5, r -> r.answered(99, 5).failed(1, 10_000, TIMED_OUT)))
                        .id())
                .isEqualTo("unanswered");
    }

    @Test
    void twoTimeoutsSayNothing() {
        assertThat(ids(closed().seconds(5, r -> r.answered(99, 5)).second(r -> r.failed(2, 10_000, TIMED_OUT))))
                .isEmpty();
    }

    /** It is what a warmup is for. */
    @Test
    void aSlowStartOfTheWarmupIsNoNews() {
        assertThat(ids(slowAtFirst("peak"))).containsExactly("slow-start");
        assertThat(ids(slowAtFirst("warmup"), closed().seconds(5, r -> r.answered(100, 5))))
                .isEmpty();
    }

    private static MadeUpPhase slowAtFirst(String name) {
        return new MadeUpPhase(name, 1, Load.Closed.AT_ONCE)
                .second(r -> r.answered(1, 450).answered(20, 5))
                .second(r -> r.answered(100, 5).answered(1, 1_400))
                .seconds(5, r -> r.answered(100, 5));
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

    /**
     * Larger bodies come in two pieces, of which the second one waits for an acknowledgement; or they only take longer.
     */
    @ParameterizedTest
    @CsvSource({"46, 5, true", "46, 40, false", "76, 5, false"})
    void piecesThatWaitForAnAcknowledgementAreSaid(double millis, double firstByteMillis, boolean found) {
        MadeUpPhase phase =
                closed().seconds(8, r -> r.answered(80, 6).answeredSlowly(40, millis, firstByteMillis, 3_000));

        assertThat(ids(phase)).isEqualTo(found ? List.of("two-speeds") : List.of());
    }

    @Test
    void ofFewRequestsTheSlowOnesMustBeFarSlower() {
        assertThat(ids(closed().seconds(5, r -> r.answered(48, 8).answered(2, 60))))
                .isEmpty();
        assertThat(ids(closed().seconds(5, r -> r.answered(48, 8).answered(2, 900))))
                .containsExactly("two-speeds");
    }

    @Test
    void aHundredRequestsShowFarSlowerOnesAndFewerDont() {
        assertThat(ids(closed().seconds(8, r -> r.answered(11, 8).answered(2, 900))))
                .containsExactly("two-speeds");
        assertThat(ids(closed().seconds(8, r -> r.answered(10, 8).answered(2, 900))))
                .isEmpty();
        assertThat(ids(closed().seconds(7, r -> r.answered(20, 8).answered(1, 900))))
                .as("seven slow ones")
                .isEmpty();
    }

    /** What hasn't changed is answered sooner. */
    @Test
    void aStatusThatTakesLongerIsNoSecondSpeed() {
        assertThat(ids(closed().seconds(10, r -> r.answered(33, 60).notModified(67, 5))))
                .isEmpty();
    }

    @Test
    void aLongTailIsOneSpeed() {
        MadeUpPhase phase = closed();
        phase.seconds(10, r -> {
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

        assertThat(only(phase).id()).isEqualTo("two-speeds");
        phase.second(Map.of("tcpRetransmitsPerSecond", 20.0), r -> r.answered(100, 5));
        assertThat(only(phase).id()).isEqualTo("packet-loss");
        assertThat(only(phase).confidence()).isEqualTo(Confidence.LIKELY);
    }

    /** A link that loses any segment; or a server without room for new connections, which drops their first ones. */
    @Test
    void connectionsThatAreLostAmongOtherSegmentsAreLoss() {
        Map<String, Double> resent = Map.of("tcpRetransmitsPerSecond", 20.0);
        SetUp made = new SetUp(0, 3_000_000, -1);
        SetUp again = new SetUp(0, 1_003_000_000, -1);
        Diagnosis found = only(closed().seconds(10, r -> r.answered(98, 5)
                        .answered(2, 207)
                        .connected(9, 5, made)
                        .connected(1, 5, again))
                .second(resent, r -> r.answered(100, 5)));
        RandomPhase crowded = new RandomPhase(1, 10, 9_000, 20).reconnecting(place -> place % 5 == 0);
        PhaseSeries dropped = crowded.onClient(resent)
                .series(of -> of.place() % 5 == 0 && crowded.chance(0.3) ? 210 : crowded.between(5, 8));

        assertThat(found.id()).isEqualTo("packet-loss");
        assertThat(found.follows()).anyMatch(follows -> follows.startsWith("accept-queue: "));
        assertThat(Diagnoses.of(new RunSeries(List.of(dropped), false, false)))
                .extracting(Diagnosis::id)
                .doesNotContain("packet-loss");
    }

    /** A link that drops what exceeds its rate, and one that queues it. */
    @Test
    void responsesThatMostlyWaitForLostSegmentsAreLoss() {
        Diagnosis found = only(transfers(80, 30_000));

        assertThat(found.id()).isEqualTo("packet-loss");
        assertThat(found.text())
                .startsWith("160 of 160 responses of 'GET /' took 0.2 s or more longer than the fastest first bytes");
        assertThat(ids(transfers(15, 30_000))).isEmpty();
    }

    private static MadeUpPhase transfers(double resent, long bytes) {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 8; i++) {
            phase.second(Map.of("tcpRetransmitsPerSecond", resent), r -> r.answeredSlowly(20, 500, 5, bytes));
        }
        return phase;
    }

    /** They wait for a place in a line, that isn't there with fewer users. */
    @Test
    void firstRequestsThatAreFastWithFewerUsersWaitForSomethingElse() {
        PhaseSeries few = new RandomPhase(1, 4, 6_000, 20)
                .reconnecting(place -> place % 8 == 0)
                .series(of -> 6);
        PhaseSeries many = new RandomPhase(2, 30, 6_000, 20)
                .reconnecting(place -> place % 8 == 0)
                .series(of -> of.place() % 8 == 0 ? 400 : 6);

        assertThat(Diagnoses.of(new RunSeries(List.of(many), false, false)))
                .extracting(Diagnosis::id)
                .startsWith("slow-first-request");
        assertThat(Diagnoses.of(new RunSeries(List.of(few, many), false, false)))
                .extracting(Diagnosis::id)
                .doesNotContain("slow-first-request");
    }

    /** Each of the few had one, which was fast. */
    @Test
    void theOnlyFirstRequestsOfAFewUsersMayBeEnough() {
        PhaseSeries few = new RandomPhase(1, 2, 6_000, 20).series(of -> of.place() == 0 ? 60 : 12);
        PhaseSeries slow = new RandomPhase(1, 2, 6_000, 20).series(of -> of.place() == 0 ? 300 : 12);
        PhaseSeries many = new RandomPhase(2, 30, 6_000, 20)
                .reconnecting(place -> place % 8 == 0)
                .series(of -> of.place() % 8 == 0 ? 600 : 12);

        assertThat(Diagnoses.of(new RunSeries(List.of(few, many), false, false)))
                .extracting(Diagnosis::id)
                .doesNotContain("slow-first-request");
        assertThat(Diagnoses.of(new RunSeries(List.of(slow, many), false, false)))
                .extracting(Diagnosis::id)
                .startsWith("slow-first-request");
    }

    /** At a run's start the server may have got ready. */
    @Test
    void firstRequestsThatAreSlowAgainInALaterPhaseAreSlowByTheirConnections() {
        PhaseSeries phase = new RandomPhase(1, 30, 6_000, 20).series(of -> of.place() == 0 ? 400 : 6);
        PhaseSeries later = new RandomPhase(2, 30, 6_000, 20).series(of -> of.place() == 0 ? 400 : 6);

        assertThat(Diagnoses.of(new RunSeries(List.of(phase, later), false, false)))
                .extracting(Diagnosis::id)
                .containsExactly("slow-first-request");
        assertThat(Diagnoses.of(new RunSeries(List.of(phase), false, false))).isEmpty();
    }

    /** A constant load makes it, too. */
    @Test
    void aFlatRateOfBytesAloneProvesNothing() {
        Load rate = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);

        assertThat(ids(new MadeUpPhase("peak", 10, rate).seconds(6, r -> r.answeredSlowly(100, 100, 5, 125_000))))
                .isEmpty();
        assertThat(ids(closed().seconds(6, r -> r.answeredSlowly(100, 100, 5, 60_000))))
                .as("made while it is sent")
                .isEmpty();
        assertThat(only(closed().seconds(6, r -> r.answeredSlowly(100, 100, 5, 125_000)))
                        .confidence())
                .isEqualTo(Confidence.POSSIBLE);
    }

    /** Seven ways there and back for the 480 KB after the first window, of users who pause. */
    @ParameterizedTest
    @CsvSource({"64, 525, true", "64, 250, false", "64, 760, false", "4, 102, false"})
    void windowsThatFillTheWayAreBandwidth(double tripMillis, double millis, boolean found) {
        MadeUpPhase phase = new MadeUpPhase(
                "peak", 10, new Load.Closed(Pause.of(Duration.ofMillis(40)), Pause.NONE, Duration.ZERO));
        phase.second(r -> r.connected(10, tripMillis + 6, Found.connect(0, tripMillis, -1)));
        double perSecond = 10_000 / (millis + 40);
        phase.seconds(8, r -> r.answeredSlowly((int) perSecond, millis, tripMillis + 6, 477_000));

        assertThat(ids(phase)).isEqualTo(found ? List.of("bandwidth") : List.of());
        if (found) {
            assertThat(only(phase).text()).contains("8 Mbit/s").contains("64 KiB on each way of 64 ms there and back");
        }
    }

    @Test
    void aFlatRateOfBytesOverAFullLinkIsBandwidth() {
        MadeUpPhase phase = closed();
        for (int i = 0; i < 6; i++) {
            phase.second(Map.of(Figures.LINK, 95.0), r -> r.answeredSlowly(100, 100, 5, 125_000));
        }
        Diagnosis found = only(phase);

        assertThat(found.id()).isEqualTo("bandwidth");
        assertThat(found.confidence()).isEqualTo(Confidence.LIKELY);
        assertThat(found.text()).contains("this machine's own link, which was 95 % full");
        assertThat(found.evidence().get("mbitPerSecond").doubleValue()).isCloseTo(100, within(2.0));
    }

    @Test
    void redirectsInACircleLeadToNoPage() {
        Outcome circle = new Outcome.NotFollowed("too many redirects", "/shop/");
        Diagnosis found = only(closed().seconds(5, r -> r.answered(100, 5).failed(2, 1, circle)));

        assertThat(found.id()).isEqualTo("unfollowed-redirects");
        assertThat(found.text())
                .startsWith(
                        "10 requests led to no page, but ended with 'too many redirects', the first one at /shop/.");
    }

    /** Ten users whose requests take 100 ms, and the connections over which large ones were on their way. */
    @Test
    void uploadsThatFillTheTimeAreSeen() {
        assertThat(uploads(9, 8)).extracting(Diagnosis::confidence).containsExactly(Diagnosis.Confidence.LIKELY);
        assertThat(uploads(9)).extracting(Diagnosis::confidence).containsExactly(Diagnosis.Confidence.POSSIBLE);
        assertThat(uploads(4, 5)).isEmpty();
        assertThat(uploads()).isEmpty();
    }

    /** A server that doesn't read before it answers has what was sent in its buffers meanwhile, and that is fine. */
    @Test
    void uploadsOfSomeMillisecondsArentSlow() {
        for (double millis : List.of(30.0, 80.0)) {
            PhaseSeries phase = new RandomPhase(1, 9, 9_000, 30)
                    .onClient(Map.of("socketsSending", 6.0))
                    .series(of -> millis);

            assertThat(Diagnoses.of(new RunSeries(List.of(phase), false, false)))
                    .extracting(Diagnosis::id)
                    .isEqualTo(millis < 50 ? List.of() : List.of("slow-uploads"));
        }
    }

    /** Half of the requests are large, and the others are fast. */
    @Test
    void uploadsAreSlowBesideFastReads() {
        PhaseSeries phase = new RandomPhase(1, 9, 9_000, 120)
                .asking("GET /photos", "POST /photos")
                .onClient(Map.of("socketsSending", 6.0))
                .series(of -> of.operation() == 0 ? 12 : 300);

        assertThat(Diagnoses.of(new RunSeries(List.of(phase), false, false)))
                .extracting(Diagnosis::id)
                .contains("slow-uploads");
    }

    /** Over a long way, bytes are acknowledged late, but not later because connections were made in a crowd. */
    @ParameterizedTest
    @CsvSource({"60, 70, false", "60, 30, true", "30, 70, true"})
    void uploadsAreSlowIfTheyTakeManyWaysThereAndBack(double connectMillis, double roundTrip, boolean slow) {
        SetUp setUp = new SetUp(0, Math.round(connectMillis * 1e6), -1);
        MadeUpPhase phase = MadeUpPhase.closed()
                .seconds(1, r -> r.connected(25, 250, setUp))
                .second(Map.of("socketsSending", 20.0, "connectionRttMs", roundTrip), r -> r.answered(100, 250))
                .seconds(3, r -> r.answered(100, 250));

        assertThat(uploads(phase)).hasSize(slow ? 1 : 0);
    }

    private static List<Diagnosis> uploads(double... sending) {
        MadeUpPhase phase = MadeUpPhase.closed();
        phase.seconds(1, r -> r.answered(100, 100));
        for (double some : sending) {
            phase.second(Map.of("socketsSending", some), r -> r.answered(100, 100));
        }
        return uploads(phase.seconds(3, r -> r.answered(100, 100)));
    }

    private static List<Diagnosis> uploads(MadeUpPhase phase) {
        return Diagnoses.of(new RunSeries(List.of(phase.series()), false, false)).stream()
                .filter(found -> found.id().equals("slow-uploads"))
                .toList();
    }
}
