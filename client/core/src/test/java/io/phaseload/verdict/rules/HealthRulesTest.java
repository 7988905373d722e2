package io.phaseload.verdict.rules;

import static io.phaseload.verdict.rules.TestPhase.ALL_AT_WORK;
import static io.phaseload.verdict.rules.TestPhase.IDLE;
import static io.phaseload.verdict.rules.TestPhase.client;
import static io.phaseload.verdict.rules.TestPhase.expect;
import static io.phaseload.verdict.rules.TestPhase.load;
import static io.phaseload.verdict.rules.TestPhase.phase;
import static io.phaseload.verdict.rules.TestPhase.seconds;
import static io.phaseload.verdict.rules.TestPhase.users;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.health.ClientHealth;
import io.phaseload.health.LoopLag;
import io.phaseload.health.Stalls;
import io.phaseload.health.SystemUse;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.Verdict.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happened to the client, at the boundaries of each rule. */
class HealthRulesTest {

    @ParameterizedTest
    @CsvSource({"0, 0,", "320, 5,", "321, 0, cpu", "400, 0, cpu", "0, 6, gc"})
    void aClientThatUsedTooMuchIsSuspect(double cpu, double gc, String id) {
        expect(phase(ClientHealth.of(load(cpu, gc))), id);
    }

    @ParameterizedTest
    @CsvSource({"1,", "1.1, stopped"})
    void aStopLongerThanTheTailIsSuspect(double stopped, String id) {
        Stalls stalls = new Stalls(1, seconds(stopped), seconds(stopped), seconds(stopped));

        expect(phase(client(IDLE, stalls, SystemUse.UNKNOWN)), id);
    }

    @ParameterizedTest
    @CsvSource({"10,", "10.1, stalls"})
    void stallsForATenthOfTheTimeAreSuspect(double late, String id) {
        Stalls stalls = new Stalls(900, seconds(late), seconds(0.02), Duration.ZERO);

        expect(phase(client(IDLE, stalls, SystemUse.UNKNOWN)), id);
    }

    @ParameterizedTest
    @CsvSource({
        "1.65, 0.05, 1, 0,",
        "1.66, 0, 0, 0, run-queue",
        "0, 0.051, 0, 0, stolen",
        "0, 0, 1.1, 0, throttled",
        "0, 0, 0, 1.1, suspended",
    })
    void timeWithheldByTheSystemIsSuspect(
            double runQueue, double stolen, double throttled, double suspended, String id) {
        SystemUse system = new SystemUse(
                Optional.of(new RunQueueWait(seconds(runQueue), 1_000)),
                Optional.of(stolen),
                Optional.of(0.9 - stolen),
                Optional.of(seconds(throttled)),
                Optional.of(seconds(suspended)));

        expect(phase(client(IDLE, Stalls.NONE, system)), id);
    }

    /** Of 400 s of CPU time. */
    @ParameterizedTest
    @CsvSource({
        "0.04, 0, 0, crowded",
        "0.05, 0, 0,",
        "0.04, 0, 180, crowded",
        "0.04, 0, 185,",
        "0, 0.05, 179, crowded",
        "0, 0.05, 180,",
    })
    void aMachineThatOthersKeepBusyIsSuspect(double idle, double stolen, double cpu, String id) {
        SystemUse system = new SystemUse(
                Optional.empty(), Optional.of(stolen), Optional.of(idle), Optional.empty(), Optional.empty());

        expect(phase(client(load(cpu, 0), Stalls.NONE, system)), id);
    }

