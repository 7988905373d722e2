package io.phaseload.verdict.rules;

import static io.phaseload.verdict.rules.TestPhase.IDLE;
import static io.phaseload.verdict.rules.TestPhase.expect;
import static io.phaseload.verdict.rules.TestPhase.seconds;
import static io.phaseload.verdict.rules.TestPhase.users;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.health.ClientHealth;
import io.phaseload.measure.UsersTime;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict.Status;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users of a closed phase, audited by Little's law. */
class UsersRulesTest {

    @ParameterizedTest
    @CsvSource({"20, 19,", "20, 18, users", "1, 0, users", "0, 0,"})
    void nearlyAllUsersThatWereDueMustTakePart(int due, int tookPart, String id) {
        Duration none = Duration.ZERO;
        Duration all = seconds(2_000);

        expect(users(new UsersTime(due, tookPart, all, all, none, none, none, none, none, none)), id);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 0, 0,",
        "950, 0, 0,",
        "949, 0, 0, littles-law",
        "900, 100, 0,",
        "890, 110, 0, first-requests",
        "890, 0, 110, first-requests",
    })
    void missingUserTimeIsSuspect(double responding, double connecting, double unscheduled, String id) {
        expect(users(users(10, responding, connecting, unscheduled)), id);
    }

    @Test
    void idleUsersAreCounted() {
        UsersTime few = users(4, 1_000, 0, 0);

        assertThat(HealthRules.judge(users(few)))
                .singleElement()
                .returns("users", Finding::id)
                .returns(Status.SUSPECT, Finding::severity)
                .extracting(Finding::text)
                .asString()
                .startsWith("peak: only 4 of 10 users sent a request");
    }

    @Test
    void anInterruptedPhaseMayHaveIdleUsers() {
        PhaseHealth cut = new PhaseHealth(
                Wording.REQUESTS,
                "peak",
                seconds(100),
                true,
                false,
                ClientHealth.of(IDLE),
                Optional.of(users(1, 100, 0, 0)),
                Optional.empty(),
                new Tail(99, 100, 0),
                seconds(0.005));

        expect(cut, null);
    }
}
