package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.capacity.CapacityJson;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.CapacityStep.Purpose;
import io.phaseload.capacity.ClientRoom;
import io.phaseload.capacity.ObjectiveResult;
import io.phaseload.capacity.Outcome;
import io.phaseload.capacity.Search;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.text.runs.CapacityReport;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityPageTest {

    @TempDir
    private Path folder;

    private static CapacityStep step(int number, Purpose purpose, double load, Outcome outcome, double p99) {
        boolean held = outcome == Outcome.HELD;
        return new CapacityStep(
                number,
                purpose,
                load,
                0,
                new CapacityStep.StepTime(Instant.EPOCH, 20),
                outcome,
                held ? 0.99 : 0.01,
                load,
                List.of(
                        new ObjectiveResult("p99 < 250ms", "ms", 250, p99, held ? 0.99 : 0.01),
                        new ObjectiveResult("failures < 1%", "%", 1, 0, 1)),
                new ClientRoom(
                        75,
                        8,
                        Optional.of(0.4),
                        Optional.of(10 * load),
                        "CPU",
                        outcome == Outcome.CLIENT ? Optional.of("GC pauses took 9 % of the time.") : Optional.empty()),
                outcome == Outcome.BROKE ? Optional.of("all 4 threads of the server were busy.") : Optional.empty(),
                "step-0" + number);
    }

    private static CapacityResult search(Outcome beyond) {
        CapacityResult result = new CapacityResult(
                CapacityJson.SCHEMA_VERSION,
                "capacity",
                "http://shop.example/",
                Instant.EPOCH,
                List.of("p99 < 250ms", "failures < 1%"),
                new Search(100, 1e7, false, 0.05, 0, 20, 40),
                900,
                Environment.capture(),
                List.of("--slo", "p99 < 250ms"),
                List.of(),
                Optional.empty(),
                false);
        result = result.with(step(1, Purpose.BRACKET, 100, Outcome.HELD, 30));
        result = result.with(step(2, Purpose.BRACKET, 200, beyond, 900));
        for (int number = 3; number < 9; number++) {
            result = result.with(step(number, Purpose.BISECT, 180, Outcome.HELD, 40));
            result = result.with(step(number + 1, Purpose.BISECT, 186, beyond, 500));
        }
        return result.with(step(10, Purpose.CONFIRM, 176, Outcome.HELD, 41)).end();
    }

    @Test
    void theServiceWasTheLimit() {
        CapacityResult result = search(Outcome.BROKE);

        assertThat(CapacityReport.text(result, TextTable.WIDE))
                .containsPattern(
                        "Capacity: 18\\d(\\.\\d)?/s \\(95 % interval 1[67]\\d(\\.\\d)?/s to 19\\d(\\.\\d)?/s\\)")
                .contains("176/s was confirmed.")
                .contains("Broke first: 500 ms (p99 < 250ms) at 186/s")
                .contains("Diagnosis beyond it: all 4 threads of the server were busy.")
                .contains("10.0 times as much (CPU)");
    }

    @Test
    void theClientWasTheLimit() {
        CapacityResult result = search(Outcome.CLIENT);

        assertThat(CapacityReport.sentence(result)).contains("at least").contains("at 186/s the client was the limit");
        assertThat(CapacityReport.remarks(result))
                .contains("Client: GC pauses took 9 % of the time.")
                .noneMatch(of -> of.startsWith("Diagnosis"));
        assertThat(CapacityReport.markdown(result)).startsWith("## Phaseload: capacity\n\n**Capacity: at least");
    }

    @Test
    void aPageHasTheAnswerTheStepsAndTheirPages() {
        String page = CapacityPage.write(search(Outcome.BROKE));

        assertThat(page)
                .contains("Capacity of http://shop.example/", "Broke first", "href=\"./step-01/report.html\"")
                .contains("data-chart=\"capacity-search\"", "data-chart=\"capacity-figures\"");
    }

    @Test
    void aSearchIsReadBack() throws IOException {
        CapacityResult result = search(Outcome.BROKE);
        CapacityJson.write(folder, result);

        assertThat(CapacityJson.read(folder)).isEqualTo(result);
    }

    @Test
    void anInterruptedSearchHasWhatItFound() {
        CapacityResult begun = search(Outcome.BROKE);
        CapacityResult result = new CapacityResult(
                1,
                begun.name(),
                begun.target(),
                begun.startedAt(),
                begun.objectives(),
                begun.search(),
                900,
                begun.environment(),
                begun.arguments(),
                begun.steps().subList(0, 1),
                begun.search().answer(begun.steps().subList(0, 1)),
                false);

        assertThat(CapacityReport.text(result, 80)).contains("at least 100/s", "interrupted after 1 step");
    }
}
