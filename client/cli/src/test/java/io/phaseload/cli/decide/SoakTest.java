package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.MadeUpRun;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakTest {

    @TempDir
    private Path folder;

    /** Two minutes of the same load can't exclude a slope of 1 % an hour, except of failures: there are none. */
    @Test
    void judgesAStoredRun() throws Exception {
        Path run = MadeUpRun.ofPeak().lasting(120).requests(50).write(folder.resolve("run"));

        Cli text = Cli.run("soak", run);

        assertThat(text.err()).isEmpty();
        assertThat(text.code()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(text.out())
                .startsWith("Soak of phase peak, 2.0 min\n")
                .containsPattern("(?m)^UNDECIDED +p99 +< 1%/h")
                .containsPattern("(?m)^PASS +failures +< 0[.]1%/h +0[.]00 %/h")
                .contains("\nUndecided, a longer run may decide: ");
        assertThat(run.resolve("soak.html")).content().contains("<h2 id=\"slopes-heading\">");
        assertThat(run.resolve("soak.md")).content().startsWith("## Phaseload: soak of peak, 2.0 min\n");
        Cli json = Cli.run("soak", "--json", run);
        assertThat(json.json().get("outcome").asString()).isEqualTo("UNDECIDED");
        assertThat(run.resolve("soak.json")).hasContent(json.out());
    }

    @Test
    void expectsOneFolderOrARun() {
        assertThat(Cli.run("soak"))
                .isEqualTo(new Cli(2, "", "soak: expected one results folder, or the options of a run\n"));
        assertThat(Cli.run("soak", folder, "--", "--help").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Cli.run("soak", "--limit=heap=1GB", "http://localhost/", "--threads", "0"))
                .isEqualTo(Cli.run("run", "http://localhost/", "--threads", "0"));
        assertThat(Cli.run("soak", "--urll", "x").err()).contains("--urll: no such option");
        assertThat(Cli.run("soak", folder, "--limit", "heap").err())
                .isEqualTo("--limit heap: expected a figure and a value such as heap=512MB\n");
        assertThat(Cli.run("soak", folder, "--json", "--markdown").err())
                .isEqualTo("--json cannot be combined with --markdown\n");
    }
}
