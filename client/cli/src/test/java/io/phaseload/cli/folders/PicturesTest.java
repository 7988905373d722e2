package io.phaseload.cli.folders;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Static pictures beside reports, which they leave as they are. */
@Tag("slow")
class PicturesTest {

    @TempDir
    private Path folder;

    private Path path(String name) {
        return folder.resolve(name);
    }

    private static Stream<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void aRunAndAComparisonAreDrawnInBothFormats() throws Exception {
        MadeUpRun base = MadeUpRun.ofDefaultPlan().lasting(10).requests(300).failed(10);
        Path a = base.write(path("a"));
        Path b = base.mean(12).seed(2).write(path("b"));

        Cli report = Cli.run("report", a, "--png", path("x/png"), "--svg", path("svg"));
        assertThat(report.err()).isEmpty();
        assertThat(report.code()).isZero();
        assertThat(report.out()).isEqualTo(Cli.run("report", a).out());
        List<String> ofRun =
                List.of("distribution", "failures", "latency", "operations", "overview", "percentiles", "throughput");
        assertThat(names(path("x/png")).map(name -> name.replace(".png", "")))
                .containsExactlyInAnyOrderElementsOf(ofRun);
        assertThat(names(path("svg")).map(name -> name.replace(".svg", ""))).containsExactlyInAnyOrderElementsOf(ofRun);
        assertThat(Files.readString(path("svg/latency.svg")))
                .containsPattern("<title>Response time – .* · 20[0-9-]+ [0-9:]+ UTC · [A-Z]+<");

        Cli compare = Cli.run("compare", a, b, "--svg", path("svg"));
        assertThat(compare.code()).isZero();
        assertThat(compare.out()).isEqualTo(Cli.run("compare", a, b).out());
        assertThat(names(path("svg")).filter(name -> name.startsWith("compared-")))
                .hasSize(3);
        assertThat(names(path("svg"))).contains("changes.svg");
    }

    @Test
    void onlyWhatTheReportIsOfIsDrawn() throws Exception {
        Path run = MadeUpRun.ofDefaultPlan().lasting(3).requests(50).failed(10).write(path("a"));
        Cli.run("report", run, "--svg", path("all"));
        Cli.run("report", run, "--svg", path("peak"), "--only", "peak");

        assertThat(Files.size(path("peak/failures.svg"))).isLessThan(Files.size(path("all/failures.svg")));
    }

    @Test
    void aFolderThatCantBeWrittenToIsKnownFirst() throws Exception {
        Path run = MadeUpRun.ofDefaultPlan().lasting(1).requests(5).write(path("a"));
        Path file = Files.writeString(path("file"), "mine");

        Cli report = Cli.run("report", run, "--png", file);

        assertThat(report.code()).isEqualTo(ExitCode.USAGE);
        assertThat(report.out()).isEmpty();
        assertThat(report.err())
                .startsWith("--png " + file + ": expected a folder that can be written to")
                .hasLineCount(1);
        assertThat(file).hasContent("mine");
    }
}
