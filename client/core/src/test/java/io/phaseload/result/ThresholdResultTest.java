package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.json.ResultJson;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ThresholdResultTest {

    /** Response times of 1 ms to 1,000 ms, in 10 s; the last 20 of them failed. */
    @ParameterizedTest
    @CsvSource({
        "mean < 501ms, 500.5, ms, true",
        "mean < 500ms, 500.5, ms, false",
        "min >= 999us, 1, ms, true",
        "max <= 1s, 1000, ms, false",
        "max <= 1001ms, 1000, ms, true",
        "p50 < 501ms, 500, ms, true",
        "p99 < 980ms, 990, ms, false",
        "p99 < 992ms, 990, ms, true",
        "failures < 2%, 2, %, false",
        "failures <= 2%, 2, %, true",
        "failures < 21, 20, '', true",
        "rps > 99, 100, /s, true",
        "rps > 100, 100, /s, false",
        "requests >= 1000, 1000, '', true",
        "slip p99 < 1ms, 0, ms, true",
    })
    void judgesTheObservedFigure(String text, double observed, String unit, boolean passed) {
        ThresholdResult judged = judge(text, times(1_000, 20, new Outcome.HttpFailure(500)));

        // Three significant digits.
        assertThat(judged.observed().orElseThrow()).isBetween(observed * 0.999, observed * 1.001);
        assertThat(judged.unit()).isEqualTo(unit);
        assertThat(judged.passed()).isEqualTo(passed);
        assertThat(judged.reason()).isEmpty();
        assertThat(judged.aborted()).isFalse();
    }

    @Test
    void tooFewSamplesFailWithAReason() {
        ThresholdResult judged = judge("p99 < 10s", times(100, 0, null));

        assertThat(judged.passed()).isFalse();
        assertThat(judged.observed()).isEmpty();
        assertThat(judged.reason()).contains("n too small: 100 samples, 563 needed");
    }

    @ParameterizedTest
    @CsvSource({"p50 < 10s", "failures < 100%", "failures < 5", "slip p99 < 1s"})
    void noRequestsFail(String text) {
        ThresholdResult judged = judge(text, new Tally());

        assertThat(judged.passed()).isFalse();
        assertThat(judged.reason()).contains("no requests");
    }

    @ParameterizedTest
    @CsvSource({"resent < 1, true, 0", "resent < 1, false, 2", "resent <= 2, true, 2"})
    void requestsThatWereSentAgainCount(String text, boolean passed, int resent) {
        PhaseRecorder recorder = new PhaseRecorder(1);
        for (int i = 0; i < 10; i++) {
            Exchange exchange = new Exchange(
                    0, 1, 2, Outcome.SUCCESS, 200, 1, null, false, i < resent ? 1 : 0, null, Exchange.NO_LEASE);
            recorder.record(0, new Sample(0, 0, exchange));
        }

        ThresholdResult judged = judge(text, recorder.sums().totals().get(0));

        assertThat(judged.observed()).contains((double) resent);
        assertThat(judged.passed()).isEqualTo(passed);
    }

    @Test
    void aSkippedPhaseFails() {
        Figures none = Figures.of(new Tally(), Duration.ZERO);

        ThresholdResult judged = ThresholdResult.of(Threshold.parse("rps < 5"), none);

        assertThat(judged.passed()).isFalse();
        assertThat(judged.reason()).contains("the run didn't reach it");
    }

    @Test
    void aTimeoutIsALowerBound() {
        Tally tally = times(1_000, 20, Outcome.NoResponse.READ_TIMEOUT);

        assertThat(judge("p99 < 2s", tally).passed()).isFalse();
        assertThat(judge("p99 < 2s", tally).reason()).contains("20 requests timed out, so it may be higher");
        assertThat(judge("max < 2s", tally).passed()).isFalse();
        // More than 2 % would have to be longer.
        assertThat(judge("p95 < 2s", tally).passed()).isTrue();
        assertThat(judge("p99 > 500ms", tally).passed()).isTrue();
    }

    /** Without outcome and evidence. */
    @ParameterizedTest
    @CsvSource({"true, PASS", "false, FAIL"})
    void resultsOfEarlierVersionsAreRead(boolean passed, ThresholdResult.Outcome outcome) {
        String json =
                """
                      {"expression": "rps > 5", "phase": null, "operation": null, "observed": 7.5, "unit": "/s",
                      "passed": %s, "aborted": false, "reason": null}"""
                        .formatted(passed);

        ThresholdResult read = ResultJson.read(JsonMapper.shared().readTree(json), ThresholdResult.class);

        assertThat(read.outcome()).isEqualTo(outcome);
        assertThat(read.evidence()).isEmpty();
        assertThat(read.observedText()).isEqualTo("7.50/s");
    }

    private static ThresholdResult judge(String text, Tally tally) {
        return ThresholdResult.of(Threshold.parse(text), Figures.of(tally, Duration.ofSeconds(10)));
    }

    private static Tally times(int count, int failed, Outcome failure) {
        PhaseRecorder recorder = new PhaseRecorder(1);
        for (int i = 1; i <= count; i++) {
            Outcome outcome = i > count - failed ? failure : Outcome.SUCCESS;
            recorder.record(0, new Sample(0, 0, Exchanges.of(0, i * 1_000_000L, outcome, 1, 0, false)));
        }
        return recorder.sums().totals().get(0);
    }
}
