package io.phaseload.cli;

import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code run} as they were given; {@link RunPlan} makes a plan of them. */
final class RunOptions {

    static final String HELP =
            """
            Runs warmup, loading, peak and cooldown against a target and reports what it measured.

            Usage: phaseload [run] [options]

            Target (default: --target tomcat)
              --url URL              http:// or https:// address to send requests to
              --target tomcat|lambda start that target in this JVM, on a free port
              --lambda-instances N   one event each at a time, 429 beyond them; of --target lambda
              --lambda-cold-start T  simulated, of each new instance; of --target lambda
              --plan FILE            what to run, as YAML or JSON, or the result.json of a run to repeat,
                                     - for standard input; options beside it take the place of what it
                                     says
              --connect-timeout T    for name, connect and TLS together (5s)
              --timeout T            for a whole response (5s)
              -k, --insecure         accept any certificate and host name
              --cacert FILE          certificates in PEM that are trusted, in place of the JVM's
              --cert FILE            the client's own certificate in PEM, with its chain
              --key FILE             its key, not encrypted (in the file of --cert)
              --aws-sigv4 SPEC       sign requests for AWS, as curl does: aws:amz[:region[:service]];
                                     a function URL tells both itself
            Server's own figures, beside the client's
              --server-metrics URL   asked once a second: /metrics.json of Phaseload's own target, or a page
                                     in Prometheus's format; from / on, it is appended to the target's URL
              --server-metric NAME=METRIC
                                     of such a page: name, name{label="value"} or rate(name), matching
                                     series added up; may be repeated
            Load
              -c, --threads N        users at the peak (10)
              -n, --iterations N     iterations of each user in each phase (100)
              --duration T           how long each phase lasts, in place of --iterations
              --phases LIST          name=share [for T|N iterations] [at R|R..R], … separated by commas
                                     (warmup=0.1,loading=0.5,peak=1,cooldown=0.25)
              --virtual              virtual threads; Java 21 or newer
              --engine KIND          threads, one a user, or events, which are loops (threads)
              --loops N              of --engine events (one a core)
              --transport KIND       of --engine events: epoll or nio (the first there is)
              --pipeline N           of --engine events: users who share a connection, each without
                                     waiting for the others' responses (1)
              --connect-rate R       connections opened in a time at most, such as 100/s (no limit)
              --keep-going           go on if no connection could be made in the first 5 s
              --http2                of --engine events: HTTP/2, over https:// by ALPN, over http:// at once
              --streams N            of --http2: users who share a connection, each with a stream (1)
              --windows S,C          of --http2: how much a server may send ahead of what was read, of a
                                     stream and of a connection (6MiB,15MiB)
              --seed N               of all random numbers (1)
            Closed model (default): a user sends its next request when the last one has ended
              --think T|T..T         from an iteration's end to the next one's start
              --pacing T|T..T        from an iteration's start to the next one's, unless it takes longer
              --ramp T               users begin one after another, over this time of each phase
            Open model: requests are sent when they are due, by whoever is free; operations take turns
              --rate R               requests a second of all users together; a phase has its share
              --arrivals KIND        constant or poisson (constant)
              --overload KIND        when nobody is free: queue, so that it is late, or drop (queue)
            Requests, in order (default: GET / of a --url; GET /, then POST / of a --target)
              --get PATH, --post PATH, --put PATH, --patch PATH, --delete PATH, --head PATH,
              --options PATH         appended to the URL's path; / is the URL itself
              --body TEXT|@FILE      of the --post, --put, --patch, --delete or --options before it; if it
                                     comes first, of all --post, --put and --patch, or alone, of a POST /;
                                     @- is standard input; JSON is sent as application/json
              --expect CHECKS        'status=200 body~"alive"', of the request before it, or of all;
                                     status=2xx, status=200,201
              --metric NAME=POINTER[:UNIT]
                                     a number in the answer's JSON that is measured, too, such as
                                     elapsed=/timeElapsed:ms; of the request before it, or of all
              -H, --header 'N: V'    sent with every request; may be repeated
            Thresholds: without a phase, a threshold is about all phases but warmup and cooldown; exit code 99 if one
            fails
              --threshold TEXT       [phase:|phase/operation:|*/operation:] figure <|<=|>|>= value [abort]
                                     'peak: p99 < 250ms', 'peak/GET /: failures < 1%', 'rps > 500',
                                     'p95 < 1s abort' (ends the run when it fails over 10 s); figures:
                                     mean, min, max, p50, p75, p90, p95, p99, p99.9, p99.99, of slip, too
                                     (slip p99); failures, rps, requests; may be repeated
            Results
              -o, --out DIR          the folder to write, new or empty (results/<time>-<name>)
              --name NAME            part of the folder's name (run)
              --label KEY=VALUE      kept in the result; may be repeated
              --json                 the result as JSON on standard output, all else on standard error
              --junit FILE           verdict and thresholds as JUnit's XML, for a CI system
              --quiet                neither progress nor a live line
              -h                     the options that most runs need
              --help                 all of them
              -V, --version

            T is a time such as 250ms, 30s or 5m; N a count such as 100, 10k or 1.5m; R a rate such as
            500/s. Every option can be given as a system property, too: -Dthreads=100 for --threads 100.
            Exit codes: 0 passed, 1 internal error, 2 usage, 3 nothing succeeded, 4 measurement
            invalid, 99 a threshold failed, 130 interrupted.
            """;

