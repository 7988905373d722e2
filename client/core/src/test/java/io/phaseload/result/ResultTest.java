package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Cause;
import io.phaseload.result.Result.TargetCount;
import io.phaseload.verdict.Verdict;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultTest {

    @Test
    void totalsAreTheSumOfThePhases() {
        Result result = FixedResults.passed();

        assertThat(result.totals().requests())
                .isEqualTo(7_400)
                .isEqualTo(result.phases().stream()
                        .mapToLong(phase -> phase.figures().requests())
                        .sum());
        assertThat(result.totals().bytesReceived()).isEqualTo(3_700 * (150 + 250));
        assertThat(result.totals().connectionSetUp().samples()).isEqualTo(37);
    }

    /** Warmup and cooldown take 1,400 requests and 9.185 s; 3.388 s are between the phases. */
    @Test
    void headlineFiguresCoverTheMeasuredPhases() {
        Result result = FixedResults.passed();

        assertThat(result.measuredPhases()).containsExactly("loading", "peak");
        Figures measured = result.measured();
        assertThat(measured.requests()).isEqualTo(6_000);
        assertThat(measured.wall()).isEqualTo(Duration.ofMillis(9_208));
        assertThat(measured.requestsPerSecond()).isEqualTo(6_000 / 9.208);
        assertThat(measured.bytesReceived()).isEqualTo(3_000 * (150 + 250));
        assertThat(result.thresholds().get(2).expression()).isEqualTo("rps > 500");
        assertThat(result.thresholds().get(2).observed()).contains(measured.requestsPerSecond());
    }

    @Test
    void ratesAreOverTheTimeInPhases() {
        Figures totals = FixedResults.passed().totals();

        assertThat(totals.wall()).isEqualTo(Duration.ofMillis(21_781));
        assertThat(totals.inPhases()).isEqualTo(Duration.ofMillis(18_393));
        assertThat(totals.requestsPerSecond()).isEqualTo(7_400 / 18.393);
        assertThat(totals.bytesReceivedPerSecond()).isEqualTo(3_700 * 400 / 18.393);
    }

    @Test
    void warmupIsMeasuredIfThereIsNoOtherPhase() {
        Result result = FixedResults.failed("warmup");

        assertThat(result.measuredPhases()).containsExactly("warmup");
        assertThat(result.measured().requests()).isEqualTo(result.totals().requests());
    }

    @Test
    void aPhaseIsTheSumOfItsOperations() {
        PhaseResult warmup = FixedResults.interrupted().phases().get(0);

        assertThat(warmup.operations())
                .extracting(operation -> operation.figures().requests())
                .containsExactly(1L, 7L, 0L);
        assertThat(warmup.figures().requests()).isEqualTo(8);
        assertThat(warmup.figures().succeeded()).isEqualTo(1);
        assertThat(warmup.figures().failed()).isEqualTo(7);
        assertThat(warmup.figures().responses()).isEqualTo(4);
        assertThat(warmup.figures().censored()).isEqualTo(1);
        assertThat(warmup.figures().failureDetails())
                .containsOnlyKeys("tls failure", "client: no free local port", "read timeout", "reset in body");
    }

    /** One had no port left; another one was stopped. */
    @Test
    void failuresAtTheClientMakeTheResultSuspect() {
        assertThat(FixedResults.interrupted().verdict().texts())
                .contains("1 of 8 requests failed at the client itself (client: no free local port)."
                        + " Raise that limit, or use fewer users.");
        assertThat(Cause.of("client: too many open files").isClientLimit()).isTrue();
        assertThat(Cause.of("client: stopped in flight").isClientLimit()).isFalse();
        assertThat(Cause.of("connect refused").isClientLimit()).isFalse();
    }

    @Test
    void matchingTargetCountsGiveNoReason() {
        Result result = FixedResults.passed();

        Result counted = result.withTarget(new TargetCount("tomcat", "Tomcat", 7_400));

        assertThat(counted.verdict()).isEqualTo(Verdict.VALID);
        assertThat(counted.target()).contains(new TargetCount("tomcat", "Tomcat", 7_400));
        assertThat(counted.totals()).isSameAs(result.totals());
    }

    /** Every request of this result got its response, so the counts must be equal. */
    @ParameterizedTest
    @CsvSource({"7399", "7401", "0"})
    void differingTargetCountsMakeTheResultInvalid(long count) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            Verdict verdict = FixedResults.passed()
                    .withTarget(new TargetCount("tomcat", "Tomcat", count))
                    .verdict();

            assertThat(verdict.status()).isEqualTo(Verdict.Status.INVALID);
            assertThat(verdict.texts())
                    .containsExactly("The target counted "
                            + count
                            + " requests; the client sent 7400 and got 7400 responses."
                            + " Make sure that nobody else uses the target.");
        } finally {
            Locale.setDefault(before);
        }
    }

    /** Eight were sent, four got a response: the client can't know what happened to the others. */
    @ParameterizedTest
    @CsvSource({"3, false", "4, true", "8, true", "9, false"})
    void requestsWithoutAResponseMayHaveReachedTheTargetOrNot(long count, boolean agrees) {
        Result result = FixedResults.interrupted();
        int before = result.verdict().findings().size();

        Verdict verdict =
                result.withTarget(new TargetCount("tomcat", "Tomcat", count)).verdict();

        assertThat(verdict.findings()).hasSize(agrees ? before : before + 1);
    }
}
