package io.phaseload.report.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.report.SyntheticRun;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTablesTest {

    private static final Path GOLDEN = Path.of("src/test/resources/io/phaseload/report/run.json");

    /** Charts outside of this project read these tables: what is in them is kept to the letter. */
    @Test
    void theTablesMatchTheGoldenFile() throws IOException {
        String json = Table.json(SyntheticRun.run(3, 200, "GET /", "POST /").tables());
        String lines = json.replace("},{", "},\n{").replace("],\"", "],\n\"") + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN, lines);
        }
        assertThat(lines).isEqualTo(Files.readString(GOLDEN));
    }

    @Test
    void aLongRunIsBinnedWithoutLosingARequest() {
        SyntheticRun hour = SyntheticRun.run(1_800, 100, "GET /", "POST /");
        List<List<Object>> all = rows(hour.table("intervals"), "operation", Operations.ALL);

        assertThat(all).hasSize(360);
        long requests = all.stream().mapToLong(row -> (Long) row.get(5)).sum();
        assertThat(requests).isEqualTo(hour.result().totals().requests());
        // Ten seconds of 200 requests: a p99 of all of them together, not the mean of ten.
        assertThat(all).allSatisfy(row -> assertThat(row.get(5)).isEqualTo(2_000L));
        assertThat(all).allSatisfy(row -> assertThat(row.get(10)).isNotNull());
    }

    @Test
    void anOpenPhaseTellsWhatItAskedFor() {
        PhaseLength twoSeconds = new PhaseLength.Lasting(Duration.ofSeconds(2));
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(150)), Load.Overload.QUEUE);
        SyntheticRun run = SyntheticRun.run(
                SyntheticRun.plan("GET /")
                        .phases(new Phase("loading", 1, twoSeconds), new Phase("peak", 1, twoSeconds, open)),
                2,
                100);

        assertThat(run.table("offered").rows())
                .containsExactly(List.of("peak", 2.0, 3.0, 150.0), List.of("peak", 3.0, 4.0, 150.0));
    }

    /** A chart of the distribution opens with what comes first. */
    @Test
    void theDistributionOfWhatIsMeasuredComesFirst() {
        PhaseLength twoSeconds = new PhaseLength.Lasting(Duration.ofSeconds(2));
        SyntheticRun run = SyntheticRun.run(
                SyntheticRun.plan("GET /").phases(new Phase("warmup", 1, twoSeconds), new Phase("peak", 1, twoSeconds)),
                2,
                100);

        assertThat(run.table("distribution").rows().stream()
                        .map(row -> row.get(0))
                        .distinct())
                .containsExactly("peak", "warmup");
    }

    @Test
    void aPercentileThatTheSamplesCannotSupportIsLeftOut() {
        SyntheticRun few = SyntheticRun.run(2, 100, "GET /");

        for (List<Object> row : few.table("intervals").rows()) {
            assertThat(row.get(8)).as("p50 of 100").isNotNull();
            assertThat(row.get(10)).as("p99 of 100").isNull();
            assertThat(row.get(11)).as("the longest").isNotNull();
        }
        Object last = few.table("percentiles").rows().stream()
                .map(row -> (BigDecimal) row.get(4))
                .reduce(BigDecimal::max)
                .orElseThrow();
        assertThat((BigDecimal) last).isBetween(new BigDecimal("95"), new BigDecimal("99"));
    }

    /** What fails fast would make the others look fast. */
    @Test
    void curvesAreOfEachOperationAndOutcome() {
        Table curves = SyntheticRun.run(5, 600, "GET /", "POST /").table("percentiles");

        assertThat(curves.rows().stream().map(row -> row.subList(0, 4)).distinct())
                .contains(
                        List.of("peak", Operations.ALL, "response", "failed"),
                        List.of("peak", "GET /", "response", "succeeded"),
                        List.of("peak", "POST /", "service", "all"))
                .doesNotContain(
                        List.of("peak", "POST /", "response", "failed"),
                        List.of("loading", "GET /", "response", "succeeded"));
    }

    @Test
    void percentilesAreMarkedWhereSamplesSupportThem() {
        Table marks = SyntheticRun.run(3, 200, "GET /", "POST /").table("marks");

        assertThat(rows(marks, "operation", Operations.ALL))
                .filteredOn(row -> row.get(0).equals("(measured)") && row.get(2).equals("response"))
                .extracting(row -> row.get(3))
                .containsExactly("p50", "p95", "p99");
        assertThat(rows(SyntheticRun.run(1, 50, "GET /").table("marks"), "figure", "p99"))
                .isEmpty();
    }

    /** One after another, they make the mean response time. */
    @Test
    void partsAddUpToTheMean() {
        SyntheticRun run = SyntheticRun.run(3, 200, "GET /", "POST /");
        double mean =
                run.result().measured().response().mean().value().orElseThrow().toNanos() / 1e6;

        assertThat(run.table("parts").rows()).isNotEmpty();
        assertThat(List.of("GET /", "POST /").stream()
                        .mapToDouble(name -> rows(run.table("parts"), "operation", name).stream()
                                .mapToDouble(row -> (Double) row.get(4))
                                .sum())
                        .average()
                        .orElse(0))
                .isCloseTo(mean, withinPercentage(1));
    }

    @Test
    void ofManyOperationsThoseWithTheMostTimeHaveParts() {
        String[] names =
                IntStream.range(0, 20).mapToObj(number -> "GET /" + number).toArray(String[]::new);

        assertThat(SyntheticRun.run(1, 100, names).table("parts").rows())
                .extracting(row -> row.get(0))
                .extracting(String.class::cast)
                .doesNotHaveDuplicates()
                .hasSize(Operations.MOST_DRAWN);
    }

    @Test
    void failuresAreOfOperationsByCause() {
        Table matrix =
                FailureMatrix.of(SyntheticRun.run(3, 200, "GET /", "POST /").result());

        assertThat(matrix.columns()).extracting(Column::title).containsExactly("operation", "failed", "http 503");
        assertThat(matrix.rows()).containsExactly(List.of("GET /", 60L, 60L));
    }

    @Test
    void operationsBeyondTheColoursAreMerged() {
        SyntheticRun many = SyntheticRun.run(2, 10, "a", "b", "c", "d", "e", "f", "g", "h", "i");

        assertThat(many.table("intervals").rows())
                .extracting(row -> row.get(1))
                .containsOnly("a", "b", "c", "d", "e", "f", "(others)", Operations.ALL);
        assertThat(rows(many.table("intervals"), "operation", "(others)"))
                .allSatisfy(row -> assertThat(row.get(5)).isEqualTo(30L));
    }

    private static List<List<Object>> rows(Table table, String column, String value) {
        int index = table.columns().stream().map(Column::name).toList().indexOf(column);
        return table.rows().stream().filter(row -> row.get(index).equals(value)).toList();
    }
}