    private static final Set<String> COMMON =
            Set.of(
                    "--url",
                    "--target",
                    "--plan",
                    "--timeout",
                    "--threads",
                    "--iterations",
                    "--duration",
                    "--phases",
                    "--engine",
                    "--rate",
                    "--get",
                    "--body",
                    "--header",
                    "--threshold",
                    "--out",
                    "--quiet",
                    "--help");

    /** What most runs need of the help. */
    static String briefHelp() {
        return Help.brief(HELP, COMMON, "phaseload run --help lists all options.");
    }

    @Option(name = "--url", usage = "http://host[:port]/path or https://…")
    String url;

    @Option(name = "--target", usage = "tomcat or lambda")
    String target;

    @Option(name = "--plan", usage = "a plan as YAML or JSON, or a result.json")
    String plan;

    @Option(name = "--lambda-instances", handler = CountHandler.class)
    Integer lambdaInstances;

    @Option(name = "--lambda-cold-start", handler = DurationHandler.class)
    Duration lambdaColdStart;

    @Option(name = "--connect-timeout", handler = DurationHandler.class)
    Duration connectTimeout = Target.DEFAULT_TIMEOUT;

    @Option(name = "--timeout", handler = DurationHandler.class)
    Duration timeout = Target.DEFAULT_TIMEOUT;

    @Option(name = "--server-metrics", usage = "an address, or a path from / on")
    String serverMetricsAddress;

    @Option(name = "--insecure", aliases = "-k")
    boolean insecure;

    @Option(name = "--cacert", usage = "a file in PEM")
    String cacert;

    @Option(name = "--cert", usage = "a file in PEM")
    String cert;

    @Option(name = "--key", usage = "a file in PEM")
    String key;

    @Option(name = "--aws-sigv4", usage = "aws:amz[:region[:service]]")
    String awsSigv4;

    @Option(name = "--threads", aliases = "-c", handler = CountHandler.class)
    long threads = 10;

    @Option(name = "--iterations", aliases = "-n", handler = CountHandler.class)
    Long iterations;

    @Option(name = "--duration", handler = DurationHandler.class)
    Duration duration;

    @Option(name = "--phases", usage = "name=share,name=share,…")
    String phases = "warmup=0.1,loading=0.5,peak=1,cooldown=0.25";

    @Option(name = "--virtual")
    boolean virtual;

    @Option(name = "--engine", usage = "threads or events")
    String engine = "threads";

    @Option(name = "--loops", handler = CountHandler.class)
    Long loops;

    @Option(name = "--transport", usage = "epoll or nio")
    String transport;

    @Option(name = "--pipeline", handler = CountHandler.class)
    Long pipeline;

    @Option(name = "--connect-rate", usage = "a rate such as 100/s")
    String connectRate;

    @Option(name = "--keep-going")
    boolean keepGoing;

    @Option(name = "--http2")
    boolean http2;

    @Option(name = "--streams", handler = CountHandler.class)
    Long streams;

    @Option(name = "--windows", usage = "sizes such as 6MiB,15MiB")
    String windows;

    @Option(name = "--seed", handler = CountHandler.OrZero.class)
    long seed = 1;

    @Option(name = "--think", usage = "a time such as 100ms, or 100ms..300ms")
    String think;

    @Option(name = "--pacing", usage = "a time such as 1s, or 1s..2s")
    String pacing;

