package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.capacity.CapacityJson;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.CapacityStep.Purpose;
import io.phaseload.capacity.ClientRoom;
import io.phaseload.capacity.ObjectiveResult;
import io.phaseload.capacity.Outcome;
import io.phaseload.capacity.Search;
import io.phaseload.cli.ResultSchema;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityJsonTest {

    private static final CapacityResult BEGUN = new CapacityResult(
            CapacityJson.SCHEMA_VERSION,
            "capacity",
            "http://shop.example/",
            Instant.EPOCH,
            List.of("p99 < 250ms"),
            new Search(100, 1e7, false, 0.05, 0, 20, 40),
            900,
            Environment.capture(),
            List.of("--slo", "p99 < 250ms"),
            List.of(),
            Optional.empty(),
            false);

    @TempDir
    private Path folder;

    private static CapacityStep step(int number, double load, Outcome outcome) {
        return new CapacityStep(
                number,
                Purpose.BRACKET,
                load,
                0,
                new CapacityStep.StepTime(Instant.EPOCH, 20),
                outcome,
                outcome == Outcome.HELD ? 0.99 : 0.01,
                load,
                List.of(new ObjectiveResult("p99 < 250ms", "ms", 250, load, 0.5)),
                new ClientRoom(75, 8, Optional.of(0.4), Optional.empty(), "CPU", Optional.empty()),
                Optional.empty(),
                "step-0" + number);
    }

    @Test
    void eachStateOfASearchIsAsTheSchemaSays() throws IOException {
        CapacityResult held = BEGUN.with(step(1, 100, Outcome.HELD));
        CapacityResult broke = held.with(step(2, 200, Outcome.BROKE)).end();

        for (CapacityResult result : List.of(BEGUN, held, broke)) {
            CapacityJson.write(folder, result);

            ResultSchema.assertValidCapacity(CapacityJson.write(result));
            assertThat(CapacityJson.read(folder)).isEqualTo(result);
        }
        String wrong = CapacityJson.write(broke).replace("\"BROKE\"", "\"BROKEN\"");
        assertThatThrownBy(() -> ResultSchema.assertValidCapacity(wrong)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aWrongPropertyIsNamedWithItsFile() throws IOException {
        Path file = folder.resolve(CapacityJson.FILE);
        Files.writeString(file, CapacityJson.write(BEGUN).replace("\"finished\" : false", "\"finished\" : \"x\""));

        assertThatThrownBy(() -> CapacityJson.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ");
    }
}
