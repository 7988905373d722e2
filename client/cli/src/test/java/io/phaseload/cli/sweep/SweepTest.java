package io.phaseload.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.ResultSchema;
import io.phaseload.sweep.trials.TrialCsv;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kohsuke.args4j.Option;
import tools.jackson.databind.JsonNode;

/** Sweeps against real servers: what is sent, what is kept, and how they go on. */
class SweepTest {

    private static final Object[] CLEAN_UP = {
        "--after",
        "DELETE /data",
        "--take",
        "token=/result/token",
        "--after",
        "POST /clean {\"token\": \"{token}\"}"
    };

    @TempDir private Path folder;
    @RegisterExtension final EventStore store = new EventStore();
    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli sweep(Object... more) {
        List<Object> line = new ArrayList<>(List.of("sweep", "--out", out, "--warmup", "0s"));
        line.addAll(List.of(more));
        return Cli.run(line.toArray());
    }

    private Cli events(Object... more) {
        List<Object> usual = new ArrayList<>(List.of("--url", store.url(), "--threads", 1));
        usual.addAll(List.of("-n", 1, "--get", "/insert/{count}"));
        usual.addAll(List.of("--metric", "elapsed=/timeElapsed:ms"));
        Object[] line = Stream.concat(Stream.of(CLEAN_UP), Stream.of(more)).toArray();
        return sweep(Cli.line(usual, line));
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
    void aTrialIsCleanedUpAfterAndItsMetricIsKept() throws Exception {
        Cli run = events("--param", "count=1,100", "--trials", 2, "--label", "events={count}");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(store.log())
                .hasSize(4 * 3)
                .startsWith(
                        "GET /insert/1",
                        "DELETE /data",
                        "POST /clean {\"token\": \"t1\"}",
                        "GET /insert/100",
                        "DELETE /data",
                        "POST /clean {\"token\": \"t2\"}",
                        "GET /insert/100");
        assertThat(rows())
                .extracting(
                        row -> row.text("step"),
                        row -> row.text("trial"),
                        row -> row.text("events"),
                        row -> row.text("operation"),
                        row -> row.number("elapsed").orElse(-1))
                .containsExactly(
                        tuple("1", "1", "1", "GET /insert/{count}", 1.0),
                        tuple("2", "1", "100", "GET /insert/{count}", 100.0),
                        tuple("2", "2", "100", "GET /insert/{count}", 100.0),
                        tuple("1", "2", "1", "GET /insert/{count}", 1.0));
        assertThat(json().at("/steps/1/operations/0/figures/elapsed/median").asDouble())
                .isEqualTo(100);
        assertThat(out.resolve("step-02/trial-2/result.json")).isRegularFile();
        ResultSchema.assertValid(Files.readString(out.resolve("step-02/trial-2/result.json")));

        Cli described = Cli.run("describe", out, "--by", "events", "--figures", "elapsed", "--csv");
        assertThat(described.outLines())
                .containsExactly(
                        "events,operation,figure,count,mean,std,min,25%,50%,75%,max",
                        "1,GET /insert/{count},elapsed,2,1.000000,0.000000,1.000000,1.000000,"
                                + "1.000000,1.000000,1.000000",
                        "100,GET /insert/{count},elapsed,2,100.000000,0.000000,100.000000,"
                                + "100.000000,100.000000,100.000000,100.000000");
    }

    @Test
    void aRequestBeforeATrialIsOneOfIt() throws Exception {
        assertThat(events("--param", "count=5", "--before", "GET /insert/2").code()).isEqualTo(3);
        // What was there already made the measured one fail: data, not the end.
        assertThat(store.log()).startsWith("GET /insert/2", "GET /insert/5", "DELETE /data");
        assertThat(rows().get(0).text("failed_percent")).isEqualTo("100.000000");
        assertThat(rows().get(0).isOk()).isTrue();
    }

    @Test
    void aStepThatFailsIsARowAndTheSweepGoesOn() throws Exception {
        Cli run =
                events(
                        "--param",
                        "count=1,13,2",
                        "--before",
                        "GET /insert/{count}",
                        "--after",
                        "DELETE /data",
                        "--take",
                        "x=/nothing");

        assertThat(run.code()).isEqualTo(3);
        assertThat(rows())
                .extracting(row -> row.text("status"), row -> row.text("reason"))
                .containsExactly(
                        tuple(
                                "failed",
                                "after DELETE /data: no value in its answer, take x=/nothing"),
                        tuple(
                                "failed",
                                "before GET /insert/{count}: http 409, {\"timeElapsed\": 13, \"bufferSize\": 64}"),
                        tuple(
                                "failed",
                                "after DELETE /data: no value in its answer, take x=/nothing"));
        assertThat(run.outLines())
                .anyMatch(
                        line ->
                                line.startsWith(
                                        "Failed: threads=1, count=13: before GET /insert/{count}: http"
                                                + " 409"));
    }

    @Test
    void whereNobodyListensEachStepSaysSo() throws Exception {
        store.close();
        Cli run = events("--param", "count=1,2");
        assertThat(run.code()).isEqualTo(3);
        assertThat(rows())
                .hasSize(2)
                .allSatisfy(
                        row ->
                                assertThat(row.text("reason"))
                                        .isEqualTo("nothing completed: {connect refused=1}"));
        assertThat(json().get("finished").asBoolean()).isTrue();
    }

    @Test
    void eachStepHasItsOwnUsersLengthAndLabels() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run =
                    sweep(
                            "--url",
                            server.url() + "base/{size}",
                            "--threads",
                            "1,3",
                            "--duration",
                            "100ms,200ms",
                            "--get",
                            "/x",
                            "--post",
                            "/y",
                            "--body",
                            "{\"size\": \"{size}\", \"n\": {threads}}",
                            "-H",
                            "X-Size: {size}",
                            "--param",
                            "size=a,b",
                            "--rate",
                            "50/s");
            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(server.received())
                    .extracting(request -> request.line())
                    .containsOnly(
                            "GET /base/a/x", "POST /base/a/y", "GET /base/b/x", "POST /base/b/y");
            assertThat(server.received())
                    .filteredOn(request -> request.target().equals("/base/b/y"))
                    .extracting(request -> request.text())
                    .containsOnly("{\"size\": \"b\", \"n\": 1}", "{\"size\": \"b\", \"n\": 3}");
            assertThat(server.received().get(0).headers().getFirst("X-Size")).isEqualTo("a");
        }
        assertThat(rows())
                .extracting(row -> row.text("threads"), row -> row.text("duration"))
                .hasSize(8)
                .containsOnly(tuple("1", "100ms"), tuple("3", "200ms"));
        JsonNode plan =
                Cli.json(Files.readString(out.resolve("step-02/trial-1/result.json"))).get("plan");
        assertThat(plan.get("threads").asInt()).isEqualTo(3);
        assertThat(plan.at("/phases/0/durationMs").asDouble()).isEqualTo(200);
    }

    @Test
    void theWarmUpNeverCounts() throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run =
                    Cli.run(
                            "sweep",
                            "--out",
                            out,
                            "--url",
                            server.url(),
                            "--get",
                            "/",
                            "-c",
                            "2",
                            "-n",
                            5,
                            "--phases",
                            "warmup=1 for 7 iterations,peak=1,cooldown=0.5");
            assertThat(run.code()).isZero();
            assertThat(server.received()).hasSize(14 + 10 + 5);
        }
        assertThat(rows().get(0).text("total_ops")).isEqualTo("10");
    }

    @Test
    void theTargetCountsEachTrialsRequests() throws Exception {
        Cli run = sweep("-c", "1,2", "-n", 10, "--trials", 2);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(rows()).hasSize(8).noneMatch(row -> row.text("verdict").equals("INVALID"));
        assertThat(run.outLines()).anyMatch(line -> line.startsWith("# clients  total_ops"));
    }

    @Test
    void severalSweepsAreReadAsOne() throws Exception {
        Path two = out.resolveSibling("two");
        Path both = out.resolveSibling("both");
        assertThat(events("--param", "count=1,2", "--label", "nodes=3").code()).isZero();
        Files.move(out, two);
        assertThat(events("--param", "count=1,2", "--label", "nodes=5").code()).isZero();

        Cli report =
                Cli.run("report", out, two, "--derive", "per_second=count / elapsed", "--json");
        assertThat(report.err()).isEmpty();
        assertThat(report.json().path("steps")).hasSize(4);
        assertThat(report.json().at("/steps/0/values/nodes").asString()).isEqualTo("5");
        assertThat(report.json().at("/steps/0/operations/0/figures").propertyNames())
                .contains("elapsed", "per_second");

        Cli merge = Cli.run("merge", out, two, "-o", both);
        assertThat(merge.code()).isZero();
        assertThat(merge.out()).contains("nodes", "Results: " + both);
        assertThat(both).isDirectoryContaining("glob:**/{report.html}");
        assertThat(Cli.run("report", both, "--derive=per_second=count / elapsed", "--json").json())
                .isEqualTo(report.json());
        Cli resume = Cli.run("sweep", "--resume", both);
        assertThat(resume.code()).isEqualTo(2);
        assertThat(resume.err()).contains("it was merged from others");

        Cli describe = Cli.run("describe", out, two, "--by", "nodes", "--figures=elapsed", "--csv");
        assertThat(describe.outLines()).hasSize(3);
        assertThat(describe.outLines().get(1)).startsWith("5,GET /insert/{count},elapsed,2,");
        Cli all = Cli.run("describe", both, "--csv", "--derive", "x=2*elapsed");
        assertThat(all.outLines()).contains("operation,figure,count,mean,std,min,25%,50%,75%,max");
        assertThat(all.out())
                .contains("GET /insert/{count},elapsed,4,", "GET /insert/{count},x,4,");

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
        assertThat(Cli.run("report", out).err()).contains("trials.csv is missing").hasLineCount(1);
    }

    /** What a newer version wrote may mean something else. */
    @Test
    void aNewerSweepIsLeftAsItIs() throws Exception {
        assertThat(events("--param", "count=1,2").code()).isZero();
        Path file = out.resolve("sweep.json");
        String newer =
                Files.readString(file).replace("\"schemaVersion\" : 1", "\"schemaVersion\" : 2");
        Files.writeString(file, newer);
        byte[] trials = Files.readAllBytes(out.resolve("trials.csv"));

        for (Object[] line :
                new Object[][] {
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
    void standardOutputIsTheSweepsJson() throws Exception {
        Cli run = events("--param", "count=1,2", "--json");
        assertThat(run.code()).isZero();
        assertThat(run.json()).isEqualTo(json());
        assertThat(run.err()).contains("Results: " + out);
    }

    @Test
    void aThresholdIsOfEachTrial() throws Exception {
        Cli run =
                events(
                        "--param",
                        "count=1,13",
                        "--threshold",
                        "peak/GET /insert/{count}: failures < 1%");
        assertThat(run.code()).isEqualTo(99);
        assertThat(rows())
                .extracting(row -> row.text("thresholds"))
                .containsExactly("passed", "failed");
    }

    @Test
    void aPlansFileGivesTheRequests() throws Exception {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                "target: "
                        + store.url()
                        + "\noperations:\n- GET /insert/0\nphases: other=1 for 1h\n");
        Cli run = sweep("--plan", plan, "-c", "1,2", "-n", 2);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(store.log()).hasSize(2 + 4).containsOnly("GET /insert/0");
    }

    @Test
    void helpNamesEveryOptionOfItsOwn() {
        String help = Cli.run("sweep", "--help").out();
        assertThat(SweepOptions.class.getDeclaredFields())
                .extracting(field -> field.getAnnotation(Option.class))
                .filteredOn(option -> option != null && !option.hidden())
                .allSatisfy(option -> assertThat(help).contains(option.name()));
        assertThat(help.lines()).allMatch(line -> line.length() <= 100);
        assertThat(Cli.run("sweep", "--version").out()).startsWith("phaseload ");
    }

    /** Nothing is left where the target's figures can't be had. */
    @Test
    void whatIsWrongWithTheTargetLeavesNoFolder() {
        Cli run = sweep("--server-metrics", "/nothing", "-n", 1);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("--server-metrics ");
        assertThat(out).doesNotExist();
    }

    @Test
    void stopsWhereItIsTold() throws Exception {
        Cli run =
                events(
                        "--param",
                        "count=13",
                        "--threads",
                        "1,2,3",
                        "--stop-when",
                        "failures > 50%",
                        "--trials",
                        2);
        assertThat(run.code()).isEqualTo(3);
        assertThat(rows()).extracting(row -> row.text("step")).containsExactly("1", "1");
        assertThat(json().get("skipped")).hasSize(2);
        assertThat(run.outLines())
                .contains("Not run: threads=3, count=13: failures > 50% at threads=1, count=13");
    }

    @Test
    void aSweepGoesOnWithWhatIsMissing() throws Exception {
        assertThat(events("--param", "count=1,2,3", "--trials", 2).code()).isZero();
        List<String> records = Files.readAllLines(out.resolve("trials.csv"));
        // As if it had been killed in its fourth trial, whose folder is there.
        Files.writeString(
                out.resolve("trials.csv"), String.join("\n", records.subList(0, 4)) + "\n3,2,GE");
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
                .isEqualTo(
                        usage(
                                "--resume "
                                        + out
                                        + " needs --header 'Authorization: …': it is a secret,"
                                        + " which isn't kept"));
        assertThat(
                        Cli.run("sweep", "--resume", out, "-H", "Authorization: Bearer hunter2-abc")
                                .code())
                .isZero();
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--threads|10,x|--threads 10,x: expected counts such as 10,20,50, or a range such"
                        + " as 10..1000 x2 or 10..100 +10",
                "--threads|10..5 x2|--threads 10..5 x2: expected counts such as 10,20,50, or a"
                        + " range such as 10..1000 x2 or 10..100 +10",
                "--threads|5,5|--threads 5,5: expected each value once",
                "--threads|1..1000000 +1|--threads 1..1000000 +1: expected counts such as"
                        + " 10,20,50, or a range such as 10..1000 x2 or 10..100 +10",
                "--rate|5|--rate 5: expected a rate such as 500/s, 1.5k/s or 30/m",
                "--duration|1s,2s|--duration 1s,2s: expected one time, or 1, one for each of --threads",
                "--duration|1|--duration 1: expected a time above 0, such as 250ms, 30s, 5m or 1h",
                "--param|x|--param x: expected name=a,b,c with letters, digits and _",
                "--param|p50_ms=1|--param p50_ms=1: expected another name: trials.csv has that"
                        + " column",
                "--label|step=1|--label step: expected another name: trials.csv has that column"
                        + " already",
                "--order|up|--order up: expected interleaved, sequential or random",
                "--stop-when|peak: p99 > 1s|--stop-when 'peak: p99 > 1s': expected a condition"
                        + " without a phase, an operation and abort",
                "--take|a=/b|--take a=/b needs --before or --after in front of it",
                "--after|DELETE|--after DELETE: expected 'METHOD PATH [BODY]'",
                "--after|GET nowhere|--after GET nowhere: expected a path that begins with / and"
                        + " is percent-encoded",
                "--get|/{nothing}|--get /{nothing}: expected a path that begins with / and is"
                        + " percent-encoded",
                "--thread|1|--thread: no such option, did you mean --threads?",
                "--trials|0|--trials 0: expected a whole number of 1 or more, such as 100 or 10k",
                "--resume|nowhere|--out cannot be combined with --resume"
            })
    void whatIsWrongIsOneLine(String option, String value, String line) {
        Cli run = Cli.run("sweep", "--out", out, "--url", store.url(), option, value);
        assertThat(run).isEqualTo(usage(line));
        assertThat(out).doesNotExist();
        assertThat(store.log()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'10..80 x2', '10,20,40,80'",
        "'10..50 x2', '10,20,40,50'",
        "'10..40 +15,100', '10,25,40,100'",
        "'7..7 x2', '7'"
    })
    void aRangeHasItsEnd(String range, String threads) throws Exception {
        SweepOptions options = new SweepOptions();
        options.threads = range;
        assertThat(new SweepGrid(options).grid().steps(1))
                .extracting(step -> step.values().get("threads"))
                .containsExactly(threads.split(","));
    }
}
