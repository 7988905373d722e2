package io.phaseload.cli.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Command lines of other tools as their users type them, and the requests that a server gets. */
@Tag("slow")
class ForeignLinesTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ""), "..", "..", "docs/options.md");
    private static final String START =
            "<!-- lines -->\n\n| line of | options | sends there | the server counted |\n|---|---|---|---|\n";
    private static final String END = "\n<!-- end -->";

    /** Each line with what it sends there, which is the same in each run, and then with what the server counted. */
    private static final Map<String, String> SEEN = new LinkedHashMap<>();

    @RegisterExtension
    private final RecordingServer server = RecordingServer.start();

    @TempDir
    private Path folder;

    /** The table of the documentation, of the lines that were run. */
    @AfterAll
    static void isDocumented() throws Exception {
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END, start);
        if (Boolean.getBoolean("golden.update")) {
            // Those that send come first.
            String rows = SEEN.entrySet().stream()
                    .sorted(Comparator.comparing(row -> row.getKey().contains("refused: ")))
                    .map(row -> row.getKey() + row.getValue() + " |\n")
                    .collect(Collectors.joining());
            Files.writeString(PAGE, page.substring(0, start) + rows + page.substring(end));
        } else {
            assertThat(page.substring(start, end)).contains(SEEN.keySet());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    hey    | -n 200 -c 50 URL                                       | 200 | GET / | 200 requests: 50 users in one phase; connections are kept, redirects aren't followed
                    hey    | -n 100 URL                                             | 100 | GET / | 100 requests: 50 users in one phase; connections are kept, redirects aren't followed
                    hey    | -c 4 URL                                               | 200 | GET / | 200 requests: 4 users in one phase; connections are kept, redirects aren't followed
                    hey    | -m POST -d x URL                                       | 200 | POST / | 200 requests: 50 users in one phase; redirects aren't followed
                    hey    | -n 100 -c 10 -m POST -d body -T text/plain URL         | 100 | POST / | 100 requests: 10 users in one phase; redirects aren't followed
                    hey    | -n 60 -c 3 -disable-keepalive -H X:y URL               | 60  | GET / | 60 requests: 3 users in one phase; redirects aren't followed
                    hey    | -z 1s -c 2 -q 10 -disable-redirects URL                | 20  | GET / | 1 s: one phase of 1 s, 2 users, at 20/s of all users together
                    hey    | -n 40 -c 4 -t 20 -D FILE -m PUT URL                    | 40  | PUT / | 40 requests: 4 users in one phase; redirects aren't followed
                    oha    | -n 151 -c 30 --no-tui URL                              | 151 | GET / |
                    oha    | -z 1s -q 25 -c 5 --no-tui URL                          | 25  | GET / |
                    oha    | -n 50 -c 5 -m PUT -d x -A application/json -o json URL | 50  | PUT / |
                    oha    | -n 5 -c 50 -t 5s -L URL                                | 5   | GET / | up to 5 requests: 50 users in one phase
                    wrk2   | -t1 -c3 -d1s -R30 -L URL                               | 30  | GET / | 1 s: one phase of 1 s, 3 users, at 30/s of all users together
                    wrk2   | -t2 -c10 -d1s -R50 --latency -T 2s URL                 | 50  | GET / | 1 s: one phase of 1 s, 10 users, at 50/s of all users together
                    ab     | -n 100 -c 10 -k URL                                    | 100 | GET / | 100 requests: 10 users in one phase
                    ab     | -n 100 -c 10 -k -A me:secret -C a=b URL                | 100 | GET / | 100 requests: 10 users in one phase
                    ab     | -n 20 -A me:secret URL                                 | 20  | GET / | 20 requests: 1 user in one phase
                    ab     | -n 20 -c 2 -p FILE -T text/plain URL                   | 20  | POST / | 20 requests: 2 users in one phase
                    ab     | -n 20 -c 2 -k -m DELETE URL                            | 20  | DELETE / | 20 requests: 2 users in one phase
                    ab     | -n 20 -c 2 -i URL                                      | 20  | HEAD / | 20 requests: 2 users in one phase
                    vegeta | -rate=50/1s -duration=1s URL                           | 50  | GET / | 1 s: one phase of 1 s, 10 users, at 50/s of all users together; redirects aren't followed
                    vegeta | -rate 40 -duration 1s -redirects 0 --requests TARGETS  | 40  | GET /a | 1 s: one phase of 1 s, 10 users, at 40/s of all users together
                    vegeta | -duration 1s -targets TARGETS                          | 50  | GET /a | 1 s: one phase of 1 s, 10 users, at 50/s of all users together; redirects aren't followed
                    k6     | --vus 50 --iterations 200 URL                          | 200 | GET / | 200 requests: 50 users in one phase; redirects aren't followed
                    k6     | --vus 5 --rps 40 --duration 1s URL                     | 40  | GET / | 1 s: one phase of 1 s, 5 users, at 40/s of all users together; redirects aren't followed
                    ours   | URL --threads 8 --iterations 10                        | 150 | GET / | 150 requests: 10 iterations × 15 users in four phases
                    ours   | run --url URL -n 10 -c 8                               | 150 | GET / | 150 requests: 10 iterations × 15 users in four phases
                    ours   | run URL -n 10 -c 8 --phases a=1,b=0.5                  | 120 | GET / |
                    ours   | run --url URL -c 4 -n 3 --get / --get /                | 48  | GET / | 48 requests: 3 iterations of 2 requests × 8 users in four phases
                    ours   | run --url URL --total 77 -c 8                          | 77  | GET / | 77 requests: 8 users in one phase
                    """)
    void sendsAsManyRequests(String tool, String line, int requests, String request, String said) throws Exception {
        Cli run = run(line);

        assertThat(run.code()).as(run.err()).isZero();
        // With a time, what is due at its end, or on a slow machine, may not be sent: then the result says so.
        JsonNode result = JsonMapper.shared()
                .readTree(folder.resolve("out").resolve("result.json").toFile());
        assertThat(result.at("/totals/requests").asInt())
                .isEqualTo(server.received().size());
        long asked = 0;
        for (JsonNode phase : result.at("/phases")) {
            asked += phase.at("/asked").asLong();
        }
        assertThat(asked).isEqualTo(requests);
        boolean timed = line.contains("1s");
        assertThat(server.received())
                .hasSizeBetween(timed ? 1 : requests, requests)
                .allSatisfy(it -> assertThat(it.line()).isEqualTo(request));
        if (said != null) {
            assertThat(run.err().lines().findFirst()).contains(said);
        }
        row(tool, line, requests + (timed ? " in 1 s" : ""), server.received().size() + " × `" + request + "`");
    }

    /** As many as it takes until the time is over, which two phases would double. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    wrk | -t2 -c10 -d1s URL         | 10 users
                    wrk | -c2 -d1s --latency -H X:y URL | 2 users
                    hey | -z 1s -c 3 -n 5 -disable-redirects URL | 3 users
                    oha | -z 1s -c 3 -m GET --redirect 0 URL | 3 users
                    k6  | --vus 2 --duration 1s --max-redirects 0 URL | 2 users
                    """)
    void aTimeIsThatOfTheOnlyPhase(String tool, String line, String users) throws Exception {
        Cli run = run(line);

        assertThat(run.err().lines().findFirst()).contains("1 s: one phase of 1 s, " + users);
        assertThat(run.out())
                .contains("Total number of requests sent: " + server.received().size())
                .containsOnlyOnce("phase complete");
        row(tool, line, "as many as it can in 1 s", "those, in one phase of 1 s");
    }

    /** Without -k, ab opens a connection for each request. */
    @ParameterizedTest
    @CsvSource({"-n 10 -c 2 -i URL, close", "-n 10 -c 2 -k -i URL,", "-n 10 -c 2 URL,"})
    void connectionsAreAbs(String line, String header) throws Exception {
        run(line);

        assertThat(server.received()).hasSize(10).allSatisfy(it -> assertThat(
                        it.headers().getFirst("Connection"))
                .isEqualTo(header));
    }

    /** Names of files of other tools are only that where a line has them as its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "URLapp.js -n 3 -c 1",
                "URLplan.jmx -n 3 -c 1",
                "run URLapp.ts --phases peak=1 -n 3 -c 1",
                "run --url URLplan.jmx --phases peak=1 -n 3 -c 1",
                "run --url URL --get /r.jtl --phases peak=1 -n 3 -c 1",
                "run --url URL --get / --name attack --phases peak=1 -n 3 -c 1"
            })
    void valuesMayBeCalledLikeFilesOfOthers(String line) throws Exception {
        assertThat(run(line).err().lines().filter(said -> !said.startsWith("3 requests: 1 user")))
                .isEmpty();
        assertThat(server.received()).hasSize(3);
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
                    wrk     | -t2 -c10 -d10 URL                             | -d: use --duration 10s, or --body TEXT
                    hey     | -z 1s -q 25 -c 5 URL                          | -q: is of each user in hey, and of all users together in oha: use --rps N for all users together
                    hey     | -n 40 -c 4 -t 20 -m GET URL                   | -t: use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N (wrk's threads)
                    ab      | -n 9 -c 3 -m POST -d x -k URL                 | -k: keeps connections in ab, which is always so here, and is --insecure in curl: use --insecure, or leave it out
                    wrk     | -c 9 -L URL                                   | -L: prints latencies in wrk, which is always so here, and follows redirects in curl: use --follow-redirects, or leave it out
                    vegeta  | -rate 50 URL                                  | -rate: expected -duration T beside it: vegeta's attacks have no end without
                    k6      | --vus 5 --iterations 20 --duration 1s URL     | --iterations cannot be combined with --duration
                    JMeter  | -t plan.jmx -n                                | -t: JMeter's plans aren't run: use --plan FILE, see docs/load.md, or phaseload URL --threads N --duration T
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
        row(tool, line, "refused: " + sentence, "0");
    }

    @Test
    void propertiesKeepTheirMeaning() throws Exception {
        Cli run = Cli.runWith(Map.of("threads", "8", "iterations", "10"), server.url(), "--out", folder.resolve("out"));

        assertThat(run.err().strip()).isEqualTo("150 requests: 10 iterations × 15 users in four phases");
        assertThat(server.received()).hasSize(150);
    }

    private Cli run(String line) throws Exception {
        Path body = Files.writeString(folder.resolve("body"), "x");
        Path targets = Files.writeString(folder.resolve("targets"), "GET " + server.url() + "a\n");
        String typed = line.replace("URL", server.url().toString())
                .replace("FILE", body.toString())
                .replace("TARGETS", targets.toString());
        List<String> words = Stream.of(typed.split(" +")).toList();
        return Cli.run(Stream.concat(words.stream(), Stream.of("--out", folder.resolve("out")))
                .toArray());
    }

    private static void row(String tool, String line, String sends, String counted) {
        SEEN.put("| %s | `%s` | %s | ".formatted(tool, line.strip(), sends), counted);
    }
}
