package io.phaseload.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.verdict.Verdict.Status;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Finding REMARK = Rule.TOO_SHORT.finding(Wording.REQUESTS, "warmup");

    @Test
    void theMostSevereFindingDecides() {
        Finding suspect = Rule.GC.in(Wording.REQUESTS, "peak", 6.0);
        Finding invalid = Rule.NO_SUCCESS.finding(Wording.REQUESTS);
        Verdict verdict = Verdict.VALID.and(suspect).and(invalid).and(suspect).and(REMARK);

        assertThat(verdict.status()).isEqualTo(Status.INVALID);
        assertThat(verdict.findings()).containsExactly(suspect, invalid, suspect, REMARK);
        assertThat(verdict.worst()).isEqualTo(invalid.text());
        assertThat(Verdict.VALID.findings()).isEmpty();
        assertThat(Verdict.VALID.worst()).isEmpty();
    }

    @Test
    void twoVerdictsAreAsSevereAsTheWorse() {
        Verdict suspect = Verdict.VALID.and(Rule.GC.in(Wording.REQUESTS, "peak", 6.0));
        Verdict invalid = Verdict.VALID.and(Rule.NO_SUCCESS.finding(Wording.REQUESTS));

        assertThat(suspect.and(invalid).status()).isEqualTo(Status.INVALID);
        assertThat(suspect.and(invalid).findings())
                .containsExactly(suspect.findings().get(0), invalid.findings().get(0));
        assertThat(invalid.and(suspect).status()).isEqualTo(Status.INVALID);
        assertThat(invalid.and(Verdict.VALID)).isEqualTo(invalid);
    }

    @Test
    void aRemarkLeavesItValid() {
        Verdict verdict = Verdict.VALID.and(REMARK);

        assertThat(verdict.status()).isEqualTo(Status.VALID);
        assertThat(verdict.texts()).containsExactly(REMARK.text());
    }

    @Test
    void findingsAreImmutable() {
        List<Finding> findings = new ArrayList<>(List.of(REMARK));
        Verdict verdict = new Verdict(Status.SUSPECT, findings);

        findings.clear();

        assertThat(verdict.texts()).containsExactly(REMARK.text());
        assertThatThrownBy(() -> verdict.findings().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
