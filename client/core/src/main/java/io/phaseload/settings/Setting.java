package io.phaseload.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that can be said of a run, each with its option, its key in a plan's file, its limits, its
 * default and its help. What takes a plan apart and what makes one refer to these alone; {@code
 * plan.schema.json} says the same of keys, which a test holds it to.
 */
public enum Setting {
    /** Where requests go. */
    URL(
            Group.TARGET,
            "--url URL",
            "/target/url",
            Kind.text("http://host[:port]/path or https://…"),
            "http:// or https:// address to send requests to"),
    /** What is started to send requests to. */
    TARGET(
            Group.TARGET,
            "--target tomcat|lambda",
            "/target/kind",
            Kind.word("tomcat", "lambda"),
            "start that target in this JVM, on a free port"),
    /** How many instances a Lambda target has. */
    LAMBDA_INSTANCES(
            Group.TARGET,
            "--lambda-instances N",
            "/target/lambdaInstances",
            Kind.count(1, 10_000),
            "one event each at a time, 429 beyond them; of --target lambda"),
    /** How long an instance of a Lambda target takes to start. */
    LAMBDA_COLD_START(
            Group.TARGET,
            "--lambda-cold-start T",
            "/target/lambdaColdStart",
            Kind.time(Limits.DAY),
            "simulated, of each new instance; of --target lambda"),
    /** The limit for connecting. */
    CONNECT_TIMEOUT(
            Group.TARGET,
            "--connect-timeout T",
            "/target/connectTimeout",
            Kind.time(Limits.DAY),
            "for name, connect and TLS together",
            "5s"),
    /** The limit for a response. */
    RESPONSE_TIMEOUT(
            Group.TARGET,
            "--timeout T",
            "/target/responseTimeout",
            Kind.time(Limits.DAY),
            "for a whole response",
            "5s"),
    /** Whether certificates are accepted unseen. */
    INSECURE(
            Group.TARGET,
            "-k, --insecure",
            "/target/insecure",
            Kind.FLAG,
            "accept any certificate and host name"),
    /** Whom to trust. */
    CACERT(
            Group.TARGET,
            "--cacert FILE",
            "/target/cacert",
            Kind.text("a file in PEM"),
            "certificates in PEM that are trusted, in place of the JVM's"),
    /** Who the client is. */
    CERT(
            Group.TARGET,
            "--cert FILE",
            "/target/cert",
            Kind.text("a file in PEM"),
            "the client's own certificate in PEM, with its chain"),
    /** The key of the client's certificate. */
    KEY(
            Group.TARGET,
            "--key FILE",
            "/target/key",
            Kind.text("a file in PEM"),
            "its key, not encrypted (in the file of --cert)"),
    /** How requests are signed for AWS. */
    AWS_SIGV4(
            Group.TARGET,
            "--aws-sigv4 SPEC",
            "/target/awsSigv4",
            Kind.text("aws:amz[:region[:service]]"),
            "sign requests for AWS, as curl does: aws:amz[:region[:service]]; a function URL tells"
                    + " both itself"),
    /** Where the target tells of itself. */
    SERVER_METRICS(
            Group.SERVER,
            "--server-metrics URL",
            "/serverMetrics/url",
            Kind.text("http://host[:port]/path, https://…, or a path from / on"),
            "asked once a second: /metrics.json of Phaseload's own target, or a page in"
                    + " Prometheus's format; from / on, it is appended to the target's URL"),
    /** What is read there. */
    SERVER_METRIC(
            Group.SERVER,
            "--server-metric NAME=METRIC",
            "/serverMetrics/metrics",
            Kind.list("name=metric"),
            "of such a page: name, name{label=\"value\"} or rate(name), matching series added up;"
                    + " may be repeated"),
    /** How many users there are at the peak. */
    THREADS(
            Group.LOAD,
            "-c, --threads N",
            "/threads",
            Kind.count(1, 1_000_000),
            "users at the peak",
            "10"),
    /** How many iterations a user runs in a phase. */
    ITERATIONS(
            Group.LOAD,
            "-n, --iterations N",
            "/iterations",
            Kind.count(1, 1_000_000_000),
            "iterations of each user in each phase",
            "100"),
    /** How long a phase lasts. */
    DURATION(
            Group.LOAD,
            "--duration T",
            "/duration",
            Kind.time(Limits.DAY),
            "how long each phase lasts, in place of --iterations"),
    /** The phases. */
    PHASES(
            Group.LOAD,
            "--phases LIST",
            "/phases",
            Kind.text("name=share,name=share,…"),
            "name=share [for T|N iterations] [at R|R..R], … separated by commas",
            "warmup=0.1,loading=0.5,peak=1,cooldown=0.25"),
    /** Whether users are virtual threads. */
    VIRTUAL(
            Group.LOAD,
            "--virtual",
            "/virtualThreads",
            Kind.FLAG,
            "virtual threads; Java 21 or newer"),
    /** What runs the users. */
    ENGINE(
            Group.LOAD,
            "--engine KIND",
            "/engine/name",
            Kind.text("threads or events"),
            "threads, one a user, or events, which are loops",
            "threads"),
    /** How many event loops there are. */
    LOOPS(
            Group.LOAD,
            "--loops N",
            "/engine/loops",
            Kind.count(1, 1_024),
            "of --engine events (one a core)"),
    /** What event loops wait with. */
    TRANSPORT(
            Group.LOAD,
            "--transport KIND",
            "/engine/transport",
            Kind.word("epoll", "nio"),
            "of --engine events: epoll or nio (the first there is)"),
    /** How many users share a connection of HTTP/1.1. */
    PIPELINE(
            Group.LOAD,
            "--pipeline N",
            "/engine/pipeline",
            Kind.count(1, 1_000),
            "of --engine events: users who share a connection, each without waiting for the others'"
                    + " responses",
            "1"),
    /** How fast connections are opened. */
    CONNECT_RATE(
            Group.LOAD,
            "--connect-rate R",
            "/engine/connectRate",
            Kind.text("a rate such as 100/s"),
            "connections opened in a time at most, such as 100/s (no limit)"),
    /** Whether a run goes on whose target can't be reached. */
    KEEP_GOING(
            Group.LOAD,
            "--keep-going",
            "/engine/keepGoing",
            Kind.FLAG,
            "go on if no connection could be made in the first 5 s"),
    /** Whether requests go over HTTP/2. */
    HTTP2(
            Group.LOAD,
            "--http2",
            "/engine/http2",
            Kind.FLAG,
            "of --engine events: HTTP/2, over https:// by ALPN, over http:// at once"),
    /** How many users share a connection of HTTP/2. */
    STREAMS(
            Group.LOAD,
            "--streams N",
            "/engine/streams",
            Kind.count(1, 10_000),
            "of --http2: users who share a connection, each with a stream",
            "1"),
    /** How much a server may send ahead. */
    WINDOWS(
            Group.LOAD,
            "--windows S,C",
            "/engine/windows",
            Kind.text("sizes such as 6MiB,15MiB"),
            "of --http2: how much a server may send ahead of what was read, of a stream and of a"
                    + " connection",
            "6MiB,15MiB"),
    /** The seed of all random numbers. */
    SEED(
            Group.LOAD,
            "--seed N",
            "/seed",
            Kind.count(0, Long.MAX_VALUE),
            "of all random numbers",
            "1"),
    /** A pause between iterations. */
    THINK(
            Group.CLOSED,
            "--think T|T..T",
            "/think",
            Kind.text("a time such as 100ms, or 100ms..300ms"),
            "from an iteration's end to the next one's start"),
    /** The time from one iteration to the next. */
    PACING(
            Group.CLOSED,
            "--pacing T|T..T",
            "/pacing",
            Kind.text("a time such as 1s, or 1s..2s"),
            "from an iteration's start to the next one's, unless it takes longer"),
    /** How users begin. */
    RAMP(
            Group.CLOSED,
            "--ramp T",
            "/ramp",
            Kind.time(Limits.DAY),
            "users begin one after another, over this time of each phase"),
    /** How many requests there are in a time. */
    RATE(
            Group.OPEN,
            "--rate R",
            "/rate",
            Kind.text("a rate such as 500/s"),
            "requests a second of all users together; a phase has its share"),
    /** How requests are spread over time. */
    ARRIVALS(
            Group.OPEN,
            "--arrivals KIND",
            "/arrivals",
            Kind.word("constant", "poisson"),
            "constant or poisson",
            "constant"),
    /** What becomes of requests that nobody is free for. */
    OVERLOAD(
            Group.OPEN,
            "--overload KIND",
            "/overload",
            Kind.word("queue", "drop"),
            "when nobody is free: queue, so that it is late, or drop",
            "queue"),
    /** The requests of an iteration. */
    OPERATIONS(Group.NONE, "", "/operations", Kind.list("")),
    /** The body of requests that have none of their own. */
    BODY(Group.NONE, "--body TEXT|@FILE", "", Kind.list("text, @FILE, or @- for standard input")),
    /** The checks of requests that have none of their own. */
    EXPECT(
            Group.NONE,
            "--expect CHECKS",
            "",
            Kind.list("checks such as status=200 or body~'alive'")),
    /** What is measured in responses of requests that don't say it themselves. */
    METRIC(
            Group.NONE,
            "--metric NAME=POINTER[:UNIT]",
            "",
            Kind.list("name=/pointer:unit, such as elapsed=/timeElapsed:ms")),
    /** Headers of all requests. */
    HEADER(
            Group.REQUESTS,
            "-H, --header 'N: V'",
            "/target/headers",
            Kind.list("'Name: value'"),
            "sent with every request; may be repeated"),
    /** What must hold for the run to pass. */
    THRESHOLD(
            Group.THRESHOLDS,
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
            Group.RESULTS,
            "--name NAME",
            "/name",
            Kind.text("letters, digits, '.', '-' and '_'"),
            "part of the folder's name",
            "run"),
    /** Free text that is kept in the result. */
    LABEL(
            Group.RESULTS,
            "--label KEY=VALUE",
            "/labels",
            Kind.list("key=value"),
            "kept in the result; may be repeated");

