package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.timing.Timing;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Results that earlier versions wrote are kept and read. */
class StoredRunTest {

    private static final Path V1 = Path.of("src/test/resources/io/phaseload/result/v1");

    private static final Path V2 = Path.of("src/test/resources/io/phaseload/result/v2");

    /** Its throughput was over the wall time; it had neither measured figures nor statuses. */
    @Test
    void version2IsRead() throws Exception {
        StoredRun stored = StoredRun.read(V2);

        JsonNode written = stored.json();
        Result result = stored.result();
        assertThat(written.path("schemaVersion").asInt()).isEqualTo(2);
        assertThat(result.totals().requests()).isEqualTo(1_080);
        assertThat(result.totals().failures()).containsEntry("http 500", 49L);
        assertThat(result.totals().response().p99().value().orElseThrow().toNanos() / 1e6)
                .isEqualTo(written.at("/totals/response/p99Ms").asDouble());
        assertThat(result.totals().requestsPerSecond())
                .isGreaterThan(written.at("/totals/requestsPerSecond").asDouble());
        assertThat(result.measured().requests()).isEqualTo(900);
        assertThat(result.totals().statuses()).isEmpty();
    }

    @Test
    void aPartOfARunHasItsOwnMeasuredPhases() throws Exception {
        StoredRun stored = StoredRun.read(V2);

        Result warmup = stored.result(interval -> interval.phase().equals("warmup"));
        Result some = stored.result(interval -> !interval.phase().equals("peak"));

        assertThat(warmup.measuredPhases()).containsExactly("warmup");
        assertThat(warmup.measured().requests()).isEqualTo(60);
        assertThat(warmup.thresholds()).singleElement().matches(ThresholdResult::passed);
        assertThat(some.measuredPhases()).containsExactly("loading");
        assertThat(some.measured().requests()).isEqualTo(300);
        assertThat(some.totals().requests()).isEqualTo(480);
    }

    /** Else a part of a run whose client was starved would be judged as if it hadn't been. */
    @Test
    void aPartOfARunKeepsTheClientsHealth() throws Exception {
        StoredRun stored = StoredRun.read(V2);
        PhaseResult whole = stored.result().phases().get(2);

        PhaseResult only = stored.result(i -> i.phase().equals("peak")).phases().get(2);
        Duration end = stored.intervals().get(stored.intervals().size() - 1).start();
        PhaseResult cut =
                stored.result(i -> i.start().compareTo(end) < 0).phases().get(3);

        assertThat(only.client()).isEqualTo(whole.client());
        assertThat(only.figures().wall()).isEqualTo(whole.figures().wall());
        assertThat(cut.client().cpuPercent())
                .isEqualTo(stored.result().phases().get(3).client().cpuPercent());
    }

    @Test
    void version1IsRead() throws Exception {
        StoredRun stored = StoredRun.read(V1);

        JsonNode written = stored.json();
        Result result = stored.result();
        assertThat(written.path("schemaVersion").asInt()).isEqualTo(1);
        assertThat(result.totals().requests()).isEqualTo(2_400);
        assertThat(result.totals().failures()).containsEntry("http 503", 1_200L);
        assertThat(result.totals().response().p99().value().orElseThrow().toNanos() / 1e6)
                .isEqualTo(written.at("/totals/response/p99Ms").asDouble());
        assertThat(result.totals().connectionSetUp().samples())
                .isEqualTo(written.at("/totals/connectionSetUp/samples").asLong());
        assertThat(result.phases().get(1).operations().get(0).figures().bytesReceived())
                .isEqualTo(written.at("/phases/1/operations/0/bytesReceived").asLong());
        assertThat(result.environment().cpu().orElseThrow()).startsWith("Intel");
        // What that version didn't measure isn't made up.
        assertThat(result.totals().time(Timing.FIRST_BYTE).samples()).isZero();
        assertThat(result.totals().counters().instances()).isEmpty();
        assertThat(stored.intervals().get(0).operations().get(0).histograms())
                .containsKey(Timing.SET_UP)
                .doesNotContainKey(Timing.DNS);
    }
}
