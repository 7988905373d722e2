package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.Environment;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.trials.Rows;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.sweep.trials.TrialTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SweepPageTest {

    /** A trial of one request, whose body has the figure, has no percentiles. */
    @Test
    void metricsComeFirstAndTimesOfTooFewRequestsNotAtAll() {
        assertThat(figures(List.of("elapsed")))
                .containsPattern("(?s)elapsed.*41\\.5.*[Ff]ailed")
                .doesNotContain("n too small");
        assertThat(figures(List.of())).contains("n too small").doesNotContain("elapsed");
    }

    private static String figures(List<String> metrics) {
        List<TrialRow> rows = List.of(
                Rows.ok(1, 1, "threads", "10", "ops_per_second", "2.0", "failed_percent", "0.0", "elapsed", "41.5"));
        SweepInfo info = new SweepInfo(
                "ingestion", Instant.EPOCH, Environment.capture(), List.of(), 1, Order.INTERLEAVED, 1, Rows.steps(10));
        TrialTable trials = new TrialTable(List.of(), metrics, rows);
        String page = SweepPage.write(new SweepResult(info, trials, true, List.of()), row -> Optional.empty());
        int from = page.indexOf("<dl class=\"figures\">");
        return page.substring(from, page.indexOf("</dl>", from));
    }
}