    /** What settings are about: the headings of the help. */
    public enum Group {
        /** Where requests go. */
        TARGET,
        /** The server's own figures. */
        SERVER,
        /** How much load there is, and what makes it. */
        LOAD,
        /** Pauses. */
        CLOSED,
        /** Rates. */
        OPEN,
        /** What is sent. */
        REQUESTS,
        /** What must hold. */
        THRESHOLDS,
        /** What is kept. */
        RESULTS,
        /** What the command line has options of its own for. */
        NONE
    }

    /** An enum's constants can't use its own static fields. */
    private static final class Limits {
        private static final Duration DAY = Duration.ofDays(1);
    }

    /** What one takes the place of, beside itself, where a file says it. */
    private static final Map<Setting, Set<Setting>> REPLACES =
            Map.ofEntries(
                    Map.entry(URL, Set.of(TARGET, LAMBDA_INSTANCES, LAMBDA_COLD_START)),
                    Map.entry(TARGET, Set.of(URL, LAMBDA_INSTANCES, LAMBDA_COLD_START)),
                    Map.entry(CERT, Set.of(KEY)),
                    Map.entry(SERVER_METRICS, Set.of(SERVER_METRIC)),
                    Map.entry(DURATION, Set.of(ITERATIONS)),
                    Map.entry(ITERATIONS, Set.of(DURATION)),
                    Map.entry(ENGINE, Set.of(LOOPS, TRANSPORT, PIPELINE, HTTP2, STREAMS, WINDOWS)),
                    Map.entry(RATE, Set.of(THINK, PACING, RAMP)),
                    Map.entry(THINK, Set.of(PACING, RATE, ARRIVALS, OVERLOAD)),
                    Map.entry(PACING, Set.of(THINK, RATE, ARRIVALS, OVERLOAD)),
                    Map.entry(RAMP, Set.of(RATE, ARRIVALS, OVERLOAD)));

