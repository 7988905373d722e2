package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.capacity.CapacityJson;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.Outcome;
import io.phaseload.cli.Cli;
import io.phaseload.cli.ResultSchema;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches on a server with four threads, of which each request takes 20 ms: it can't answer more than 200 a second.
 */
class CapacityIT {

    @TempDir
    private Path folder;

    private CapacityResult search(Object... more) throws Exception {
        Path out = folder.resolve("out");
        try (TargetServer server = TargetServer.start(
                ServerSettings.builder().port(0).maxThreads(4).build())) {
            List<Object> line = new ArrayList<>(List.of(
                    "capacity",
                    "--slo",
                    "p90 < 150ms",
                    server.url(),
                    "--get",
                    "/delay?ms=20",
                    "--step",
                    "1s",
                    "--out",
                    out,
                    "--quiet"));
            line.addAll(List.of(more));
            Cli run = Cli.run(line.toArray());

            assertThat(run.code()).as(run.err() + run.out()).isZero();
            ResultSchema.assertValidCapacity(Files.readString(out.resolve(CapacityJson.FILE)));
            CapacityResult result = CapacityJson.read(out);
            assertThat(out.resolve("report.html")).exists();
            assertThat(Files.readString(out.resolve("report.txt"))).contains("Capacity: ");
            assertThat(result.steps())
                    .allSatisfy(step -> assertThat(out.resolve(step.folder()).resolve("report.html"))
                            .exists());
            return result;
        }
    }

    @Test
    void theServiceIsTheLimit() throws Exception {
        CapacityResult result = search("--from", "100/s", "--budget", "12s");

        assertThat(result.answer().orElseThrow().low()).isBetween(20.0, 260.0);
        assertThat(result.steps())
                .filteredOn(step -> step.load() > 300)
                .noneMatch(step -> step.outcome() == Outcome.HELD);
    }

    /** They send 100 a second at most, so the first step is beyond them on any machine. */
    @Test
    void twoUsersAreTheLimit() throws Exception {
        CapacityResult result = search("-c", 2, "--from", "150/s", "--budget", "10s");

        assertThat(result.answer().orElseThrow().atLeast()).isTrue();
        assertThat(result.answer().orElseThrow().low()).isBetween(10.0, 105.0);
        assertThat(result.steps())
                .filteredOn(step -> step.load() > 120)
                .isNotEmpty()
                .allMatch(step -> step.outcome() == Outcome.CLIENT);
    }
}
