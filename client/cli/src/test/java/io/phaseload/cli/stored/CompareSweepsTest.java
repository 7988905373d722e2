package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sweeps are compared step by step. */
@Tag("slow")
class CompareSweepsTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @Test
    void stepsOfTheSameValuesAreCompared() {
        Path before = sweep("before", "1,2");
        Path after = sweep("after", "2,1");

        Cli compare = Cli.run("compare", before, after, "--json", "--force");

        assertThat(compare.code()).as(compare.err()).isZero();
        JsonNode pairs = compare.json().get("comparisons");
        assertThat(pairs).hasSize(2);
        assertThat(pairs.at("/0/a/name").asString()).isEqualTo(before + " threads=1");
        assertThat(pairs.at("/0/b/name").asString()).isEqualTo(after + " threads=1");
        assertThat(pairs.at("/0/a/trials")).hasSize(2);
        assertThat(pairs.at("/0/b/trials/0/folder").asString()).contains("step-02");
        assertThat(pairs.at("/1/a/name").asString()).isEqualTo(before + " threads=2");
        assertThat(pairs.at("/0/planDifferences")).isEmpty();
    }

    @Test
    void aStepThatOnlyOneHasIsAnErrorOrLeftOut() {
        Path before = sweep("before", "1,2");
        Path after = sweep("after", "1,3");

        Cli compare = Cli.run("compare", before, after);

        assertThat(compare.code()).isEqualTo(ExitCode.USAGE);
        assertThat(compare.err().strip())
                .isEqualTo("compare %s: expected the same steps in all sweeps, or --force; it has none".formatted(after)
                        + " with threads=2");
        assertThat(Cli.run("compare", before, after, "--json", "--force").json().at("/comparisons"))
                .hasSize(1);
    }

    @Test
    void aSweepIsNotComparedWithARun() {
        Path sweep = sweep("sweep", "1");
        Path run = sweep.resolve("step-01/trial-1");

        Cli compare = Cli.run("compare", sweep, run);

        assertThat(compare.code()).isEqualTo(ExitCode.USAGE);
        assertThat(compare.err().strip())
                .isEqualTo("compare %s: expected a sweep's folder, as another side is".formatted(run));
    }

    private Path sweep(String name, String threads) {
        Path out = folder.resolve(name);
        Cli sweep = Cli.run(
                "sweep",
                "--url",
                server.url(),
                "-c",
                threads,
                "-n",
                20,
                "--get",
                "/",
                "--trials",
                2,
                "--warmup",
                "0s",
                "--quiet",
                "--out",
                out);
        assertThat(sweep.code()).as(sweep.err()).isZero();
        return out;
    }
}