    private final Group group;
    private final String head;
    private final String key;
    private final Kind kind;
    private final String help;
    private final String standard;

    Setting(Group group, String head, String key, Kind kind) {
        this(group, head, key, kind, "");
    }

    Setting(Group group, String head, String key, Kind kind, String help) {
        this(group, head, key, kind, help, null);
    }

    Setting(Group group, String head, String key, Kind kind, String help, String standard) {
        this.group = group;
        this.head = head;
        this.key = key;
        this.kind = kind;
        this.help = help;
        this.standard = standard;
    }

    /**
     * Its option.
     *
     * @return such as {@code --threads}; empty if it has none
     */
    public String option() {
        return Arrays.stream(head.split("[ ,]+"))
                .filter(word -> word.startsWith("--"))
                .findFirst()
                .orElse("");
    }

    /**
     * The short form of its option.
     *
     * @return such as {@code -c}; none, or one
     */
    public List<String> aliases() {
        return head.matches("-[A-Za-z],.*") ? List.of(head.substring(0, 2)) : List.of();
    }

    /**
     * Where it stands in a plan's file.
     *
     * @return a JSON pointer; empty if it is no part of one
     */
    public String key() {
        return key;
    }

    /**
     * What its values are.
     *
     * @return with their limits
     */
    public Kind kind() {
        return kind;
    }

    /**
     * What holds where it isn't given.
     *
     * @return as text; {@code null} where there is no default
     */
    public String standard() {
        return standard;
    }

    /** What of a value may be repeated in a message. */
    Optional<String> shown(String text) {
        return kind.type() == Kind.Type.FLAG ? Optional.empty() : Optional.of(withoutSecret(text));
    }

    private String withoutSecret(String text) {
        return switch (this) {
            // Up to the last @: where the password has one, or a slash, it isn't escaped.
            case URL, SERVER_METRICS ->
                    text.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1…@");
            case HEADER -> text.strip().split("[:=\\s]", 2)[0];
            case THRESHOLD -> "'" + text + "'";
            default -> text;
        };
    }

    /** Whether this, given on a command line, takes the place of another in a file. */
    boolean replaces(Setting other) {
        return other == this && !isAdded() || REPLACES.getOrDefault(this, Set.of()).contains(other);
    }

    private boolean isAdded() {
        return this == HEADER || this == LABEL;
    }

    /**
     * Help for the options of a group, an entry for each.
     *
     * @param group which ones
     * @param column where descriptions begin
     * @return lines, each with an option and what it does
     */
    public static String help(Group group, int column) {
        return Arrays.stream(values())
                .filter(setting -> setting.group == group)
                .map(setting -> setting.help(column))
                .collect(Collectors.joining("\n"));
    }

    private String help(int column) {
        String start = "  " + head;
        String gap =
                start.length() < column
                        ? " ".repeat(column - start.length())
                        : "\n" + " ".repeat(column);
        return start + gap + help + (standard == null ? "" : " (" + standard + ")");
    }
}