    /** A third of a median of 0.5 ms is less than that. */
    @ParameterizedTest
    @CsvSource({"0.2,", "0.21, run-queue"})
    void waitingAFifthOfAMillisecondForACpuIsNormal(double waitMillis, String id) {
        SystemUse system = new SystemUse(
                Optional.of(new RunQueueWait(seconds(waitMillis), 1_000)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        expect(
                new PhaseHealth(
                        Wording.REQUESTS,
                        "peak",
                        seconds(100),
                        true,
                        true,
                        client(IDLE, Stalls.NONE, system),
                        Optional.of(ALL_AT_WORK),
                        Optional.empty(),
                        new Tail(99, 100, 0),
                        seconds(0.0005)),
                id);
    }

    @ParameterizedTest
    @CsvSource({"0.51, 50,", "0.51, 51, tail", "0.5, 100,"})
    void aTailMadeOfStallsIsSuspect(double late, long stalled, String id) {
        Stalls stalls = new Stalls(50, seconds(late), seconds(0.02), Duration.ZERO);

        expect(
                phase(client(IDLE, stalls, SystemUse.UNKNOWN), seconds(100), ALL_AT_WORK, new Tail(99, 100, stalled)),
                id);
    }

    @ParameterizedTest
    @CsvSource({"10,", "10.1, loop-lag"})
    void aLateLoopIsSuspect(double late, String id) {
        ClientHealth client = new ClientHealth(
                IDLE,
                Stalls.NONE,
                SystemUse.UNKNOWN,
                new LoopLag(seconds(late), seconds(1)),
                Optional.empty(),
                List.of());

        expect(phase(client), id);
    }

    @Test
    void aPhaseOfASecondIsJudged() {
        expect(phase(ClientHealth.of(load(399, 0)), seconds(1), ALL_AT_WORK, new Tail(99, 1, 0)), "cpu");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.4, 0.999})
    void aPhaseOfLessThanASecondIsTooShortToJudge(double wall) {
        PhaseHealth busy = phase(ClientHealth.of(load(399, 50)), seconds(wall), ALL_AT_WORK, new Tail(99, 100, 90));

        Verdict verdict = HealthRules.judge(Verdict.VALID, List.of(busy, busy));

        assertThat(verdict.status()).isEqualTo(Status.VALID);
        assertThat(verdict.findings()).singleElement().returns("too-short", Finding::id);
        assertThat(verdict.texts().get(0)).startsWith("peak: too short to judge");
    }

    @Test
    void aShortPhaseOfAnIdleClientIsNotRemarkedOn() {
        PhaseHealth idle = phase(ClientHealth.of(IDLE), seconds(0.4), ALL_AT_WORK, new Tail(99, 100, 0));

        assertThat(HealthRules.judge(Verdict.VALID, List.of(idle))).isEqualTo(Verdict.VALID);
    }

    /** Compilers and first connections are what it is for; a stop isn't. */
    @Test
    void aWarmupMayBeBusyButNotStopped() {
        Stalls stopped = new Stalls(30, seconds(30), seconds(2), seconds(2));
        PhaseHealth warmup = new PhaseHealth(
                Wording.REQUESTS,
                "warmup",
                seconds(100),
                false,
                true,
                client(load(399, 50), stopped, SystemUse.UNKNOWN),
                Optional.of(ALL_AT_WORK),
                Optional.empty(),
                new Tail(99, 100, 90),
                seconds(0.005));

        expect(warmup, "stopped");
    }

    /** A reason ends with what to do. */
    @Test
    void everyReasonSaysWhatToDo() {
        assertThat(HealthRules.judge(worst()))
                .hasSize(13)
                .extracting(Finding::text)
                .allMatch(text -> text.startsWith("peak: ") && text.matches(".*(Use|Stop|Run|Give|Raise) .*\\."));
    }

    @Test
    void reasonsQuoteTheFigures() {
        List<String> figures = List.of(
                "stopped for 20.0 s",
                "suspended for 50.0 s",
                "50.0 s were lost",
                " 10 % of the machine's CPU time went",
                "used 100 % of 4 cores",
                "took 60 % of the time",
                "400.0 ms .* 5.0 ms",
                " 60 % of the time: 9 stalls of up to 2000 ms",
                "up to 1000 ms, and for 50 % of the time",
                "99 % of the requests above p99",
                "40 % .* 20 % connecting, 20 %",
                "50 % .* 1\\.[0-9] of 10 users were active",
                "only 3 of 10 users");

        assertThat(HealthRules.judge(worst()))
                .zipSatisfy(figures, (reason, text) -> assertThat(reason.text()).containsPattern(text));
    }

    @Test
    void aCrowdedMachineIsReportedInParts() {
        SystemUse system = new SystemUse(
                Optional.empty(), Optional.of(0.06), Optional.of(0.04), Optional.empty(), Optional.empty());

        assertThat(HealthRules.judge(phase(client(load(40, 0), Stalls.NONE, system))))
                .last()
                .extracting(Finding::text)
                .asString()
                .contains("80 % of the machine's CPU time", "4 % was idle");
    }

    private static PhaseHealth worst() {
        SystemUse system = new SystemUse(
                Optional.of(new RunQueueWait(seconds(400), 1_000)),
                Optional.of(0.1),
                Optional.of(0.0),
                Optional.of(seconds(50)),
                Optional.of(seconds(50)));
        ClientHealth client = new ClientHealth(
                load(399, 60),
                new Stalls(9, seconds(80), seconds(2), seconds(20)),
                system,
                new LoopLag(seconds(50), seconds(1)),
                Optional.empty(),
                List.of());
        return phase(client, seconds(100), users(3, 100, 200, 200), new Tail(99, 100, 99));
    }

    @Test
    void anEmptyTailHasNoStalledShare() {
        assertThat(new Tail(99, 0, 0).share()).isZero();
        assertThat(new Tail(99, 200, 50).share()).isEqualTo(0.25);
    }
}
