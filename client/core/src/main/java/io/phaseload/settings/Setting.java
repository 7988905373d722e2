package io.phaseload.settings;

import io.phaseload.input.Args;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * All that can be said of a run, each with its option, its key in a plan's file, its limits, its
 * default and its help. What takes a plan apart, what makes one and what checks one refer to these
 * alone; {@code plan.schema.json} says the same of keys, which a test holds it to.
 */
public enum Setting {
    /** Where requests go. */
    URL(
            SettingGroup.TARGET,
            "--url URL",
            "/target/url",
            Kind.text("http://host[:port]/path or https://…"),
            "http:// or https:// address to send requests to"),
    /** What is started to send requests to. */
    TARGET(
            SettingGroup.TARGET,
            "--target tomcat|lambda",
            "/target/kind",
            Kind.word("tomcat", "lambda"),
            "start that target in this JVM, on a free port"),
    /** How many instances a Lambda target has. */
    LAMBDA_INSTANCES(
            SettingGroup.TARGET,
            "--lambda-instances N",
            "/target/lambdaInstances",
            Kind.count(1, 10_000),
            "one event each at a time, 429 beyond them; of --target lambda"),
    /** How long an instance of a Lambda target takes to start. */
    LAMBDA_COLD_START(
            SettingGroup.TARGET,
            "--lambda-cold-start T",
            "/target/lambdaColdStart",
            Kind.TIME,
            "simulated, of each new instance; of --target lambda"),
    /** The limit for connecting. */
    CONNECT_TIMEOUT(
            SettingGroup.TARGET,
            "--connect-timeout T",
            "/target/connectTimeout",
            Kind.TIME,
            "for name, connect and TLS together",
            "5s"),
    /** The limit for a response. */
    RESPONSE_TIMEOUT(
            SettingGroup.TARGET,
            "--timeout T",
            "/target/responseTimeout",
            Kind.TIME,
            "for a whole response",
            "5s"),
    /** Whether certificates are accepted unseen. */
    INSECURE(
            SettingGroup.TARGET,
            "-k, --insecure",
            "/target/insecure",
            Kind.FLAG,
            "accept any certificate and host name"),
    /** Whom to trust. */
    CACERT(
            SettingGroup.TARGET,
            "--cacert FILE",
            "/target/cacert",
            Kind.text("a file in PEM"),
            "certificates in PEM that are trusted, in place of the JVM's"),
    /** Who the client is. */
    CERT(
            SettingGroup.TARGET,
            "--cert FILE",
            "/target/cert",
            Kind.text("a file in PEM"),
            "the client's own certificate in PEM, with its chain"),
    /** The key of the client's certificate. */
    KEY(
            SettingGroup.TARGET,
            "--key FILE",
            "/target/key",
            Kind.text("a file in PEM"),
            "its key, not encrypted (in the file of --cert)"),
    /** How requests are signed for AWS. */
    AWS_SIGV4(
            SettingGroup.TARGET,
            "--aws-sigv4 SPEC",
            "/target/awsSigv4",
            Kind.text("aws:amz[:region[:service]]"),
            "sign requests for AWS, as curl does: aws:amz[:region[:service]]; a function URL tells"
                    + " both itself"),
    /** Where the target tells of itself. */
    SERVER_METRICS(
            SettingGroup.SERVER,
            "--server-metrics URL",
            "/serverMetrics/url",
            Kind.text("http://host[:port]/path, https://…, or a path from / on"),
            "asked once a second: /metrics.json of Phaseload's own target, or a page in"
                    + " Prometheus's format; from / on, it is appended to the target's URL"),
    /** What is read there. */
    SERVER_METRIC(
            SettingGroup.SERVER,
            "--server-metric NAME=METRIC",
            "/serverMetrics/metrics",
            Kind.list("name=metric"),
            "of such a page: name, name{label=\"value\"} or rate(name), matching series added up;"
                    + " may be repeated"),
    /** How many users there are at the peak. */
    THREADS(
            SettingGroup.LOAD,
            "-c, --threads N",
            "/threads",
            Kind.count(1, 1_000_000),
            "users at the peak",
            "10"),
    /** How many iterations per user runs in a phase. */
    ITERATIONS(
            SettingGroup.LOAD,
            "-n, --iterations N",
            "/iterations",
            Kind.count(1, 1_000_000_000),
            "iterations of each user in each phase",
            "100"),
    /** How long a phase lasts. */
    DURATION(
            SettingGroup.LOAD,
            "--duration T",
            "/duration",
            Kind.TIME,
            "how long each phase lasts, in place of --iterations"),
    /** The phases. */
    PHASES(
            SettingGroup.LOAD,
            "--phases LIST",
            "/phases",
            Kind.text("name=share,name=share,…"),
            "name=share [for T|N iterations] [at R|R..R], … separated by commas",
            "warmup=0.1,loading=0.5,peak=1,cooldown=0.25"),
    /** Whether users are virtual threads. */
    VIRTUAL(
            SettingGroup.LOAD,
            "--virtual",
            "/virtualThreads",
            Kind.FLAG,
            "virtual threads; Java 21 or newer"),
    /** What runs the users. */
    ENGINE(
            SettingGroup.LOAD,
            "--engine KIND",
            "/engine/name",
            Kind.text("threads or events"),
            "threads, one a user, or events, which are loops",
            "threads"),
    /** How many event loops there are. */
    LOOPS(
            SettingGroup.LOAD,
            "--loops N",
            "/engine/loops",
            Kind.count(1, 1_024),
            "of --engine events (one a core)"),
    /** What event loops wait with. */
    TRANSPORT(
            SettingGroup.LOAD,
            "--transport KIND",
            "/engine/transport",
            Kind.word("epoll", "nio"),
            "of --engine events: epoll or nio (the first there is)"),
    /** How many users share a connection of HTTP/1.1. */
    PIPELINE(
            SettingGroup.LOAD,
            "--pipeline N",
            "/engine/pipeline",
            Kind.count(1, 1_000),
            "of --engine events: users who share a connection, each without waiting for the others'"
                    + " responses",
            "1"),
    /** How fast connections are opened. */
    CONNECT_RATE(
            SettingGroup.LOAD,
            "--connect-rate R",
            "/engine/connectRate",
            Kind.text("a rate such as 100/s"),
            "connections opened in a time at most, such as 100/s (no limit)"),
    /** Whether a run goes on whose target can't be reached. */
    KEEP_GOING(
            SettingGroup.LOAD,
            "--keep-going",
            "/engine/keepGoing",
            Kind.FLAG,
            "go on if no connection could be made in the first 5 s"),
    /** Whether requests go over HTTP/2. */
    HTTP2(
            SettingGroup.LOAD,
            "--http2",
            "/engine/http2",
            Kind.FLAG,
            "of --engine events: HTTP/2, over https:// by ALPN, over http:// at once"),
    /** How many users share a connection of HTTP/2. */
    STREAMS(
            SettingGroup.LOAD,
            "--streams N",
            "/engine/streams",
            Kind.count(1, 10_000),
            "of --http2: users who share a connection, each with a stream",
            "1"),
    /** How much a server may send ahead. */
    WINDOWS(
            SettingGroup.LOAD,
            "--windows S,C",
            "/engine/windows",
            Kind.text("sizes such as 6MiB,15MiB"),
            "of --http2: how much a server may send ahead of what was read, of a stream and of a"
                    + " connection",
            "6MiB,15MiB"),
    /** The seed of all random numbers. */
    SEED(
            SettingGroup.LOAD,
            "--seed N",
            "/seed",
            Kind.count(0, Long.MAX_VALUE),
            "of all random numbers",
            "1"),
    /** A pause between iterations. */
    THINK(
            SettingGroup.CLOSED,
            "--think T|T..T",
            "/think",
            Kind.text("a time such as 100ms, or 100ms..300ms"),
            "from an iteration's end to the next one's start"),
    /** The time from one iteration to the next. */
    PACING(
            SettingGroup.CLOSED,
            "--pacing T|T..T",
            "/pacing",
            Kind.text("a time such as 1s, or 1s..2s"),
            "from an iteration's start to the next one's, unless it takes longer"),
    /** How users begin. */
    RAMP(
            SettingGroup.CLOSED,
            "--ramp T",
            "/ramp",
            Kind.TIME,
            "users begin one after another, over this time of each phase"),
    /** How many requests there are in a time. */
    RATE(
            SettingGroup.OPEN,
            "--rate R",
            "/rate",
            Kind.text("a rate such as 500/s"),
            "requests a second of all users together; a phase has its share"),
    /** How requests are spread over time. */
    ARRIVALS(
            SettingGroup.OPEN,
            "--arrivals KIND",
            "/arrivals",
            Kind.word("constant", "poisson"),
            "constant or poisson",
            "constant"),
    /** What happens to requests for which no user is free. */
    OVERLOAD(
            SettingGroup.OPEN,
            "--overload KIND",
            "/overload",
            Kind.word("queue", "drop"),
            "when nobody is free: queue, so that it is late, or drop",
            "queue"),
    /** The requests of an iteration. */
    OPERATIONS(SettingGroup.NONE, "", "/operations", Kind.list("")),
    /** The body of requests that have none of their own. */
    BODY(
            SettingGroup.NONE,
            "--body TEXT|@FILE",
            "",
            Kind.list("text, @FILE, or @- for standard input")),
    /** The checks of requests that have none of their own. */
    EXPECT(
            SettingGroup.NONE,
            "--expect CHECKS",
            "",
            Kind.list("checks such as status=200 or body~'alive'")),
    /** What is measured in responses of requests that don't say it themselves. */
    METRIC(
            SettingGroup.NONE,
            "--metric NAME=POINTER[:UNIT]",
            "",
            Kind.list("name=/pointer:unit, such as elapsed=/timeElapsed:ms")),
    /** Headers of all requests. */
    HEADER(
            SettingGroup.REQUESTS,
            "-H, --header 'N: V'",
            "/target/headers",
            Kind.list("'Name: value'"),
            "sent with every request; may be repeated"),
    /** What must hold for the run to pass. */
    THRESHOLD(
            SettingGroup.THRESHOLDS,
            "--threshold TEXT",
            "/thresholds",
            Kind.list("such as 'peak: p99 < 250ms'"),
            "[phase:|phase/operation:|*/operation:] figure <|<=|>|>= value [abort]"
                    + " 'peak: p99 < 250ms', 'peak/GET /: failures < 1%', 'rps > 500',"
                    + " 'p95 < 1s abort' (ends the run when it fails over 10 s); figures: mean, min,"
                    + " max, p50, p75, p90, p95, p99, p99.9, p99.99, of slip, too (slip p99);"
                    + " failures, rps, requests; may be repeated"),
    /** What the results folder is called. */
    NAME(
            SettingGroup.RESULTS,
            "--name NAME",
            "/name",
            Kind.text("letters, digits, '.', '-' and '_'"),
            "part of the folder's name",
            "run"),
    /** Free text that is kept in the result. */
    LABEL(
            SettingGroup.RESULTS,
            "--label KEY=VALUE",
            "/labels",
            Kind.list("key=value"),
            "kept in the result; may be repeated");

