package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Asked;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.measure.ProtocolFailure;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said first of services that fail, with parameters that nobody chose. */
@Tag("slow")
class FailureRulesTest {

    private static final Outcome RESET = new Outcome.Reset(Stage.BEFORE_RESPONSE);
    private static final int INSTANCES = 100;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aFaultIsNamedFirst(String id, String what, Function<SimulatedPhase, SimulatedPhase> service) {
        List<String> expected = List.of(id.split("\\|"));
        Map<String, Integer> first = new TreeMap<>();
        int right = 0;
        int all = 0;
        while (all < INSTANCES && !isDecided(right, all)) {
            List<Diagnosis> found = service.apply(new SimulatedPhase(all++)).diagnoses();
            String name = found.isEmpty() ? "nothing" : found.get(0).id();
            first.merge(name, 1, Integer::sum);
            right += expected.contains(name) ? 1 : 0;
        }
        assertThat(right).as(what + ": " + first).isGreaterThanOrEqualTo((int) Math.ceil(0.9 * all));
    }

    /**
     * Whether enough instances are judged: Wald's sequential test (Annals of Mathematical Statistics 16, 1945) of 97 %
     * that are right against 85 %. A hundred of each fault, 90 of them right, would accuse or clear a rule as often: of
     * rules of 97 %, 3 in 10,000 fail, of 90 % 40 %, of 85 % 88 % and of 80 % 99 %.
     */
    private static boolean isDecided(int right, int all) {
        double evidence = right * Math.log(0.85 / 0.97) + (all - right) * Math.log(0.15 / 0.03);
        return evidence <= Math.log(0.05 / 0.9997) || evidence >= Math.log(0.95 / 0.0003);
    }

    static Stream<Arguments> aFaultIsNamedFirst() {
        return Stream.of(
                fault("resets", "a worker that crashes at work", FailureRulesTest::crash),
                fault("resets", "a reset after n requests", FailureRulesTest::resetEvery),
                fault("resets", "a reset after a lifetime", FailureRulesTest::lifetime),
                fault("connection-limit", "fewer connections than users", FailureRulesTest::limit),
                fault("restarts|outage", "a server that restarts", FailureRulesTest::restarts),
                fault("restarts", "sessions that are lost", FailureRulesTest::lostSessions),
                fault("steady-failures", "500 by chance", FailureRulesTest::byChance),
                fault("steady-failures", "each n-th fails", FailureRulesTest::inTurn),
                fault("steady-failures", "one instance fails", FailureRulesTest::byConnection),
                fault("steady-failures", "404 of one instance", FailureRulesTest::unknownToOne),
                fault("growing-failures", "more and more fail", FailureRulesTest::growing),
                fault("growing-failures", "workers that die one after another", FailureRulesTest::workers),
                fault("gives-up", "a timeout of somebody", FailureRulesTest::timeout),
                fault("gives-up", "waits that end at a time", FailureRulesTest::cutOff),
                fault("bad-gateway", "502 by chance", FailureRulesTest::badGateway),
                fault("truncated-bodies", "half bodies", FailureRulesTest::truncated),
                fault("rate-limit", "a token bucket", FailureRulesTest::bucket),
                fault("rate-limit", "so many requests a second", FailureRulesTest::calm),
                fault("keep-alive-limit", "n requests a connection", FailureRulesTest::keepAlive),
                fault("slow-connects", "a dead address", FailureRulesTest::deadAddress));
    }

    private static Arguments fault(String id, String what, Function<SimulatedPhase, SimulatedPhase> service) {
        return arguments(id, what, service);
    }

    /** Its status says nothing of a limit, so many of them only look like a share that fails. */
    @Test
    void aTokenBucketMayRefuseWithAnyStatus() {
        List<String> first = IntStream.range(0, 24)
                .mapToObj(seed ->
                        bucket(new SimulatedPhase(seed), List.of(403, 500, 999).get(seed % 3)))
                .flatMap(phase -> phase.diagnoses().stream().limit(1))
                .map(Diagnosis::id)
                .toList();

        assertThat(first).containsOnly("rate-limit", "steady-failures");
        assertThat(first).filteredOn("rate-limit"::equals).hasSizeGreaterThan(12);
    }

