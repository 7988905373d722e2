package io.phaseload.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.SyntheticRun;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonsTest {

    /** All requests were sent, but late: a share of 0 % would say that nothing was wrong. */
    @Test
    void aFigureOfZeroIsNoReason() {
        Finding late = Rule.OFFERED_LOAD.in(Wording.REQUESTS, "peak", 0, 2_400, 0.0, 1.73, "All users were busy.");
        Result result = SyntheticRun.run(1, 10, "GET /")
                .result()
                .withVerdict(new Verdict(Verdict.Status.SUSPECT, List.of(late)));

        assertThat(Reasons.of(result))
                .extracting(Reasons.Line::claim)
                .containsExactly("The requested load was sent late or not at all: peak 1.73 s");
    }
}
