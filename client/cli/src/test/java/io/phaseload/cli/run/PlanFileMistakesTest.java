package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is wrong in a plan file is said with its place. */
class PlanFileMistakesTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "thread: 3 | line 2: key thread: no such key, did you mean threads?",
                "wibble: 3 | line 2: key wibble: no such key, expected name, target, operations",
                "engine: {nam: events} | line 2: key nam: no such key, did you mean name?",
                "phases: [{nme: a}] | line 2: key nme: no such key, did you mean name?",
                "phases: [{name: a}] | line 2: phases.0: expected a key share",
                "phases: [{name: a, share: 2}] | line 2: phases.0.share 2: expected more than 0",
                "phases: [a=1 fr 3s] | line 2: phases.0 a=1 fr 3s: expected ',', 'for', 'at' or the end at"
                        + " character 5",
                "phases: [a=1, a=1] | line 2: phases.1 a=1: name a: this name is already used",
                "phases: peak=2 | line 2: phases peak=2: expected a share above 0 and at most 1",
                "threads: many | line 2: threads many: expected a whole number of 1 or more",
                "threads: [3] | line 2: threads: expected a whole number or a text",
                "threads: 0 | line 2: threads 0: expected a whole number of 1 or more",
                "rate: fast | line 2: rate fast: expected a rate such as 500/s",
                "duration: 30 | line 2: duration 30: expected a text such as 250ms, 30s, 5m, 1h",
                "duration: 30x | line 2: duration 30x: expected a time above 0",
                "virtualThreads: 3 | line 2: virtualThreads: expected true or false",
                "arrivals: often | line 2: arrivals often: expected constant or poisson",
                "target: {url: ftp://h/} | line 2: target.url ftp://h/: expected http",
                "target: ftp://h/ | line 2: target ftp://h/: expected http",
                "target: jetty | line 2: target jetty: expected tomcat or lambda",
                "operations: [FETCH] | line 2: operations.0 FETCH: expected a method and a path",
                "operations: [{method: GET, path: x}] | line 2: operations.0.path x: expected",
                "operations: [{path: /}] | line 2: operations.0: expected a key method",
                "thresholds: [p98 < 1s] | line 2: thresholds.0 'p98 < 1s': expected mean",
                "thresholds: [{peek: p95 < 1s}] | line 2: thresholds.0 'peek: p95 < 1s': expected a phase of",
                "seed: 1 | line 2: key seed: given more than once",
                "rate: 500 | line 2: rate 500: expected a text such as 500/s, 1.5k/s, 30/m",
                "think: 5 | line 2: think 5: expected a text such as 100ms, 100ms..300ms",
                "phases: [{name: a, share: 1, rate: 5}] | line 2: phases.0.rate 5: expected a text",
                "operations: [{name: x, method: GET, path: /}, {name: x, method: PUT, path: /}]"
                        + " | line 2: operations.1: name x: this name is already used",
                "threads: | line 2: threads: expected a value",
                "threads: ~ | line 2: threads: expected a value",
                "threads: .nan | line 2: threads .nan: expected a whole number of 1 or more",
                "threads: 1e999999999 | line 2: expected a number of at most 100 digits",
                "threads: *v | line 2: *v: expected the value itself, not an alias",
                "<<: *v | line 2: *v: expected the value itself, not an alias",
                "seed: !env SEED | line 2: !env: expected the value without a tag",
                "name: !!str 5 | line 2: !str: expected the value without a tag",
                "labels: {a: 'x ${TOKEN}'} | line 2: labels.a: expected the value in place of"
                        + " ${TOKEN}, which nothing fills in",
                "operations: [{method: POST, path: /, body: '@f.json'}] | line 2: operations.0.body"
                        + " @f.json: expected bodyFile: f.json",
                "x: [1 | line 2: expected a bracket at the end",
                "name: 'x | line 2: expected a quote at the end of the text",
                "name: @x | line 2: expected quotes around a text with '@'",
                "name: a: b | line 2: expected no colon here, or quotes around the text with it",
                "? [a, b] | line 2: expected a text as a key",
                "--- | line 3: expected the end of the file: it can contain only one plan",
            })
    void aMistakeIsNamedWithItsLine(String line, String message) throws Exception {
        String first = "target: http://localhost/\n";
        if (line.startsWith("target")) {
            first = "name: a\n";
        } else if (line.startsWith("seed: 1")) {
            first = "seed: 2\n";
        }
        Path file = write("plan.yaml", first + line + "\n");

        Cli run = Cli.run("--plan", file, "-o", folder.resolve("no"));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("--plan " + file + ": ")
                .contains(message)
                .hasLineCount(1);
        assertThat(run.err()).doesNotContain("Exception", "Stream", "Source");
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @Test
    void aCharacterThatDoesNotBelongIsNamedWithItsLine() throws Exception {
        Path tab = write("tab.yaml", "target: tomcat\n\tname: b\n");
        assertThat(Cli.run("--plan", tab).err().strip())
                .isEqualTo("--plan " + tab + ": line 2: expected spaces in place of the tab");
        Path control = write("control.yaml", "target: tomcat\n\nname: \u0001\n");
        assertThat(Cli.run("--plan", control).err().strip())
                .isEqualTo("--plan " + control + ": line 3: expected text without control characters");
    }

    @Test
    void aPlanNamesItsTarget() throws Exception {
        Path file = write("plan.yaml", "threads: 3\n");

        assertThat(Cli.run("--plan", file).err().strip())
                .isEqualTo("--plan "
                        + file
                        + " needs a key target, such as http://localhost:8080/ or tomcat,"
                        + " or --url");
        assertThat(plan("--plan", file, "--target", "tomcat").at("/threads").asInt())
                .isEqualTo(3);
        assertThat(plan("--plan", file, "--url", server.url()).at("/threads").asInt())
                .isEqualTo(3);
    }

    @Test
    void aFileThatIsTooLongIsRefusedAtOnce() throws Exception {
        Path file = write("plan.yaml", "- GET /".repeat(50_000_000 / 7));

        assertThat(Cli.run("--plan", file).err().strip()).isEqualTo("--plan " + file + ": expected at most 5 MB");
    }

    @Test
    void aFileThatIsNotTextIsRefused() throws Exception {
        Path file = Files.write(folder.resolve("plan.yaml"), new byte[] {(byte) 0xff, 0x20});

        assertThat(Cli.run("--plan", file).err().strip())
                .isEqualTo("--plan " + file + ": expected a plan, or a result.json: it isn't UTF-8 text");
        Path none = folder.resolve("none");
        assertThat(Cli.run("--plan", none).err().strip())
                .isEqualTo("--plan " + none + ": expected a plan, or a result.json: there is no such" + " file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | expected a plan",
                "`` | expected a plan",
                "{ | line 1: Unexpected end-of-input",
                "{\"target\": \"tomcat\"} {} | line 1: expected the end of the file",
                "{\"threads\": 3,} | line 1: Unexpected character ('}')",
                "{\"a\": 1,\\n\\n\"a\": 2} | line 3: key a: given more than once",
            })
    void aFileThatIsNoPlanIsRefused(String json, String message) throws Exception {
        Path file = write("plan.json", json.replace("\\n", "\n"));

        Cli run = Cli.run("--plan", file);

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("--plan " + file + ": ")
                .contains(message)
                .hasLineCount(1);
        assertThat(Cli.run("--plan", folder.resolve("none")).code()).isEqualTo(ExitCode.USAGE);
    }

    /** Of the option's name, not of the file. */
    @Test
    void aWrongOptionIsReportedAsAnOption() throws Exception {
        Path file = write("plan.yaml", "target: tomcat\nthreads: 3\n");

        assertThat(Cli.run("--plan", file, "--rate", "fast").err().strip())
                .isEqualTo("--rate fast: expected a rate such as 500/s, 1.5k/s or 30/m");
        assertThat(Cli.run("--plan", file, "--thread", 3).err().strip())
                .isEqualTo("--thread: no such option, did you mean --threads?");
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private static JsonNode plan(Object... options) {
        Cli plan = Cli.run(
                Stream.concat(Stream.of("plan", "--json"), Stream.of(options)).toArray());
        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isZero();
        return Cli.json(plan.out());
    }
}