    @Option(name = "--ramp", handler = DurationHandler.class)
    Duration ramp;

    @Option(name = "--rate", usage = "a rate such as 500/s")
    String rate;

    @Option(name = "--arrivals", usage = "constant or poisson")
    String arrivals;

    @Option(name = "--overload", usage = "queue or drop")
    String overload;

    @Option(name = "--out", aliases = "-o", usage = "a folder that is new or empty")
    String out;

    @Option(name = "--name", usage = "letters, digits, '.', '-' and '_'")
    String name = "run";

    @Option(name = "--json")
    boolean json;

    @Option(name = "--junit", usage = "a file's name")
    String junit;

    @Option(name = "--quiet")
    boolean quiet;

    @Option(name = "--help", help = true)
    boolean help;

    @Option(name = "--brief-help", aliases = "-h", help = true, hidden = true)
    boolean briefHelp;

    @Option(name = "--version", aliases = "-V", help = true)
    boolean version;

    final List<String> headers = new ArrayList<>();
    final List<String> labels = new ArrayList<>();
    final List<String> serverMetrics = new ArrayList<>();
    final List<String> thresholds = new ArrayList<>();
    final List<RequestOption> requests = new ArrayList<>();

    /** Of a plan's file; {@code null} if it says nothing of them. */
    List<PhaseList.Item> phaseItems;

    /** Of a plan's file; {@code null} if it says nothing of them. */
    List<Operation> operations;

    String commonBody;
    String commonChecks;
    final List<String> commonMetrics = new ArrayList<>();

    @Option(name = "--get", usage = "a path that begins with /")
    private void addGet(String path) {
        requests.add(new RequestOption("--get", path));
    }

    @Option(name = "--post", usage = "a path that begins with /")
    private void addPost(String path) {
        requests.add(new RequestOption("--post", path));
    }

    @Option(name = "--put", usage = "a path that begins with /")
    private void addPut(String path) {
        requests.add(new RequestOption("--put", path));
    }

    @Option(name = "--patch", usage = "a path that begins with /")
    private void addPatch(String path) {
        requests.add(new RequestOption("--patch", path));
    }

    @Option(name = "--delete", usage = "a path that begins with /")
    private void addDelete(String path) {
        requests.add(new RequestOption("--delete", path));
    }

    @Option(name = "--head", usage = "a path that begins with /")
    private void addHead(String path) {
        requests.add(new RequestOption("--head", path));
    }

    @Option(name = "--options", usage = "a path that begins with /")
    private void addOptions(String path) {
        requests.add(new RequestOption("--options", path));
    }

    @Option(name = "--body", usage = "text, @FILE, or @- for standard input")
    private void setBody(String body) {
        int last = requests.size() - 1;
        if (last >= 0 && requests.get(last).takesContent()) {
            checkOnce("--body", requests.get(last).body());
            requests.set(last, requests.get(last).withBody(body));
        } else {
            checkOnce("--body", commonBody);
            commonBody = body;
        }
    }

    @Option(name = "--expect", usage = "checks such as status=200 or body~'alive'")
    private void setChecks(String checks) {
        int last = requests.size() - 1;
        if (last >= 0) {
            checkOnce("--expect", requests.get(last).checks());
            requests.set(last, requests.get(last).withChecks(checks));
        } else {
            checkOnce("--expect", commonChecks);
            commonChecks = checks;
        }
    }

    private static void checkOnce(String option, String before) {
        if (before != null) {
            throw new IllegalArgumentException(
                    option + ": given twice: expected it once for a request");
        }
    }

    @Option(name = "--metric", usage = "name=/pointer:unit, such as elapsed=/timeElapsed:ms")
    private void addMetric(String metric) {
        int last = requests.size() - 1;
        (last >= 0 ? requests.get(last).metrics() : commonMetrics).add(metric);
    }

    @Option(name = "--header", aliases = "-H", usage = "'Name: value'")
    private void addHeader(String header) {
        headers.add(header);
    }

    @Option(name = "--server-metric", usage = "name=metric")
    private void addServerMetric(String metric) {
        serverMetrics.add(metric);
    }

    @Option(name = "--label", usage = "key=value")
    private void addLabel(String label) {
        labels.add(label);
    }

    @Option(name = "--threshold", usage = "such as 'peak: p99 < 250ms'")
    private void addThreshold(String threshold) {
        thresholds.add(threshold);
    }
}
