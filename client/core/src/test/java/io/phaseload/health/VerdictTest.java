package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.health.Verdict.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

    /** On four cores, in a stretch of 100 s. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, VALID, 0",
        "320, 5, VALID, 0",
        "321, 0, SUSPECT, 1",
        "400, 0, SUSPECT, 1",
        "0, 6, SUSPECT, 1",
        "321, 6, SUSPECT, 2",
    })
    void aClientThatRanIntoItsLimitsIsSuspect(
            long cpuSeconds, long gcSeconds, Status status, int reasons) {
        Verdict verdict = Verdict.VALID.and("peak", load(cpuSeconds, gcSeconds));

        assertThat(verdict.status()).isEqualTo(status);
        assertThat(verdict.reasons()).hasSize(reasons);
    }

    @Test
    void reasonsSayWhereAndHowMuchInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(Verdict.VALID.and("peak", load(360, 10)).reasons())
                    .containsExactly(
                            "peak: the client's process used 90 % of 4 cores; times include"
                                    + " waiting for the CPU.",
                            "peak: the client stood still for garbage collection for 10 % of the"
                                    + " time.");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void theGravestReasonTells() {
        Verdict verdict =
                Verdict.VALID
                        .and(Status.SUSPECT, "One.")
                        .and(Status.INVALID, "Two.")
                        .and(Status.SUSPECT, "Three.")
                        .and(Status.VALID, "Four.");

        assertThat(verdict.status()).isEqualTo(Status.INVALID);
        assertThat(verdict.reasons()).containsExactly("One.", "Two.", "Three.", "Four.");
        assertThat(Verdict.VALID.reasons()).isEmpty();
    }

    @Test
    void reasonsDontChange() {
        List<String> reasons = new ArrayList<>(List.of("One."));
        Verdict verdict = new Verdict(Status.SUSPECT, reasons);

        reasons.clear();

        assertThat(verdict.reasons()).containsExactly("One.");
        assertThatThrownBy(() -> verdict.reasons().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private static ClientLoad load(long cpuSeconds, long gcSeconds) {
        return new ClientLoad(
                Duration.ofSeconds(100),
                Duration.ofSeconds(cpuSeconds),
                4,
                Duration.ofSeconds(gcSeconds));
    }
}