    /** As that of a large cloud does. */
    @Test
    void aLimitMaySayThatARequestIsBad() {
        assertThat(IntStream.range(0, 8)
                        .mapToObj(seed -> bucket(new SimulatedPhase(seed), 400))
                        .flatMap(phase -> phase.diagnoses().stream().limit(1))
                        .map(Diagnosis::id))
                .contains("rate-limit");
    }

    /** Slow, with long tails, stalls and kept or short connections: nothing has failed. */
    @Test
    void noFailureIsMadeUp() {
        List<String> ofFailures = aFaultIsNamedFirst()
                .map(fault -> ((String) fault.get()[0]).split("\\|")[0])
                .distinct()
                .toList();
        for (int seed = 0; seed < 200; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed);
            double stall = phase.chance(0.5) ? phase.between(20, 400) : 0;
            double tail = phase.chance(0.5) ? phase.between(0.01, 0.3) : 0;
            double slow = phase.between(20, 600);
            phase.connectMillis = phase.between(0.05, 4);
            phase.of(asked -> {
                double since = asked.atMillis() % 2_000;
                double wait = since < stall ? stall - since : 0;
                double more = phase.chance(tail) ? slow : 0;
                return new Answer(Outcome.SUCCESS, phase.usual() + wait + more, false);
            });

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContainAnyElementsOf(ofFailures);
        }
    }

    private static SimulatedPhase crash(SimulatedPhase phase) {
        double share = phase.between(0.01, 0.1);
        double delay = phase.between(20, 200);
        return phase.of(
                asked -> phase.chance(share) ? new Answer(RESET, phase.between(0.9, 1.1) * delay, true) : phase.ok());
    }

    private static SimulatedPhase resetEvery(SimulatedPhase phase) {
        int most = phase.whole(3, 30);
        return phase.of(asked -> asked.place() >= most ? new Answer(RESET, 0.3, true) : phase.ok());
    }

    private static SimulatedPhase lifetime(SimulatedPhase phase) {
        double life = phase.between(300, 1_500);
        return phase.of(asked -> asked.ageMillis() > life ? new Answer(RESET, 0.3, true) : phase.ok());
    }

    private static SimulatedPhase limit(SimulatedPhase phase) {
        int most = phase.whole(1, phase.users * 3 / 4);
        Outcome outcome = phase.chance(0.5) ? RESET : Outcome.NoResponse.CONNECT_REFUSED;
        return phase.of(asked -> asked.user() >= most ? new Answer(outcome, phase.between(0.5, 1), true) : phase.ok());
    }

    private static SimulatedPhase restarts(SimulatedPhase phase) {
        double period = phase.between(1_200, 3_000);
        double down = phase.between(80, 500);
        return phase.of(asked -> {
            if (asked.atMillis() % period < period - down) {
                return phase.ok();
            }
            // Whoever is refused tries again without its usual pause.
            return asked.place() > 0
                    ? new Answer(RESET, 0.3, true)
                    : new Answer(Outcome.NoResponse.CONNECT_REFUSED, phase.between(1, 3), true);
        });
    }

    /** At one moment, and each user logs in again at the end of a visit. */
    private static SimulatedPhase lostSessions(SimulatedPhase phase) {
        double moment = phase.between(2_000, 4_000);
        phase.thinking(phase.between(5, 30), phase.between(40, 120));
        int[] left =
                IntStream.range(0, phase.users).map(user -> phase.whole(1, 6)).toArray();
        return phase.of(asked -> asked.atMillis() > moment && left[asked.user()]-- > 0 ? phase.http(401) : phase.ok());
    }

    private static SimulatedPhase byChance(SimulatedPhase phase) {
        double share = phase.between(0.03, 0.6);
        return phase.of(asked -> phase.chance(share) ? phase.http(500) : phase.ok());
    }

    private static SimulatedPhase inTurn(SimulatedPhase phase) {
        int instances = phase.whole(2, 5);
        int status = phase.chance(0.5) ? 500 : 503;
        return phase.of(asked -> asked.count() % instances == 0 ? phase.http(status) : phase.ok());
    }

    private static SimulatedPhase byConnection(SimulatedPhase phase) {
        int instances = phase.whole(2, 3);
        return phase.of(asked -> asked.user() % instances == 0 ? phase.http(500) : phase.ok());
    }

    private static SimulatedPhase unknownToOne(SimulatedPhase phase) {
        int instances = phase.whole(2, 3);
        return phase.of(asked -> asked.count() % instances == 0 ? phase.http(404) : phase.ok());
    }

    private static List<String> ids(boolean given, PhaseSeries... phases) {
        return Found.ids(given ? Set.copyOf(phases[0].names()) : Set.of(), phases);
    }

    /** Each of the few asks twice: that shows a share of all, and nothing of each third one of a connection. */
    @Test
    void usersWhoAskTwiceShowWhatFailsEarly() {
        SimulatedPhase few = new SimulatedPhase(1).thinking(4_000, 4_000);
        few.users = 40;
        PhaseSeries without = few.of(asked -> few.ok()).series();

        assertThat(ids(false, without, failing(asked -> asked.count() % 5 < 2))).contains("failures-with-load");
        assertThat(ids(false, without, failing(asked -> asked.place() % 3 == 2)))
                .doesNotContain("failures-with-load");
    }

    private static PhaseSeries failing(Predicate<Asked> such) {
        SimulatedPhase many = new SimulatedPhase(1).thinking(300, 300);
        many.users = 120;
        return many.of(asked -> such.test(asked) ? many.http(500) : many.ok()).series();
    }

    /** A balancer leads one of three connections to an instance that is gone, and each request makes one. */
    @Test
    void connectionsThatAreRefusedInAConstantShareAreSteady() {
        for (Outcome outcome : List.of(Found.REFUSED, new Outcome.ClientFault("no route to host", "-"))) {
            SimulatedPhase phase = new SimulatedPhase(1).seconds(8);
            phase.of(asked -> phase.chance(0.3)
                    ? new Answer(outcome, 1, true)
                    : new Answer(Outcome.SUCCESS, phase.usual(), true));

            assertThat(Diagnoses.of(new RunSeries(List.of(phase.series()), false, true)))
                    .extracting(Diagnosis::id)
                    .containsExactly("steady-failures");
        }
    }

    /** So many users may be logged in at once; what they do once they are is never refused. */
    @Test
    void seatsAreNoRateLimit() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).asking("POST /login", "GET /items");
            phase.users = 20;
            double[] until = new double[phase.whole(3, 6)];
            phase.of(asked -> {
                int seat = IntStream.range(0, until.length)
                        .filter(i -> until[i] < asked.atMillis())
                        .findFirst()
                        .orElse(-1);
                if (asked.count() % 2 == 1) {
                    return phase.ok();
                }
                if (seat < 0) {
                    return phase.http(503);
                }
                until[seat] = asked.atMillis() + phase.between(500, 2_500);
                return phase.ok();
            });

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("rate-limit");
        }
    }

    @Test
    void manyThatFailShortlyBeforeTheEndAreSteady() {
        SimulatedPhase phase = new SimulatedPhase(1).thinking(0, 0);

        assertThat(phase.of(asked -> asked.atMillis() > 2_300 && phase.chance(0.4) ? phase.http(401) : phase.ok())
                        .diagnoses())
                .extracting(Diagnosis::id)
                .containsExactly("steady-failures");
    }

    @Test
    void allConflictWithTheOneThatSucceeded() {
        SimulatedPhase first = new SimulatedPhase(1);
        SimulatedPhase second = new SimulatedPhase(1);
        PhaseSeries one = first.of(asked -> asked.count() == 0 ? first.ok() : first.http(409))
                .series();
        PhaseSeries none = second.of(asked -> second.http(409)).series();

        assertThat(ids(false, one, none)).containsExactly("wrong-request");
        assertThat(ids(false, none)).containsExactly("wrong-request");
        assertThat(ids(false, none, one)).as("one succeeds later").doesNotContain("wrong-request");
    }

    /** A balancer whose every third instance is refused. */
    @Test
    void everyThirdRefusalIsNoShedLoad() {
        SimulatedPhase phase = new SimulatedPhase(1);

        assertThat(phase.of(asked -> asked.count() % 3 == 0 ? phase.http(503) : phase.ok())
                        .diagnoses())
                .extracting(Diagnosis::id)
                .startsWith("steady-failures")
                .doesNotContain("load-shedding");
    }

    /** One 504 among failures at random times says nothing of a timeout. */
    @Test
    void aTimeoutIsCertainIfItsFailuresSayIt() {
        assertThat(failing(504, 1_000).get(0))
                .satisfies(found -> assertThat(found.id()).isEqualTo("gives-up"))
                .satisfies(found -> assertThat(found.confidence()).isEqualTo(Confidence.CERTAIN));
        assertThat(failing(500, 1_000).get(0))
                .satisfies(found -> assertThat(found.id()).isEqualTo("gives-up"))
                .satisfies(found -> assertThat(found.confidence()).isEqualTo(Confidence.LIKELY));
    }

    /** Of each fifth request, and one more with 504. */
    private static List<Diagnosis> failing(int status, double millis) {
        SimulatedPhase phase = new SimulatedPhase(1);
        return phase.of(asked -> asked.count() == 100
                        ? new Answer(new Outcome.HttpFailure(504), millis, false)
                        : phase.chance(0.1) ? new Answer(new Outcome.HttpFailure(status), millis, false) : phase.ok())
                .diagnoses();
    }

    @Test
    void timesOfALimitedClientNameNoTimeout() {
        SimulatedPhase phase = timeout(new SimulatedPhase(1));

        assertThat(phase.diagnoses(true, Set.of())).extracting(Diagnosis::id).doesNotContain("gives-up");
    }

    /** Connections beyond what a server may open are accepted when others end, most of them too late. */
    @Test
    void firstRequestsThatTimeOutAreUnanswered() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(9);
            phase.timeoutMillis = 500;
            phase.of(asked -> asked.place() == 0 && phase.chance(0.5)
                    ? new Answer(Outcome.SUCCESS, phase.between(300, 1_500), false)
                    : new Answer(Outcome.SUCCESS, phase.usual(), phase.chance(0.02)));

            assertThat(phase.diagnoses().get(0).id()).isEqualTo("unanswered");
            assertThat(phase.diagnoses().get(0).text()).contains("the first requests over their connections");
        }
    }

    @Test
    void lookUpsThatFailNowAndThenAreSaid() {
        SimulatedPhase phase = new SimulatedPhase(1);
        Outcome unknown = new Outcome.ClientFault(Cause.UNKNOWN_HOST, "shop.example");
        phase.of(asked -> asked.atMillis() > 3_000 ? new Answer(unknown, 2, true) : phase.ok());

        assertThat(phase.diagnoses())
                .first()
                .returns("failed-look-ups", Diagnosis::id)
                .returns(Confidence.CERTAIN, Diagnosis::confidence)
                .extracting(Diagnosis::text)
                .asString()
                .contains("(shop.example), while others succeeded");
    }

    /** An open model makes more connections while a server is slow. */
    @Test
    void connectionsThatAreMadeInSlowTimesArentSlow() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(9).at(new ConstantArrivals(Rate.perSecond(150)));
            double slow = phase.between(150, 300);
            phase.of(asked -> new Answer(
                    Outcome.SUCCESS,
                    phase.usual() + (asked.atMillis() > 3_000 && asked.atMillis() < 4_500 ? slow : 0),
                    phase.chance(0.02)));

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("slow-first-request");
        }
    }

    /** Pages that are compiled one after another, when they are asked for first: until then each request waits. */
    @Test
    void connectionsThatAreMadeWhileAServerGetsReadyArentSlow() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed)
                    .seconds(9)
                    .asking("GET /", "GET /items", "GET /cart", "GET /search")
                    .at(new ConstantArrivals(Rate.perSecond(45)));
            double each = phase.between(500, 800);
            phase.of(asked -> new Answer(
                    Outcome.SUCCESS,
                    phase.usual() + Math.max(0, each * (1 + asked.count() % 4) - asked.atMillis()),
                    false));

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).startsWith("slow-start");
        }
    }

    /**
     * The third of three operations ends its connection; a limit may end one after any of them. If it costs, it counts.
     */
    @Test
    void anOperationThatEndsItsConnectionIsNoLimit() {
        SimulatedPhase logOut = new SimulatedPhase(1).asking("POST /login", "GET /orders", "POST /logout");
        SimulatedPhase dear = new SimulatedPhase(1).asking("POST /login", "GET /orders", "POST /logout");
        dear.users = 1;
        dear.connectMillis = 50;
        SimulatedPhase limit = new SimulatedPhase(1).asking("POST /login", "GET /orders", "POST /logout");
        logOut.users = 1;
        limit.users = 1;

        assertThat(logOut.of(asked -> new Answer(Outcome.SUCCESS, logOut.usual(), asked.count() % 3 == 2))
                        .diagnoses())
                .isEmpty();
        assertThat(dear.of(asked -> new Answer(Outcome.SUCCESS, dear.usual(), asked.count() % 3 == 2))
                        .diagnoses())
                .extracting(Diagnosis::id)
                .containsExactly("keep-alive-limit");
        assertThat(limit.of(asked -> new Answer(Outcome.SUCCESS, limit.usual(), asked.place() == 5))
                        .diagnoses())
                .extracting(Diagnosis::id)
                .containsExactly("keep-alive-limit");
    }

    @ParameterizedTest
    @MethodSource
    void aShareThatFailsInAnyWayIsSteady(Outcome outcome) {
        SimulatedPhase phase = new SimulatedPhase(1);

        assertThat(phase.of(asked -> phase.chance(0.3) ? new Answer(outcome, phase.usual(), true) : phase.ok())
                        .diagnoses())
                .first()
                .extracting(Diagnosis::id)
                .isEqualTo("steady-failures");
    }

    static Stream<Outcome> aShareThatFailsInAnyWayIsSteady() {
        return Stream.of(
                new Outcome.TlsFailure("signature check failed"),
                new ProtocolFailure("goaway ENHANCE_YOUR_CALM", ""),
                new ProtocolFailure("lost: refused: full", ""));
    }

    /** The connections of a pair may lead to different instances; or each message may be lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesThatNeverArriveAreUnanswered(boolean byPair) {
        Outcome lost = new ProtocolFailure(Cause.NOT_RECEIVED.key(), "");
        SimulatedPhase phase = new SimulatedPhase(1).thinking(50, 200);
        phase.timeoutMillis = 1_000;
        phase.users = 24;
        List<Diagnosis> found = phase.of(asked -> (byPair ? asked.user() % 2 == 0 : phase.chance(0.3))
                        ? new Answer(lost, 999.9, false)
                        : phase.ok())
                .diagnoses();

        assertThat(found).extracting(Diagnosis::id).containsExactly("unanswered");
        assertThat(found.get(0).text().contains("always those of the same pairs"))
                .isEqualTo(byPair);
    }

    private static SimulatedPhase timeout(SimulatedPhase phase) {
        double share = phase.between(0.03, 0.3);
        double limit = phase.between(300, 1_500);
        Outcome outcome = List.of(
                        new Outcome.HttpFailure(504),
                        new Outcome.HttpFailure(502),
                        RESET,
                        new ProtocolFailure("stream reset CANCEL", ""))
                .get(phase.whole(0, 3));
        return phase.of(
                asked -> phase.chance(share) ? new Answer(outcome, limit + phase.between(0.5, 3), true) : phase.ok());
    }

    /** Requests wait for a place in a full buffer, and fail at a time limit. */
    private static SimulatedPhase cutOff(SimulatedPhase phase) {
        double limit = phase.between(300, 600);
        double longest = phase.between(1.05, 1.3) * limit;
        return phase.of(asked -> {
            double wait = phase.chance(0.2) ? 0 : phase.between(0.8 * limit, longest);
            double more = phase.between(1, 3);
            return wait > limit
                    ? new Answer(new Outcome.HttpFailure(500), limit + more, false)
                    : new Answer(Outcome.SUCCESS, wait + more, false);
        });
    }

    /** A timeout is known a second after its request was sent, so the first second ends without one. */
    @Test
    void timeoutsOfAConstantShareDontGrow() {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedPhase phase = new SimulatedPhase(seed).seconds(7).at(new ConstantArrivals(Rate.perSecond(150)));
            phase.timeoutMillis = 1_000;
            phase.of(asked -> phase.chance(0.4) ? new Answer(Outcome.SUCCESS, 5_000, true) : phase.ok());

            assertThat(phase.diagnoses()).extracting(Diagnosis::id).doesNotContain("growing-failures");
        }
    }

    /** Any status may grow, but limits have a rule of their own. */
    @ParameterizedTest
    @CsvSource({"999, true", "422, true", "502, true", "429, false", "420, false", "509, false", "404, true"})
    void aStatusGrowsUnlessItIsALimit(int status, boolean said) {
        SimulatedPhase phase = new SimulatedPhase(4).seconds(9).at(new ConstantArrivals(Rate.perSecond(100)));
        phase.of(asked -> phase.chance(asked.atMillis() / 12_000) ? phase.http(status) : phase.ok());

        assertThat(phase.diagnoses())
                .extracting(Diagnosis::id)
                .matches(ids -> ids.contains("growing-failures") == said);
    }

    private static SimulatedPhase growing(SimulatedPhase phase) {
        double begin = phase.between(0, 3_000);
        double last = phase.between(0.3, 1);
        int status = List.of(500, 401, 503, 409).get(phase.whole(0, 3));
        return phase.seconds(9)
                .of(asked -> phase.chance(last * (asked.atMillis() - begin) / (9_000 - begin))
                        ? phase.http(status)
                        : phase.ok());
    }

    private static SimulatedPhase workers(SimulatedPhase phase) {
        int workers = phase.whole(4, 6);
        double begin = phase.between(500, 1_500);
        double each = phase.between(0.7, 0.95) * (9_000 - begin) / workers;
        return phase.seconds(9)
                .of(asked -> phase.chance(Math.floor((asked.atMillis() - begin) / each + 1) / workers)
                        ? phase.http(500)
                        : phase.ok());
    }

    private static SimulatedPhase badGateway(SimulatedPhase phase) {
        double share = phase.between(0.03, 0.9);
        return phase.of(asked -> phase.chance(share) ? phase.http(502) : phase.ok());
    }

    private static SimulatedPhase truncated(SimulatedPhase phase) {
        double share = phase.between(0.01, 0.5);
        return phase.of(asked ->
                phase.chance(share) ? new Answer(new Outcome.Reset(Stage.IN_BODY), phase.usual(), true) : phase.ok());
    }

    private static SimulatedPhase bucket(SimulatedPhase phase) {
        return bucket(phase, 429);
    }

    private static SimulatedPhase bucket(SimulatedPhase phase, int status) {
        double rate = phase.between(10, 50) / 1_000;
        double capacity = phase.between(5, 100);
        double[] tokens = {capacity, 0};
        return phase.of(asked -> {
            double more = (asked.atMillis() - tokens[1]) * rate;
            tokens[0] = Math.min(capacity, tokens[0] + more);
            tokens[1] = asked.atMillis();
            if (tokens[0] < 1) {
                return phase.http(status);
            }
            tokens[0]--;
            return phase.ok();
        });
    }

    /** More of a schedule than passes in each second. */
    private static SimulatedPhase calm(SimulatedPhase phase) {
        int most = phase.whole(30, 60);
        int status = List.of(429, 420, 509).get(phase.whole(0, 2));
        int[] passed = {0, -1};
        return phase.seconds(8)
                .at(new PoissonArrivals(Rate.perSecond(phase.whole(2, 3) * most), 1))
                .of(asked -> {
                    int second = (int) (asked.atMillis() / 1_000);
                    passed[0] = second == passed[1] ? passed[0] : 0;
                    passed[1] = second;
                    return passed[0]++ < most
                            ? phase.ok()
                            : new Answer(new Outcome.HttpFailure(status), status, 1, false);
                });
    }

    private static SimulatedPhase keepAlive(SimulatedPhase phase) {
        int most = phase.whole(2, 15);
        return phase.of(asked -> new Answer(Outcome.SUCCESS, phase.usual(), asked.place() + 1 >= most));
    }

    private static SimulatedPhase deadAddress(SimulatedPhase phase) {
        phase.connectMillis = phase.between(150, 800);
        return phase.of(asked -> new Answer(Outcome.SUCCESS, phase.usual(), phase.chance(0.05)));
    }
}
