package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.Environment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SweepReportTest {

    /** Names are users' own: none may become a part of the document. */
    @Test
    void theSummaryIsATableForEachOperationAndWhatItIsWorth() {
        List<TrialRow> rows = new ArrayList<>();
        for (int trial = 1; trial <= 3; trial++) {
            rows.add(row(1, trial, "1000.0", "7.5"));
        }
        rows.add(
                new TrialRow(
                        Map.of(
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

        assertThat(SweepReport.markdown(sweep(), rows))
                .isEqualTo(
                        """
                        ## Phaseload: nightly

                        ### GET /\\<b\\>\\[x](y)

                        | \\# clients | total\\_ops | op/s | med | .95 | .99 | max | op\\_time | failed % |
                        |---:|---:|---:|---:|---:|---:|---:|---:|---:|
                        | 10 | 300 | 1000.0 | 7.500 | n too small | n too small | n/a | 3.000 | 1.00 |

                        - Scalability: n too small: 1 different numbers of clients, 6 needed.
                        - Failed: threads=20: no \\*response\\*
                        - Verdicts: 3 VALID; the sweep isn't finished
                        """);
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
                "p50_ms",
                p50,
                "verdict",
                "VALID");
    }

    private static Sweep sweep() {
        return new Sweep(
                "nightly",
                Instant.EPOCH,
                Environment.capture(),
                List.of(),
                3,
                Order.INTERLEAVED,
                1,
                Rows.steps(10, 20),
                List.of(),
                false,
                List.of());
    }
}
