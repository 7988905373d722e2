package io.phaseload.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.ResultSchema;
import io.phaseload.plan.Plan;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sweeps in folders: read, merged and resumed. */
@Tag("slow")
class StoredSweepTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final EventStore store = new EventStore();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli events(Object... more) {
        return store.sweep(out, more);
    }

    private List<TrialRow> rows() throws IOException {
        return TrialCsv.read(out).rows();
    }

    private JsonNode json() throws IOException {
        String json = Files.readString(out.resolve("sweep.json"));
        ResultSchema.assertValidSweep(json);
        return Cli.json(json);
    }

    @Test
    void severalSweepsAreReadAsOne() throws Exception {
        Path two = out.resolveSibling("two");
        Path both = out.resolveSibling("both");
        assertThat(events("--param", "count=1,2", "--label", "nodes=3").code()).isZero();
        Files.move(out, two);
        assertThat(events("--param", "count=1,2", "--label", "nodes=5").code()).isZero();

        Cli report = Cli.run("report", out, two, "--derive", "per_second=count / elapsed", "--json");
        assertThat(report.err()).isEmpty();
        assertThat(report.json().path("steps")).hasSize(4);
        assertThat(report.json().at("/steps/0/values/nodes").asString()).isEqualTo("5");
        assertThat(report.json().at("/steps/0/operations/0/figures").propertyNames())
                .contains("elapsed", "per_second");

        Cli merge = Cli.run("merge", out, two, "-o", both);
        assertThat(merge.code()).isZero();
        assertThat(merge.out()).contains("nodes", "Results: " + both);
        assertThat(both).isDirectoryContaining("glob:**/{report.html}");
        assertThat(Cli.run("report", both, "--derive=per_second=count / elapsed", "--json")
                        .json())
                .isEqualTo(report.json());
        Cli resume = Cli.run("sweep", "--resume", both);
        assertThat(resume.code()).isEqualTo(2);
        assertThat(resume.err()).contains("a merged sweep can't be resumed; resume the originals");

        Cli describe = Cli.run("describe", out, two, "--by", "nodes", "--figures=elapsed", "--csv");
        assertThat(describe.outLines()).hasSize(3);
        assertThat(describe.outLines().get(1)).startsWith("5,GET /insert/{count},elapsed,2,");
        JsonNode json = Cli.run("describe", out, two, "--by", "nodes", "--figures=elapsed", "--json")
                .json();
        assertThat(json.size()).isEqualTo(2);
        assertThat(json.at("/0/nodes").asString()).isEqualTo("5");
        assertThat(json.at("/0/count").asInt()).isEqualTo(2);
        assertThat(json.at("/0/mean").isNumber()).isTrue();
        Cli all = Cli.run("describe", both, "--csv", "--derive", "x=2*elapsed");
        assertThat(all.outLines()).contains("operation,figure,count,mean,std,min,25%,50%,75%,max");
        assertThat(all.out()).contains("GET /insert/{count},elapsed,4,", "GET /insert/{count},x,4,");

        for (Object[] twice : new Object[][] {{out, out}, {both, two}}) {
            Cli refused = Cli.run("merge", twice[0], twice[1], "-o", out.resolveSibling("three"));
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err())
                    .contains(": expected different sweeps; the trial")
                    .hasLineCount(1);
        }
        Cli wrong = Cli.run("report", out, "--derive", "x=nothing");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).startsWith("--derive x=nothing: expected some of step,trial,");
    }

    @Test
    void aTableThatLostRowsOrCountsOthersIsNoticed() throws Exception {
        assertThat(events("--param", "count=1,2", "--trials", 2).code()).isZero();
        Path file = out.resolve("trials.csv");
        byte[] whole = Files.readAllBytes(file);
        int header = Files.readAllLines(file).get(0).length() + 1;
        for (int length = 0; length < whole.length; length += 37) {
            Files.write(file, Arrays.copyOf(whole, length));
            Cli report = Cli.run("report", out);
            if (length < header) {
                assertThat(report.code()).as("%d bytes", length).isEqualTo(2);
            } else {
                assertThat(report.code()).as("%d bytes", length).isEqualTo(4);
                assertThat(report.out()).contains("INCOMPLETE: trials.csv lacks ");
            }
        }
        String text = new String(whole, StandardCharsets.UTF_8);
        Files.writeString(file, text.replaceFirst("(\n1,1,GET [^,]*,ok,,1,1,,,)1,", "$17,"));
        for (String command : List.of("report", "describe")) {
            Cli wrong = Cli.run(command, out);
            assertThat(wrong.code()).isEqualTo(2);
            assertThat(wrong.err())
                    .contains("trials.csv: step 1, GET /insert/{count}: 8 requests, 0 failed")
                    .hasLineCount(1);
        }
        Files.delete(file);
        assertThat(Cli.run("report", out).err())
                .contains("trials.csv is missing")
                .hasLineCount(1);
    }

    /** What a newer version wrote may mean something else. */
    @Test
    void aNewerSweepIsLeftAsItIs() throws Exception {
        assertThat(events("--param", "count=1,2").code()).isZero();
        Path file = out.resolve("sweep.json");
        String newer = Files.readString(file).replace("\"schemaVersion\" : 1", "\"schemaVersion\" : 2");
        Files.writeString(file, newer);
        byte[] trials = Files.readAllBytes(out.resolve("trials.csv"));

        for (Object[] line : new Object[][] {
            {"sweep", "--resume", out},
            {"describe", out},
            {"report", out},
            {"compare", out, out}
        }) {
            Cli run = Cli.run(line);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .contains("sweep.json: schemaVersion 2: expected 1")
                    .hasLineCount(1);
        }
        assertThat(file).hasContent(newer);
        assertThat(out.resolve("trials.csv")).hasBinaryContent(trials);
    }

    @Test
    void aResumedSweepRunsOnlyTheMissingTrials() throws Exception {
        assertThat(events("--param", "count=1,2,3", "--trials", 2).code()).isZero();
        List<String> records = Files.readAllLines(out.resolve("trials.csv"));
        // As if it had been killed in its fourth trial, whose folder is there.
        Files.writeString(out.resolve("trials.csv"), String.join("\n", records.subList(0, 4)) + "\n3,2,GE");
        int before = store.log().size();

        Cli run = Cli.run("sweep", "--resume", out);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(store.log().subList(before, store.log().size()))
                .filteredOn(line -> line.startsWith("GET"))
                .containsExactly("GET /insert/3", "GET /insert/2", "GET /insert/1");
        assertThat(rows()).hasSize(6);
        assertThat(out.resolve("unfinished")).isDirectoryContaining("glob:**/step-03-trial-2-1");
        assertThat(out.resolve("step-03")).isDirectoryNotContaining("glob:**/*-*-*");
        assertThat(json().get("finished").asBoolean()).isTrue();

        // Nothing is left: nothing is sent.
        int after = store.log().size();
        assertThat(Cli.run("sweep", "--resume", out).code()).isZero();
        assertThat(store.log()).hasSize(after);
    }

    @Test
    void aSecretIsAskedForAgain() throws Exception {
        Object[] secret = {"-H", "Authorization: Bearer hunter2-abc", "--param", "count=1"};
        assertThat(events(secret).code()).isZero();
        try (Stream<Path> files = Files.walk(out)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain("hunter2");
            }
        }
        assertThat(Cli.run("sweep", "--resume", out))
                .isEqualTo(usage("--resume "
                        + out
                        + " needs --header 'Authorization: …': it is a secret,"
                        + " and secrets aren't kept"));
        assertThat(Cli.run("sweep", "--resume", out, "-H", "Authorization: Bearer hunter2-abc")
                        .code())
                .isZero();
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + "\n");
    }

    /** It has no command line; an empty one would be another sweep. */
    @Test
    void aSweepOfTheLibraryIsResumedThere() throws Exception {
        Sweep.of(Plan.builder(store.url()).iterations(1).build()).folder(out).run();
        String before = Files.readString(out.resolve("trials.csv"));

        Cli resume = Cli.run("sweep", "--resume", out);

        assertThat(resume.code()).isEqualTo(2);
        assertThat(resume.err()).endsWith("it was made by the library; resume it there\n");
        assertThat(out.resolve("trials.csv")).hasContent(before);
    }
}
