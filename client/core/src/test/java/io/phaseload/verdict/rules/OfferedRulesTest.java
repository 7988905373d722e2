package io.phaseload.verdict.rules;

import static io.phaseload.verdict.rules.TestPhase.IDLE;
import static io.phaseload.verdict.rules.TestPhase.client;
import static io.phaseload.verdict.rules.TestPhase.expect;
import static io.phaseload.verdict.rules.TestPhase.load;
import static io.phaseload.verdict.rules.TestPhase.phase;
import static io.phaseload.verdict.rules.TestPhase.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.health.ClientHealth;
import io.phaseload.verdict.Finding;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether an open phase offered its load. */
class OfferedRulesTest {

    @ParameterizedTest
    @CsvSource({
        "10, 0, 0.1,",
        "11, 0.5, 0.1, Users were free",
        "11, 0.95, 0.1, All 10 users were busy",
        "0, 0.95, 20, All 10 users were busy",
        "0, 0.9, 10.1, All 10 users were busy",
        "0, 0.89, 10.1, Users were free",
        "0, 0.95, 10,",
    })
    void aMissedLoadNamesTheLimit(long notSent, double busy, double slipMillis, String why) {
        PhaseHealth phase = offered(ClientHealth.of(IDLE), notSent, busy, slipMillis);

        if (why == null) {
            expect(phase, null);
        } else {
            assertThat(HealthRules.judge(phase))
                    .singleElement()
                    .returns("offered-load", Finding::id)
                    .extracting(Finding::text)
                    .asString()
                    .contains(why);
        }
    }

    private static PhaseHealth offered(ClientHealth client, long notSent, double busy, double slipMillis) {
        Duration slip = seconds(slipMillis / 1_000);
        return offered(client, true, new OfferedLoad(1_000, notSent, 10, busy, slip, slip, seconds(0.05)));
    }

    /** Of a mean response time of 50 ms. */
    @ParameterizedTest
    @CsvSource({"0.005,", "0.0051, offered-load"})
    void aSlipOfATenthOfTheResponseTimeIsSuspect(double meanSlip, String id) {
        OfferedLoad load = new OfferedLoad(1_000, 0, 10, 1, seconds(meanSlip), seconds(0.02), seconds(0.05));

        expect(offered(ClientHealth.of(IDLE), true, load), id);
    }

    @Test
    void anInterruptedPhaseIsNotJudgedByItsLoad() {
        Duration slip = seconds(1);
        OfferedLoad load = new OfferedLoad(1_000, 900, 10, 1, slip, slip, seconds(2));

        expect(offered(ClientHealth.of(IDLE), false, load), null);
        assertThat(new OfferedLoad(0, 0, 10, 1, slip, slip, slip).missing()).isZero();
    }

    @Test
    void unsentRequestsAreCounted() {
        assertThat(HealthRules.judge(offered(ClientHealth.of(IDLE), 500, 0.5, 20)))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .startsWith("peak: 500 of 1000 requests (50.0 %) weren't sent, and 1 % of the others"
                        + " were at least 0.020 s late. ");
    }

    private static PhaseHealth offered(ClientHealth client, boolean whole, OfferedLoad load) {
        return new PhaseHealth(
                Wording.REQUESTS,
                "peak",
                seconds(100),
                true,
                whole,
                client,
                Optional.empty(),
                Optional.of(load),
                new Tail(99, 10, 0),
                seconds(0.005));
    }

    @Test
    void aClientThatIsTheLimitIsNamedBeforeItsUsers() {
        assertThat(HealthRules.judge(offered(ClientHealth.of(load(399, 0)), 500, 1, 0)))
                .extracting(Finding::text)
                .last()
                .asString()
                .contains("50.0 %", "The client was the limit");
    }
}
