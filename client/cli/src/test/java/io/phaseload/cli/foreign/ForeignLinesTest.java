package io.phaseload.cli.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines of other tools as their users type them, and the requests that a server gets. */
class ForeignLinesTest {

    private static final StringBuilder SEEN = new StringBuilder();

    @RegisterExtension
    private final RecordingServer server = RecordingServer.start();

    @TempDir
    private Path folder;

    /** With {@code -Dforeign.table=true}, for the documentation. */
    @AfterAll
    static void print() {
        if (Boolean.getBoolean("foreign.table")) {
            System.out.println(SEEN);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    hey    | -n 200 -c 50 URL                                         | 200 | GET / | 200 requests: 50 users in one phase
                    hey    | -n 100 -c 10 -m POST -d body -T text/plain URL           | 100 | POST / | 100 requests: 10 users in one phase
                    hey    | -n 60 -c 3 -disable-keepalive -H X:y URL                 | 60  | GET / | 60 requests: 3 users in one phase
                    hey    | -z 1s -c 2 -q 10 -disable-compression URL                | 20  | GET / | 1 s: one phase of 1 s, 2 users, at 20/s of all users together
                    hey    | -n 40 -c 4 -t 20 -m GET URL                              | 40  | GET / | 40 requests: 4 users in one phase
                    hey    | -c 4 URL                                                 | 200 | GET / | 200 requests: 4 users in one phase
                    oha    | -n 151 -c 30 --no-tui URL                                | 151 | GET / |
                    oha    | -z 1s -q 25 -c 5 URL                                     | 25  | GET / | 1 s: one phase of 1 s, 5 users, at 25/s of all users together
                    oha    | -n 50 -c 5 -m PUT -d x -A application/json -o json URL   | 50  | PUT / |
                    oha    | -n 5 -c 50 -t 5s URL                                     | 5   | GET / | 5 requests: 50 users in one phase
                    wrk2   | -t2 -c10 -d1s -R50 --latency URL                         | 50  | GET / | 1 s: one phase of 1 s, 10 users, at 50/s of all users together
                    ab     | -n 100 -c 10 -k -A me:secret -C a=b URL                  | 100 | GET / | 100 requests: 10 users in one phase
                    ab     | -n 20 -c 2 -p FILE -T text/plain URL                     | 20  | POST / | 20 requests: 2 users in one phase
                    ab     | -n 20 -c 2 -i URL                                        | 20  | HEAD / | 20 requests: 2 users in one phase
                    vegeta | -rate=50/1s -duration=1s URL                             | 50  | GET / | 1 s: one phase of 1 s, 10 users, at 50/s of all users together
                    k6     | --vus 5 --rps 40 --duration 1s URL                       | 40  | GET / | 1 s: one phase of 1 s, 5 users, at 40/s of all users together
                    ours   | URL --threads 8 --iterations 10                          | 150 | GET / | 150 requests: 10 iterations × 15 users in four phases
                    ours   | run --url URL -n 10 -c 8                                 | 150 | GET / | 150 requests: 10 iterations × 15 users in four phases
                    ours   | run URL -n 10 -c 8 --phases a=1,b=0.5                    | 120 | GET / |
                    ours   | run --url URL -c 4 -n 3 --get / --get /              | 48  | GET / | 48 requests: 3 iterations of 2 requests × 8 users in four phases
                    ours   | run --url URL --total 77 -c 8                            | 77  | GET / | 77 requests: 8 users in one phase
                    """)
    void sendsAsManyRequests(String tool, String line, int requests, String request, String said) throws Exception {
        Cli run = run(line);

        assertThat(run.code()).as(run.err()).isZero();
        // What is due at the end of a time may be left out.
        boolean timed = run.err().contains(" s: ");
        assertThat(server.received())
                .hasSizeBetween(timed ? 1 : requests, requests)
                .allSatisfy(it -> assertThat(it.line()).isEqualTo(request));
        if (said != null) {
            assertThat(run.err().strip()).isEqualTo(said);
        }
        row(tool, line, server.received().size() + " × " + request);
    }

    @Test
    void aTimeIsThatOfTheOnlyPhase() throws Exception {
        String line = "-t2 -c10 -d1s URL";
        Cli run = run(line);

        assertThat(run.err().strip()).isEqualTo("1 s: one phase of 1 s, 10 users");
        assertThat(run.out())
                .contains("Total number of requests sent: " + server.received().size())
                .containsOnlyOnce("phase complete");
        row("wrk", line, server.received().size() + " × GET / in one phase of 1 s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    hey     | -n 40 -c 4 -o csv URL                         | -o: intervals.csv is always written, into the folder of --out DIR
                    hey     | -n 100 -c 50 -t 20 URL                        | -t: use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N (wrk's threads)
                    ab      | -t 10 -c 5 URL                                | -t: use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N (wrk's threads)
                    wrk     | -t2 -c10 -d1s -s post.lua URL                 | -s: use options or --plan FILE (scripts of wrk, simulations of Gatling), or --phases LIST (k6's stages)
                    wrk     | -t2 -c10 -d10 URL                             | -t: use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N (wrk's threads)
                    vegeta  | attack -rate=50 -duration=1s -targets=t.txt   | attack: use phaseload URL -rate N -duration T, or --requests FILE for vegeta's targets
                    k6      | run script.js --vus 10 --duration 30s         | script.js: k6's scripts aren't run: use --plan FILE, see docs/load.md, or phaseload URL --vus N --duration T
                    k6      | --vus 10 --duration 30s -e A=B URL            | -e: use variables of a plan's file; its ${env:NAME} reads the environment, see docs/load.md
                    k6      | --vus 10 -o json=out.json URL                 | -o: use --json, or --out DIR for the folder of result.json
                    JMeter  | -n -t plan.jmx -l results.jtl                 | plan.jmx: JMeter's plans aren't run: use --plan FILE, see docs/load.md, or phaseload URL --threads N --duration T
                    JMeter  | run -Jthreads=5                               | -Jthreads=5: JMeter's plans aren't run: use --plan FILE, see docs/load.md, or phaseload URL --threads N --duration T
                    Gatling | -s BasicSimulation -rf folder                 | -rf: Gatling's simulations aren't run: use --plan FILE, see docs/load.md, or phaseload URL --threads N --duration T
                    Gatling | gatling:test                                  | gatling:test: Gatling's simulations aren't run: use --plan FILE, see docs/load.md, or phaseload URL --threads N --duration T
                    ours    | run --url URL --total 5 --get / --get /a      | total 5: expected a multiple of 2, the requests of an iteration
                    ours    | run --url URL --total 5 -n 5                  | -n 5 cannot be combined with --total
                    """)
    void refusesOthersWithASentence(String tool, String line, String sentence) throws Exception {
        Cli run = run(line);

        assertThat(run.err().strip()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(server.received()).isEmpty();
        row(tool, line, sentence);
    }

    @Test
    void propertiesKeepTheirMeaning() throws Exception {
        Cli run = Cli.runWith(Map.of("threads", "8", "iterations", "10"), server.url(), "--out", folder.resolve("out"));

        assertThat(run.err().strip()).isEqualTo("150 requests: 10 iterations × 15 users in four phases");
        assertThat(server.received()).hasSize(150);
    }

    private Cli run(String line) throws Exception {
        Path body = Files.writeString(folder.resolve("body"), "x");
        String typed = line.replace("URL", server.url().toString()).replace("FILE", body.toString());
        List<String> words = Stream.of(typed.split(" +")).toList();
        return Cli.run(Stream.concat(words.stream(), Stream.of("--out", folder.resolve("out")))
                .toArray());
    }

    private static void row(String tool, String line, String seen) {
        SEEN.append("| %s | `%s` | %s |%n".formatted(tool, line.strip(), seen));
    }
}
