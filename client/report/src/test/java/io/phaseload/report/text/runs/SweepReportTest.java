package io.phaseload.report.text.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.Environment;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SweepReportTest {

    /** Names are users' own: none may become a part of the document. */
    @Test
    void theSummaryHasATablePerOperationAndItsConfidence() {
        List<TrialRow> rows = new ArrayList<>();
        for (int trial = 1; trial <= 3; trial++) {
            rows.add(row(1, trial, "1000.0", "7.5"));
        }
        rows.add(new TrialRow(Map.of(
                "step",
                "2",
                "trial",
                "1",
                "operation",
                "GET /",
                "status",
                "failed",
                "reason",
                "no *response*",
                "threads",
                "20")));

        assertThat(SweepReport.markdown(sweep(Rows.steps(10, 20), 3, false, rows)))
                .isEqualTo(
                        """
                        ## Phaseload: nightly

                        ### GET /\\<b\\>\\[x](y)

                        | \\# clients | total\\_ops | op/s | mean | med | .95 | .99 | max | op\\_time | failed % |
                        |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                        | 10 | 300 | 1000.0 | 8.250 | 7.500 | n too small | n too small | n/a | 3.000 | 1.00 |

                        - Scalability: n too small: 1 different numbers of clients, 6 needed
                        - Failed: threads=20: no \\*response\\*
                        - Verdicts: 3 VALID; the sweep isn't finished
                        """);
    }

    @Test
    void aPoorFitIsReportedAndPredictsNothing() {
        List<Step> steps = Rows.steps(1, 2, 4, 8, 16, 32);
        List<TrialRow> rows = new ArrayList<>();
        int[] rates = {900, 300, 800, 250, 1000, 400};
        for (Step step : steps) {
            String threads = step.values().get("threads");
            String rate = Integer.toString(rates[step.number() - 1]);
            rows.add(Rows.ok(step.number(), 1, "threads", threads, "ops_per_second", rate));
        }
        SweepResult sweep = sweep(steps, 1, true, rows);

        assertThat(SweepReport.write(sweep))
                .containsPattern("Fit: R² 0\\.[0-7]..;")
                .contains("; below 0.8 is poor and says nothing about a peak\n")
                .doesNotContain("no peak", "most throughput");
        Scalability law = sweep.summary().scalability().get(0);
        assertThat(law.fit().orElseThrow().isPoor()).isTrue();
        assertThat(law.curve().get(law.curve().size() - 1).users()).isEqualTo(32);
        assertThat(SweepJson.write(sweep)).contains("\"poor\" : true", "\"peakUsers\" : {\n        \"value\" : null");
    }

    @Test
    void workThatIsSerialIsNamed() {
        List<Step> steps = Rows.steps(1, 2, 4, 8, 16, 32);
        List<TrialRow> rows = new ArrayList<>();
        for (Step step : steps) {
            String threads = step.values().get("threads");
            int users = Integer.parseInt(threads);
            String rate = Double.toString(100.0 * users / (1 + 0.2 * (users - 1)));
            rows.add(Rows.ok(step.number(), 1, "threads", threads, "ops_per_second", rate));
        }

        assertThat(SweepReport.write(sweep(steps, 1, true, rows)))
                .contains("\nDiagnosis: 20.0 % of the work")
                .contains("can't exceed about 500 requests a second")
                .contains("(contention, possible) If the server's CPU is busy");
    }

    @Test
    void metricsAreInTheTable() {
        List<TrialRow> rows = List.of(Rows.ok(1, 1, "threads", "10", "elapsed", "41.5"));
        SweepInfo info = sweep(Rows.steps(10), 1, true, rows).info();
        TrialTable trials = new TrialTable(List.of(), List.of("elapsed"), rows);

        assertThat(SweepReport.write(new SweepResult(info, trials, true, List.of())))
                .containsPattern("failed %  elapsed\n.*  41\\.500\n");
    }

    @Test
    void theDurationOfALoadIsNotAColumn() {
        List<Step> steps = List.of(
                Rows.step(1, "threads", "1", "duration", "10s", "size", "a"),
                Rows.step(2, "threads", "2", "duration", "20s", "size", "b"));
        List<TrialRow> rows = List.of(Rows.ok(1, 1, "threads", "1"));

        assertThat(SweepReport.write(sweep(steps, 1, true, rows))).contains("size  # clients  total_ops");
    }

    @Test
    void aReasonOfVerdictsIsSaidOnceWithItsTrials() {
        List<TrialRow> rows = List.of(
                Rows.ok(1, 1, "threads", "1", "verdict", "SUSPECT", "verdict_reasons", "crowded"),
                Rows.ok(2, 1, "threads", "2", "verdict", "SUSPECT", "verdict_reasons", "too-short crowded"));

        assertThat(SweepReport.write(sweep(Rows.steps(1, 2), 1, true, rows)))
                .contains("Verdicts: 2 SUSPECT\nOther processes used the CPU: 2 trials\ntoo short: 1 trial\n");
    }

    @Test
    void missingTrialsAreReported() {
        List<TrialRow> rows = List.of(row(1, 1, "1", "1"), row(1, 2, "1", "1"));

        assertThat(SweepReport.write(sweep(Rows.steps(10, 20), 2, true, rows)))
                .contains("INCOMPLETE: trials.csv lacks 2 of the 4 trials of a finished sweep\n");
    }

    private static TrialRow row(int step, int trial, String rate, String p50) {
        return Rows.ok(
                step,
                trial,
                "operation",
                "GET /<b>[x](y)",
                "threads",
                "10",
                "total_ops",
                "100",
                "failed",
                "1",
                "wall_s",
                "1",
                "ops_per_second",
                rate,
                "mean_ms",
                "8.25",
                "p50_ms",
                p50,
                "verdict",
                "VALID");
    }

    private static SweepResult sweep(List<Step> steps, int trials, boolean finished, List<TrialRow> rows) {
        SweepInfo info = new SweepInfo(
                "nightly", Instant.EPOCH, Environment.capture(), List.of(), trials, Order.INTERLEAVED, 1, steps);
        return new SweepResult(info, TrialTable.of(List.of(), rows), finished, List.of());
    }
}
