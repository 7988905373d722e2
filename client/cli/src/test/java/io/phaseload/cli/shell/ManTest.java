package io.phaseload.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManTest {

    @TempDir
    private Path folder;

    private List<String> pages() throws IOException {
        assertThat(Cli.run("man", folder.resolve("man1"))).isEqualTo(new Cli(0, "", ""));
        try (Stream<Path> files = Files.list(folder.resolve("man1"))) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    /** The output of a command; the test is skipped where it is missing. */
    private static String output(List<String> command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeThat(e.getMessage()).as(command.get(0) + " is installed").isEmpty();
            throw e;
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void mandocHasNoWarning() throws Exception {
        List<String> command = new ArrayList<>(List.of("mandoc", "-Tlint", "-Wwarning"));
        command.addAll(pages());
        // Without a date, a page is the same in every build of a version.
        assertThat(output(command).lines().filter(line -> !line.contains("missing date")))
                .isEmpty();
    }

    @Test
    void manShowsThem() throws Exception {
        assertThat(pages())
                .hasSize(22)
                .contains(folder.resolve("man1/phaseload.1").toString());
        String run = folder.resolve("man1/phaseload-run.1").toString();
        assertThat(output(List.of(
                        "env",
                        "MANWIDTH=80",
                        "LC_ALL=C.UTF-8",
                        "man",
                        "--nj",
                        "--nh",
                        "--warnings",
                        "-P",
                        "cat",
                        "-l",
                        run)))
                .doesNotContain("warning:", "No manual entry")
                .contains("phaseload-run - run phases of load", "-c, --threads N", "users at the peak (10)");
    }

    @Test
    void needsAFolder() throws Exception {
        assertThat(Cli.run("man").err()).isEqualTo("man: expected a folder to write\n");
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(Cli.run("man", file).err())
                .startsWith("man " + file + ": expected a folder that can be written to: ");
        assertThat(Cli.run("completion", "tcsh").err()).isEqualTo("completion tcsh: expected bash, zsh or fish\n");
    }
}
