package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code phaseload history}, of made-up runs, a day each; {@code ChangePointsTest} has the method. */
@Tag("slow")
class HistoryTest {

    private static final int RUNS = 24;
    private static final int STEP = 12;

    /** From this run on, all are on a machine that takes twice as long, before the service changes. */
    private static final int MACHINE = 8;

    @TempDir
    private static Path shared;

    private static Path stepped;
    private static Path moved;

    @BeforeAll
    static void write() throws IOException {
        stepped = Files.createDirectory(shared.resolve("stepped"));
        moved = Files.createDirectory(shared.resolve("moved"));
        Random random = new Random(1);
        MadeUpRun run = MadeUpRun.ofPeak().lasting(2).requests(1_000);
        for (int i = 0; i < RUNS; i++) {
            double noise = 1 + 0.01 * random.nextGaussian();
            // Some folders are deeper than others.
            Path folder = stepped.resolve(i % 2 == 0 ? "run-%02d".formatted(i) : "week/run-%02d".formatted(i));
            day(run.mean((i < STEP ? 10 : 11) * noise).seed(i).write(folder), i);
            MadeUpRun on =
                    i < MACHINE ? run.mean(10 * noise) : run.mean(20 * noise).on("bench-2", "25.0.1");
            day(on.seed(i).write(moved.resolve("run-%02d".formatted(i))), i);
        }
    }

    private static void day(Path folder, int day) throws IOException {
        Path file = folder.resolve("result.json");
        String date = "2026-10-%02dT12:00:00Z".formatted(day + 1);
        Files.writeString(file, Files.readString(file).replace("2026-11-20T12:00:00Z", date));
    }

    private static JsonNode json(Object... line) {
        return JsonMapper.shared().readTree(Cli.run(line).out());
    }

    @Test
    void aStepIsFoundWhereItIs() {
        JsonNode history = json("history", stepped, "--json").path(0);

        assertThat(history.path("runs")).hasSize(RUNS);
        for (JsonNode line : history.path("lines")) {
            String figure = line.path("figure").asString();
            if (figure.equals("p50")) {
                JsonNode change = line.path("changes").path(0);
                assertThat(change.path("first").asInt()).isBetween(STEP - 1, STEP + 1);
                assertThat(change.at("/effect/change").asDouble()).isBetween(0.05, 0.18);
                assertThat(change.path("word").asString()).isEqualTo("WORSE");
            }
        }
    }

    @Test
    void itIsTextMarkdownAndAPage() throws IOException {
        Path page = shared.resolve("history.html");
        Cli text = Cli.run("history", stepped, "--html", page);
        Cli markdown = Cli.run("history", stepped, "--markdown");

        assertThat(text.code()).isZero();
        assertThat(text.outLines().get(1)).contains("is worse since run 1").contains("more change");
        assertThat(markdown.out()).startsWith("## Phaseload: history of ").contains("**worse**");
        assertThat(Files.readString(page)).contains("Runs over time", "is worse since run 1");
    }

    /** Twice the time on another machine is no change of the service. */
    @Test
    void anotherMachineIsNoChange() {
        JsonNode history = json("history", moved, "--json").path(0);
        Cli text = Cli.run("history", moved);

        assertThat(history.path("lines"))
                .allSatisfy(line -> assertThat(line.path("changes")).isEmpty());
        assertThat(text.outLines()).contains("No figure changed its level in %d runs.".formatted(RUNS));
        assertThat(text.out()).contains("Runs on different machines aren't compared.", "B (changed)");
    }

    @Test
    void plansAreToldApartAndCopiesCountOnce(@TempDir Path folder) throws IOException {
        MadeUpRun.ofPeak().lasting(2).write(folder.resolve("a"));
        MadeUpRun.ofDefaultPlan().lasting(2).write(folder.resolve("b"));
        Path copy = Files.createDirectory(folder.resolve("copy"));
        for (String name : new String[] {"result.json", "intervals.csv", "latency.hlog"}) {
            Files.copy(folder.resolve("a").resolve(name), copy.resolve(name));
        }
        JsonNode histories = json("history", folder, "--json");

        assertThat(histories).hasSize(2).allSatisfy(of -> assertThat(of.path("runs"))
                .hasSize(1));
    }

    @Test
    void aDamagedFolderIsLeftOutAndNoneIsAMistake(@TempDir Path folder) throws IOException {
        MadeUpRun.ofPeak().lasting(2).write(folder.resolve("a"));
        Path damaged = Files.createDirectory(folder.resolve("b"));
        Files.writeString(damaged.resolve("result.json"), "{");
        Cli history = Cli.run("history", folder);
        assertThat(history.code()).isZero();
        assertThat(history.err()).contains(damaged.toString()).endsWith("; it is left out\n");
        assertThat(history.err().lines()).hasSize(1);

        Cli none = Cli.run("history", Files.createDirectory(folder.resolve("none")));
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err())
                .isEqualTo("history %s: expected results folders below it%n".formatted(folder.resolve("none")));
        assertThat(Cli.run("history", folder, "--json", "--markdown").code()).isEqualTo(ExitCode.USAGE);
    }
}
