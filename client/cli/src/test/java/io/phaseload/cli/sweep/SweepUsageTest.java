package io.phaseload.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kohsuke.args4j.Option;

/** What can be asked of a sweep. */
class SweepUsageTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final EventStore store = new EventStore();

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

    @Test
    void helpNamesEveryOptionOfItsOwn() {
        String help = Cli.run("sweep", "--help", "all").out();
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
    void whatWillBeSentIsSaid() {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = sweep("--url", server.url(), "--threads", "1,2", "--trials", 2, "-n", 3);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.outLines().get(0))
                    .isEqualTo("4 trials of 2 steps, the first step: 3 requests: 3 iterations × 1 user in one phase,"
                            + " the last one: 6 requests: 3 iterations × 2 users in one phase");
            assertThat(server.received()).hasSize(18);
        }
    }

    @Test
    void missingDataIsNamedWithItsLine() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"),
                """
                target: http://127.0.0.1:9/
                data: {users: {csv: users.csv}}
                scenarios:
                  - {name: s, steps: [{method: GET, path: "/{users.name}"}]}
                """);
        assertThat(sweep("--plan", plan, "--threads", "1,2"))
                .isEqualTo(usage("--plan %s: line 2: data.users.csv users.csv: expected a file that can be read: %s"
                        .formatted(plan, plan.resolveSibling("users.csv"))));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--only|peak,end|--only peak,end: expected some of warmup,peak",
                "--threads|10,x|--threads 10,x: expected counts such as 10,20,50, or a range such"
                        + " as 10..1000 x2 or 10..100 +10",
                "--threads|10..5 x2|--threads 10..5 x2: expected counts such as 10,20,50, or a"
                        + " range such as 10..1000 x2 or 10..100 +10",
                "--threads|5,5|--threads 5,5: expected each value once",
                "--threads|1..1000000 +1|--threads 1..1000000 +1: expected counts such as"
                        + " 10,20,50, or a range such as 10..1000 x2 or 10..100 +10",
                "--rate|5|--rate 5: expected rates such as 500/s,1.5k/s, or a range such as 50/s..800/s x2"
                        + " or 0.5/s..2/s +0.5/s",
                "--rate|9/s..3/s x2|--rate 9/s..3/s x2: expected rates such as 500/s,1.5k/s, or a range such as"
                        + " 50/s..800/s x2 or 0.5/s..2/s +0.5/s",
                "--duration|1s,2s|--duration 1s,2s: expected one time, or 1, one for each of --threads",
                "--duration|1|--duration 1: expected a time above 0, such as 250ms, 30s, 5m or 1h",
                "--param|x|--param x: expected name=a,b,c with letters, digits and _",
                "--param|size=1,2|--param size=1,2: expected {size} in an option or in the plan",
                "--param|p50_ms=1|--param p50_ms=1: expected another name: trials.csv already has that column",
                "--label|step=1|--label step: expected another name: trials.csv already has that column",
                "--order|up|--order up: expected interleaved, sequential or random",
                "--stop-when|peak: p99 > 1s|--stop-when 'peak: p99 > 1s': expected a condition"
                        + " without a phase, an operation and abort",
                "--take|a=/b|--take a=/b needs --before or --after in front of it",
                "--after|DELETE|--after DELETE: expected 'METHOD PATH [BODY]'",
                "--after|GET nowhere|--after GET nowhere: expected a path that begins with / and"
                        + " is percent-encoded",
                "--get|/{nothing}|--get /{nothing}: expected a path that begins with / and is" + " percent-encoded",
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

    @ParameterizedTest
    @CsvSource({
        "'50/s..200/s x2', '50/s,100/s,200/s'",
        "'50/s..200/s +100/s,1k/s', '50/s,150/s,200/s,1000/s'",
        "'0.5/s..2/s x2', '5/10s,1/s,2/s'",
        "'1.5k/s..4k/s x1.5', '1500/s,2250/s,3375/s,4000/s'",
        "'30/m..31/m +0.5', '30/60s,305/600s,31/60s'"
    })
    void ratesHaveRangesToo(String range, String rates) throws Exception {
        SweepOptions options = new SweepOptions();
        options.rate = range;
        assertThat(new SweepGrid(options).grid().steps(1))
                .extracting(step -> step.values().get("rate"))
                .containsExactly(rates.split(","));
    }

    @Test
    void aLabelCannotHaveAParametersName() {
        Cli run = Cli.run(
                "sweep", "--out", out, "--url", store.url(), "--param", "x=a,b", "--get", "/{x}", "--label", "x=1");
        assertThat(run).isEqualTo(usage("--label x: expected another name: a parameter has that name"));
    }

    @Test
    void stepsHaveTheSameLabels() {
        Cli run = Cli.run("sweep", "--out", out, "--url", store.url(), "--param", "x=a,b", "--label", "{x}=1");
        assertThat(run).isEqualTo(usage("sweep: labels: expected the same in all steps, not [a] and [b]"));
        assertThat(store.log()).isEmpty();
    }
}
