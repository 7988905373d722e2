package io.phaseload.cli.run;

import static io.phaseload.cli.Usage.usage;
import static io.phaseload.cli.Usage.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a command line as a whole, and with what stands in for it. */
class LineUsageTest {

    private static final String COUNT = "expected a whole number of 1 or more, such as 100 or 10k";
    private static final String TIME = "expected a time above 0, such as 250ms, 30s, 5m or 1h";

    @TempDir
    private Path folder;

    static Stream<Arguments> repeated() {
        String once = ": given twice: expected it once";
        return Stream.of(
                wrong("--url" + once, "--url", "http://h/", "--url", "http://other/"),
                wrong("--timeout" + once, "--timeout", "1s", "--timeout", "2s"),
                wrong(
                        "--server-metrics /metrics.json: expected a name for each of several"
                                + " servers: name=address",
                        "--server-metrics=/a",
                        "--server-metrics=/metrics.json"),
                wrong("-c: given twice, also as --threads: expected it once", "--threads=1", "-c=1"),
                wrong("--body" + once + " for a request", "--post=/", "--body=a", "--body=b"),
                wrong("--expect" + once + " for a request", "--expect=a", "--expect=b"));
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                wrong("--thread: no such option, did you mean --threads?", "--thread", "5"),
                wrong("-threads: no such option, did you mean --threads?", "-threads", "5"),
                wrong("--itertions: no such option, did you mean --iterations?", "--itertions=5"),
                wrong("--distribution: no such option, --help lists them", "--distribution", "5"),
                wrong("-y: no such option, --help lists them", "-y"),
                wrong("stray: unexpected argument, options start with --", "--json", "stray"),
                wrong("--threads: a value is missing", "--threads"),
                wrong("--url: a value is missing (http://host[:port]/path or https://…)", "--url"),
                wrong("-H: a value is missing ('Name: value')", "--quiet", "-H"),
                wrong("--rate: a value is missing (a rate such as 500/s)", "--rate"),
                wrong("--arrivals: a value is missing (constant or poisson)", "--arrivals"),
                wrong("--overload: a value is missing (queue or drop)", "--overload"),
                wrong("--ramp: a value is missing", "--ramp"),
                wrong("--seed: a value is missing", "--seed"),
                wrong("--json yes: expected true or false, or no value at all", "--json=yes"),
                wrong("--threads a?b?[2J: " + COUNT, "--threads", "a\nb\u001b[2J"));
    }

    @ParameterizedTest
    @MethodSource({"repeated", "lines"})
    void isOneLine(String message, List<String> line) {
        Usage.assertRefused(message, line, folder.resolve("out"));
    }

    @Test
    void aWrongPropertyIsReportedLikeAnOption() {
        Cli run = Cli.runWith(Map.of("duration", "5"), "--out", folder.resolve("out"));
        assertThat(run).isEqualTo(usage("-Dduration=5: " + TIME));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "this JDK has virtual threads")
    void virtualThreadsNeedANewerJdk() {
        Cli run = Cli.run("--virtual", "--out", folder.resolve("out"));
        assertThat(run)
                .isEqualTo(usage("--virtual: needs Java 21 or newer, this is Java "
                        + Runtime.version().feature()));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("result.json"), "{}");
        assertThat(Cli.run("--out", folder))
                .isEqualTo(usage("--out " + folder + ": expected a folder that is new or empty"));
        assertThat(folder).isDirectoryContaining(file::equals);
        assertThat(file).hasContent("{}");
    }

    @Test
    void aFileIsNoFolder() throws Exception {
        Path file = Files.writeString(folder.resolve("out"), "text");
        Cli run = Cli.run("-o", file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("--out " + file + ": expected a folder that can be written to: ")
                .hasLineCount(1);
        assertThat(file).hasContent("text");
        Path below = file.resolve("below");
        assertThat(Cli.run("-o", below).err())
                .startsWith("--out " + below + ": expected a folder that can be written to: ");
    }
}