    private final SettingGroup group;
    private final String head;
    private final String key;
    private final Kind kind;
    private final String help;
    private final Optional<String> standard;

    Setting(SettingGroup group, String head, String key, Kind kind) {
        this(group, head, key, kind, "");
    }

    Setting(SettingGroup group, String head, String key, Kind kind, String help) {
        this(group, head, key, kind, help, Optional.empty());
    }

    Setting(SettingGroup group, String head, String key, Kind kind, String help, String standard) {
        this(group, head, key, kind, help, Optional.of(standard));
    }

    Setting(
            SettingGroup group,
            String head,
            String key,
            Kind kind,
            String help,
            Optional<String> standard) {
        this.group = group;
        this.head = head;
        this.key = key;
        this.kind = kind;
        this.help = help;
        this.standard = standard;
    }

    /** {@return its option: such as {@code --threads}; empty if it has none} */
    public String option() {
        return Arrays.stream(head.split("[ ,]+"))
                .filter(word -> word.startsWith("--"))
                .findFirst()
                .orElse("");
    }

    /** {@return the short form of its option: such as {@code -c}; none, or one} */
    public List<String> aliases() {
        return head.matches("-[A-Za-z],.*") ? List.of(head.substring(0, 2)) : List.of();
    }

    /** {@return where it stands in a plan's file: a JSON pointer; empty if it is no part of one} */
    public String key() {
        return key;
    }

    /** {@return what its values are: with their limits} */
    public Kind kind() {
        return kind;
    }

    /** {@return what holds where it isn't given, as text; empty where there is no default} */
    public Optional<String> standard() {
        return standard;
    }

    /**
     * Checks a count.
     *
     * @param count for this setting
     * @throws IllegalArgumentException naming the setting, the count and its limits
     */
    public void check(long count) {
        Args.range(key.substring(key.lastIndexOf('/') + 1), count, kind.least(), kind.most());
    }

    SettingGroup group() {
        return group;
    }

    /** Its entry in the help. */
    String help(int column) {
        String start = "  " + head;
        String gap =
                start.length() < column
                        ? " ".repeat(column - start.length())
                        : "\n" + " ".repeat(column);
        return start + gap + help + standard.map(of -> " (" + of + ")").orElse("");
    }
}
