package io.phaseload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.health.Verdict.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void theMostSevereReasonTells() {
        Verdict verdict =
                Verdict.VALID
                        .and("a", Status.SUSPECT, "One.")
                        .and("b", Status.INVALID, "Two.")
                        .and("c", Status.SUSPECT, "Three.")
                        .and("d", Status.VALID, "Four.");

        assertThat(verdict.status()).isEqualTo(Status.INVALID);
        assertThat(verdict.texts()).containsExactly("One.", "Two.", "Three.", "Four.");
        assertThat(verdict.worst()).isEqualTo("Two.");
        assertThat(Verdict.VALID.reasons()).isEmpty();
        assertThat(Verdict.VALID.worst()).isEmpty();
    }

    @Test
    void twoVerdictsAreAsSevereAsTheWorse() {
        Verdict suspect = Verdict.VALID.and("a", Status.SUSPECT, "One.");
        Verdict invalid = Verdict.VALID.and("b", Status.INVALID, "Two.");

        assertThat(suspect.and(invalid).status()).isEqualTo(Status.INVALID);
        assertThat(suspect.and(invalid).texts()).containsExactly("One.", "Two.");
        assertThat(invalid.and(suspect).status()).isEqualTo(Status.INVALID);
        assertThat(invalid.and(Verdict.VALID)).isEqualTo(invalid);
    }

    @Test
    void aRemarkLeavesItValid() {
        Verdict verdict = Verdict.VALID.and("a", Status.VALID, "By the way.");

        assertThat(verdict.status()).isEqualTo(Status.VALID);
        assertThat(verdict.texts()).containsExactly("By the way.");
    }

    @Test
    void numbersAreWrittenAlikeInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(Verdict.VALID.and("a", Status.SUSPECT, "%.1f of %d", 1.5, 20).texts())
                    .containsExactly("1.5 of 20");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void reasonsDontChange() {
        List<Reason> reasons = new ArrayList<>(List.of(new Reason("a", Status.SUSPECT, "One.")));
        Verdict verdict = new Verdict(Status.SUSPECT, reasons);

        reasons.clear();

        assertThat(verdict.texts()).containsExactly("One.");
        assertThatThrownBy(() -> verdict.reasons().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
