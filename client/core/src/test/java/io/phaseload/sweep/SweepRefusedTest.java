package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.engine.CountingServer;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.check.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What would be measured, or lost, in another way than was meant. */
@Timeout(60)
class SweepRefusedTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @TempDir
    private Path parent;

    private Plan plan() {
        return builder().build();
    }

    private PlanBuilder builder() {
        return Plan.builder(server.uri()).phases(new Phase("peak", 1, new PhaseLength.Iterations(5)));
    }

    /** Its trials would be taken for those of other steps, and what is in the folder be lost. */
    @Test
    void anotherSweepIsNotResumed() throws Exception {
        Path folder = parent.resolve("sweep");
        Sweep.of(plan()).threads(1, 2).trials(2).folder(folder).run();
        List<String> before = files(folder);

        assertNotResumed(
                Sweep.of(plan()).threads(1, 3).resume(folder), "its step 2 was {threads=2}: expected the same steps");
        assertNotResumed(
                Sweep.of(plan()).threads(1).resume(folder), "its step 2 was {threads=2}: expected the same steps");
        assertNotResumed(
                Sweep.of(plan()).threads(1, 2).order(Order.SEQUENTIAL).resume(folder),
                "its order was interleaved and its seed 1: expected the same");
        assertNotResumed(
                Sweep.of(plan()).threads(1, 2).seed(2).resume(folder),
                "its order was interleaved and its seed 1: expected the same");
        assertNotResumed(
                Sweep.of(builder().label("a", "b").build()).threads(1, 2).resume(folder),
                "its trials.csv has other columns");

        assertThat(files(folder)).isEqualTo(before);
        SweepResult more =
                Sweep.of(plan()).threads(1, 2, 3).trials(2).resume(folder).run();
        assertThat(more.rows())
                .extracting(row -> row.step() + "/" + row.trial())
                .containsExactly("1/1", "2/1", "2/2", "1/2", "3/1", "3/2");
    }

    private static void assertNotResumed(Sweep sweep, String why) {
        assertThatThrownBy(sweep::run).isInstanceOf(IOException.class).hasMessage(why);
    }

    private static List<String> files(Path folder) throws IOException {
        return List.of(Files.readString(folder.resolve("trials.csv")), Files.readString(folder.resolve("sweep.json")));
    }

    @Test
    void aSweepWithoutItsEnvironmentIsAnError() throws Exception {
        Path folder = parent.resolve("sweep");
        Sweep.of(plan()).folder(folder).run();
        Path file = folder.resolve("sweep.json");
        Files.writeString(file, Files.readString(file).replace("\"environment\"", "\"surroundings\""));

        assertThatThrownBy(() -> SweepResult.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining("environment");
    }

    @Test
    void stepsHaveTheSameColumns() {
        assertDifferent(
                (plan, value) -> plan.withOperations(List.of(Operation.get("/"), Operation.get("/" + value))),
                "operations: expected the same in all steps," + " not [GET /, GET /a] and [GET /, GET /b]");
        assertDifferent(
                (plan, value) -> plan.withOperations(
                        List.of(Operation.get("/").withMetrics(Metric.parse("m_" + value + "=/m")))),
                "metrics: expected the same in all steps, not [m_a] and [m_b]");
    }

    private void assertDifferent(BiFunction<Plan, String, Plan> change, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Sweep.of(plan()).vary("x", List.of("a", "b"), change).open())
                .withMessage(message);
    }

    /** Such as bodies, whose text is their length. */
    @Test
    void valuesWithTheSameTextAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sweep.of(plan())
                        .vary("body", List.of(Body.ofText("a"), Body.ofText("b")), (plan, body) -> plan))
                .withMessage("expected each value once");
    }

    @Test
    void theCallersGridIsNotChanged() throws Exception {
        Grid grid = new Grid().vary("x", List.of("1"));
        Sweep sweep = Sweep.of(grid, trial -> plan()).threads(1, 2);
        assertThat(grid.steps(1)).hasSize(1);
        grid.vary("y", List.of("1", "2"));
        assertThat(sweep.run().steps()).hasSize(2);
    }

    @Test
    void whatARequestTakesDoesNotChange() {
        HookRequest request = new HookRequest("x", values -> Operation.get("/"), Map.of("id", "/id"));
        assertThatThrownBy(() -> request.takes().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
