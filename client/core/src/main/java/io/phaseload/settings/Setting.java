package io.phaseload.settings;

import io.phaseload.input.Limit;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.Protocol;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All settings of a run, each with its option, its key in a plan's file, its limits, its default and its help. Limits
 * and defaults are the plan's own. A test checks that {@code plan.schema.json} agrees.
 */
public enum Setting {
    URL(
            SettingGroup.TARGET,
            "--url URL",
            "/target/url",
            Kind.text("http://host[:port]/path or https://…"),
            "http:// or https:// address to send requests to, or ws:// or wss:// for messages"),
    TARGET(
            SettingGroup.TARGET,
            "--target tomcat|lambda",
            "/target/kind",
            Kind.word("tomcat", "lambda"),
            "start that target in this JVM, on a free port"),
    LAMBDA_INSTANCES(
            SettingGroup.TARGET,
            "--lambda-instances N",
            "/target/lambdaInstances",
            Kind.count(1, 10_000),
            "instances of --target lambda; each takes one event at a time, more get 429"),
    LAMBDA_COLD_START(
            SettingGroup.TARGET,
            "--lambda-cold-start T",
            "/target/lambdaColdStart",
            Kind.TIME,
            "how long each new instance of --target lambda takes to start, simulated"),
    CONNECT_TIMEOUT(
            SettingGroup.TARGET,
            "--connect-timeout T",
            "/target/connectTimeout",
            Kind.TIME,
            "for DNS, TCP and TLS together",
            Target.DEFAULT_TIMEOUT),
    RESPONSE_TIMEOUT(
            SettingGroup.TARGET,
            "--timeout T",
            "/target/responseTimeout",
            Kind.TIME,
            "for the complete response",
            Target.DEFAULT_TIMEOUT),
    RECEIVE_BUFFER(
            SettingGroup.TARGET,
            "--receive-buffer N",
            "/target/receiveBuffer",
            Kind.count(Limit.RECEIVE_BUFFER),
            "bytes of each socket's receive buffer (the system's choice)"),
    SEND_BUFFER(
            SettingGroup.TARGET,
            "--send-buffer N",
            "/target/sendBuffer",
            Kind.count(Limit.SEND_BUFFER),
            "bytes of each socket's send buffer (the system's choice)"),
    RESEND_IDLE(
            SettingGroup.TARGET,
            "--resend-idle",
            "/target/resendIdle",
            Kind.FLAG,
            "send an idempotent request again if its connection had been idle and"
                    + " ended without a response, although the server may have read it"),
    INSECURE(
            SettingGroup.TARGET,
            "-k, --insecure",
            "/target/insecure",
            Kind.FLAG,
            "accept any certificate and host name"),
    CACERT(
            SettingGroup.TARGET,
            "--cacert FILE",
            "/target/cacert",
            Kind.text("a PEM file"),
            "trust the certificates in this PEM file, in place of the JVM's"),
    CERT(
            SettingGroup.TARGET,
            "--cert FILE",
            "/target/cert",
            Kind.text("a PEM file"),
            "the client's certificate and its chain, as a PEM file"),
    KEY(
            SettingGroup.TARGET,
            "--key FILE",
            "/target/key",
            Kind.text("a PEM file"),
            "the key of --cert, not encrypted (in the file of --cert)"),
    AWS_SIGV4(
            SettingGroup.TARGET,
            "--aws-sigv4 SPEC",
            "/target/awsSigv4",
            Kind.text("aws:amz[:region[:service]]"),
            "sign requests for AWS, as curl does: aws:amz[:region[:service]]; both can be left out"
                    + " for a function URL"),
    RESOLVE(
            SettingGroup.ROUTE,
            "--resolve HOST:PORT:ADDRESS[,ADDRESS]",
            "/target/resolve",
            Kind.text("HOST:PORT:ADDRESS, with the host and port of the url"),
            "connect to these addresses in place of looking up the URL's host"),
    CONNECT_TO(
            SettingGroup.ROUTE,
            "--connect-to HOST:PORT:HOST2:PORT2",
            "/target/connectTo",
            Kind.text("HOST:PORT:HOST2:PORT2, with the host and port of the url"),
            "connect to HOST2:PORT2 in place of the URL's; ::HOST2:PORT2 is enough"),
    UNIX_SOCKET(
            SettingGroup.ROUTE,
            "--unix-socket FILE",
            "/target/unixSocket",
            Kind.text("a socket"),
            "connect to this Unix domain socket"),
    PROXY(
            SettingGroup.ROUTE,
            "--proxy URL",
            "/client/proxy",
            Kind.text("http://[NAME:PASSWORD@]host:port, socks5://host:port or socks5h://host:port"),
            "http://[NAME:PASSWORD@]host:port, which makes tunnels for https://; or"
                    + " socks5://host:port; or socks5h://host:port, which looks up the name itself;"
                    + " proxy variables of the environment aren't looked at"),
    SERVER_METRICS(
            SettingGroup.SERVER,
            "--server-metrics [NAME=]URL",
            "/serverMetrics/url",
            Kind.list("http://host[:port]/path, https://…, or a path that begins with /"),
            "read once a second: /metrics.json of Phaseload's own target, or a page in"
                    + " Prometheus's format; a path that begins with / is appended"
                    + " to the target's URL; may be repeated, with a name for each server"),
    SERVER_METRIC(
            SettingGroup.SERVER,
            "--server-metric NAME=METRIC",
            "/serverMetrics/metrics",
            Kind.list("name=metric"),
            "a figure of such a page in place of those that are known: name, name{label=\"value\"} or rate(name); matching series are"
                    + " added up; may be repeated"),
    THREADS(
            SettingGroup.LOAD,
            "-c, --threads N",
            "/threads",
            Kind.count(Limit.THREADS),
            "users at the peak",
            PlanBuilder.DEFAULT_THREADS),
    ITERATIONS(
            SettingGroup.LOAD,
            "-n, --iterations N",
            "/iterations",
            Kind.count(Limit.ITERATIONS),
            "iterations of each user in each phase",
            PlanBuilder.DEFAULT_LENGTH.perUser()),
    TOTAL(
            SettingGroup.LOAD,
            "--total N",
            "/total",
            Kind.count(Limit.TOTAL),
            "requests of all users together, in one phase, or in each of --phases; journeys, of a plan"
                    + " with scenarios"),
    DURATION(
            SettingGroup.LOAD,
            "--duration T",
            "/duration",
            Kind.TIME,
            "how long each phase lasts, in place of --iterations"),
    PHASES(
            SettingGroup.LOAD,
            "--phases LIST",
            "/phases",
            Kind.text("name=share,name=share,…"),
            "name=share [for T|N iterations|N requests] [at R|R..R], … separated by commas",
            phases()),
    VIRTUAL(SettingGroup.LOAD, "--virtual", "/virtualThreads", Kind.FLAG, "virtual threads; Java 21 or newer"),
    ENGINE(
            SettingGroup.LOAD,
            "--engine threads|events|websocket",
            "/engine/name",
            Kind.text("threads or events"),
            "a thread for each user, or event loops; websocket for ws:// and wss://",
            EngineSettings.THREADS.name()),
    LOOPS(
            SettingGroup.LOAD,
            "--loops N",
            "/engine/loops",
            Kind.count(Limit.LOOPS),
            "event loops, with --engine events (one per core)"),
    TRANSPORT(
            SettingGroup.LOAD,
            "--transport KIND",
            "/engine/transport",
            Kind.word(EngineSettings.TRANSPORTS.toArray(String[]::new)),
            "epoll or nio, with --engine events (epoll where there is one)"),
    PIPELINE(
            SettingGroup.LOAD,
            "--pipeline N",
            "/engine/pipeline",
            Kind.count(Limit.PIPELINE),
            "users per connection, with --engine events; none waits for the others' responses",
            Protocol.HTTP_1.usersPerConnection()),
    CONNECT_RATE(
            SettingGroup.LOAD,
            "--connect-rate R",
            "/engine/connectRate",
            Kind.text("a rate such as 100/s"),
            "the most connections to open, such as 100/s (no limit)"),
    KEEP_GOING(
            SettingGroup.LOAD,
            "--keep-going",
            "/engine/keepGoing",
            Kind.FLAG,
            "go on if no connection could be made in the first 5 s"),
    HTTP2(
            SettingGroup.LOAD,
            "--http2",
            "/engine/http2",
            Kind.FLAG,
            "HTTP/2, with --engine events: by ALPN over https://, at once over http://"),
    STREAMS(
            SettingGroup.LOAD,
            "--streams N",
            "/engine/streams",
            Kind.count(Limit.STREAMS),
            "users per connection, each with its own stream, with --http2",
            "1"),
    WINDOWS(
            SettingGroup.LOAD,
            "--windows S,C",
            "/engine/windows",
            Kind.text("sizes such as 6MiB,15MiB"),
            "flow-control windows per stream and per connection, with --http2",
            Http2Windows.DEFAULT),
    SEED(
            SettingGroup.LOAD,
            "--seed N",
            "/seed",
            Kind.count(0, Long.MAX_VALUE),
            "the seed of all random numbers",
            PlanBuilder.DEFAULT_SEED),
    PART(
            SettingGroup.LOAD,
            "--part N/M",
            "/part",
            Kind.text("such as 2/3"),
            "run only that part, such as 2/3: M clients, each with a part of its own, together send"
                    + " what one would"),
    CLIENT(
            SettingGroup.CLIENT,
            "--client KIND",
            "/client/name",
            Kind.word(EngineSettings.WIRE, HttpClientSettings.NAME),
            "wire, which is Phaseload's own, or httpclient, which is Apache HttpClient with a pool"
                    + " of connections that users share; of --engine threads",
            EngineSettings.WIRE),
    POOL(
            SettingGroup.CLIENT,
            "--pool N|user",
            "/client/pool",
            Kind.text("a number of connections, or user"),
            "connections in all, or user: a pool for each user",
            ConnectionPool.DEFAULT.total().orElseThrow()),
    POOL_PER_ROUTE(
            SettingGroup.CLIENT,
            "--pool-per-route N",
            "/client/poolPerRoute",
            Kind.count(Limit.POOL_PER_ROUTE),
            "connections to one host at most (all of the pool)"),
    POOL_POLICY(
            SettingGroup.CLIENT,
            "--pool-policy KIND",
            "/client/poolPolicy",
            Kind.word("lifo", "fifo"),
            "which free connection is taken: lifo, the one used last, or fifo, the one free for" + " longest",
            ConnectionPool.DEFAULT.policy()),
    POOL_CONCURRENCY(
            SettingGroup.CLIENT,
            "--pool-concurrency KIND",
            "/client/poolConcurrency",
            Kind.word("strict", "lax", "offlock"),
            "strict: one lock, and the limits hold; lax: no common lock, and only the limit of a"
                    + " host holds; offlock: a segment for each host",
            ConnectionPool.DEFAULT.concurrency()),
    POOL_TIME_TO_LIVE(
            SettingGroup.CLIENT,
            "--pool-time-to-live T",
            "/client/poolTimeToLive",
            Kind.TIME,
            "a connection that is older isn't used again (no limit)"),
    POOL_VALIDATE_AFTER(
            SettingGroup.CLIENT,
            "--pool-validate-after T",
            "/client/poolValidateAfter",
            Kind.TIME,
            "a connection that was free for longer is checked before it is used",
            ConnectionPool.DEFAULT.validateAfter()),
    POOL_KEEP_ALIVE(
            SettingGroup.CLIENT,
            "--pool-keep-alive T",
            "/client/poolKeepAlive",
            Kind.TIME,
            "a connection that was free for longer isn't used again, unless the server says how"
                    + " long it keeps it (Keep-Alive)",
            ConnectionPool.DEFAULT.keepAlive()),
    LEASE_TIMEOUT(
            SettingGroup.CLIENT,
            "--lease-timeout T",
            "/client/leaseTimeout",
            Kind.TIME,
            "for a connection of the pool to become free",
            HttpClientSettings.DEFAULT.leaseTimeout()),
    RETRIES(
            SettingGroup.CLIENT,
            "--retries N",
            "/client/retries",
            Kind.count(Limit.RETRIES),
            "times that a request is sent again at most, by HttpClient's rules: an idempotent one"
                    + " whose connection broke, after 429 and 503 any, a second later",
            HttpClientSettings.DEFAULT.retries()),
    FOLLOW_REDIRECTS(
            SettingGroup.SESSION,
            "--follow-redirects",
            "/client/followRedirects",
            Kind.FLAG,
            "follow redirects within the service, at most 50 in a row"),
    KEEP_COOKIES(
            SettingGroup.SESSION,
            "--keep-cookies",
            "/client/keepCookies",
            Kind.FLAG,
            "each user sends back the cookies that it was given, within an iteration; with --client"
                    + " httpclient within a phase"),
    DECODE(
            SettingGroup.SESSION,
            "--decode",
            "/client/decode",
            Kind.FLAG,
            "ask for compressed bodies and decode them, for checks and metrics, too"),
    EXPECT_CONTINUE(
            SettingGroup.CLIENT,
            "--expect-continue",
            "/client/expectContinue",
            Kind.FLAG,
            "send a body when the server has said 100 Continue, or nothing for 3 s"),
    CREDENTIALS(
            SettingGroup.SESSION,
            "--credentials NAME:PASSWORD",
            "/client/credentials",
            Kind.text("NAME:PASSWORD"),
            "answer to Basic and Digest challenges; also @FILE, - or env:NAME"),
    BEARER_TOKEN(
            SettingGroup.CLIENT,
            "--bearer-token TOKEN",
            "/client/bearerToken",
            Kind.text("a token"),
            "answer to Bearer challenges; also @FILE, - or env:NAME"),
    SUBSCRIBERS(
            SettingGroup.MESSAGES,
            "--subscribers N",
            "/engine/subscribers",
            Kind.count(Limit.SUBSCRIBERS),
            "receivers of each message; 0 if the server sends it back to its sender",
            "1"),
    SUBSCRIBERS_ON(
            SettingGroup.MESSAGES,
            "--subscribers-on same-agent|other-agent",
            "/engine/subscribersOn",
            Kind.word("same-agent", "other-agent"),
            "where receivers are, with --agents: where their sender is, or on another agent",
            "same-agent"),
    MESSAGE_SIZE(
            SettingGroup.MESSAGES,
            "--message-size N",
            "/engine/messageSize",
            Kind.count(Limit.MESSAGE_SIZE),
            "bytes of a message",
            "200"),
    NODES(
            SettingGroup.MESSAGES,
            "--nodes HOST:PORT,...",
            "/target/nodes",
            Kind.text("HOST:PORT of one node or more, separated by commas"),
            "connect to the nodes of a cluster in turn: the sender of pair 0 to the first one, its"
                    + " receivers to the next ones; in place of the URL's host"),
    SUBPROTOCOLS(
            SettingGroup.MESSAGES,
            "--subprotocols LIST",
            "/engine/subprotocols",
            Kind.text("names such as v2.chat,v1.chat"),
            "what is asked for, separated by commas; a server that chooses none of them fails"),
    COMPRESS(SettingGroup.MESSAGES, "--compress", "/engine/compress", Kind.FLAG, "ask for permessage-deflate"),
    PING(SettingGroup.MESSAGES, "--ping T", "/engine/ping", Kind.TIME, "ping each connection that often (never)"),
    THINK(
            SettingGroup.CLOSED,
            "--think T|T..T",
            "/think",
            Kind.text("a time such as 100ms, or 100ms..300ms"),
            "from an iteration's end to the next one's start"),
    PACING(
            SettingGroup.CLOSED,
            "--pacing T|T..T",
            "/pacing",
            Kind.text("a time such as 1s, or 1s..2s"),
            "from an iteration's start to the next one's, unless it takes longer"),
    RAMP(
            SettingGroup.CLOSED,
            "--ramp T",
            "/ramp",
            Kind.TIME,
            "users start one after another, over this time of each phase"),
    RATE(
            SettingGroup.OPEN,
            "--rate R",
            "/rate",
            Kind.text("a rate such as 500/s"),
            "requests a second of all users together, or 50 journeys/s of a plan with scenarios, or"
                    + " 500 messages/s; a phase has its share"),
    ARRIVALS(
            SettingGroup.OPEN,
            "--arrivals KIND",
            "/arrivals",
            Kind.word("constant", "poisson"),
            "constant or poisson",
            "constant"),
    OVERLOAD(
            SettingGroup.OPEN,
            "--overload KIND",
            "/overload",
            Kind.word("queue", "drop"),
            "if no user is free: queue (the request is sent late) or drop",
            "queue"),
    OPERATIONS(SettingGroup.NONE, "", "/operations", Kind.list("")),
    SCENARIOS(SettingGroup.NONE, "", "/scenarios", Kind.list("")),
    VARIABLES(SettingGroup.NONE, "", "/variables", Kind.list("")),
    DATA(SettingGroup.NONE, "", "/data", Kind.list("")),
    BODY(
            SettingGroup.REQUESTS,
            "--body TEXT|@FILE",
            "",
            Kind.list("text, @FILE, or @- for standard input"),
            "the body of the --post, --put, --patch, --delete or --options before it; if it comes first, of"
                    + " every --post, --put and --patch, or if there is none, of a POST /; @- is standard"
                    + " input; JSON is sent as application/json"),
    FORM(
            SettingGroup.REQUESTS,
            "--form NAME=VALUE|NAME=@FILE",
            "",
            Kind.list("name=value or name=@FILE"),
            "a part of a multipart/form-data body, which goes where --body would; ;type=… and"
                    + " ;filename=… may follow; may be repeated"),
    EXPECT(
            SettingGroup.REQUESTS,
            "--expect CHECKS",
            "",
            Kind.list("checks such as status=200 or body~'alive'"),
            "checks the responses to the request before it, or to all requests: 'status=200"
                    + " body~\"alive\"', status=2xx, 'json:/items/0/id>0', time<300ms, size<10k, type=json,"
                    + " header:NAME~text, cookie:NAME, jsonpath:…, css:…, xpath:…, count:…, body~/regex/,"
                    + " bytes~ffd8, sha256=…, schema:FILE; not: before a check reverses it, and warn: counts"
                    + " a warning instead of a failure"),
    METRIC(
            SettingGroup.REQUESTS,
            "--metric NAME=POINTER[:UNIT]",
            "",
            Kind.list("name=/pointer:unit, such as elapsed=/timeElapsed:ms"),
            "also measures a number in the JSON response to the request before it, or to all requests,"
                    + " such as elapsed=/timeElapsed:ms"),
    EVENT_STREAM(
            SettingGroup.REQUESTS,
            "--event-stream STREAM",
            "",
            Kind.text("events, openai, openai-responses or anthropic, then parts such as count=20"),
            "reads the response to the request before it, or to all requests, event by event: events,"
                    + " openai, openai-responses or anthropic, then parts: count=20, until='[DONE]', for=30s,"
                    + " event=TYPE, content=/pointer,type:/pointer, sentAt=/pointer:ms, reconnect"),
    HEADER(
            SettingGroup.REQUESTS,
            "-H, --header 'N: V'",
            "/target/headers",
            Kind.list("'Name: value'"),
            "sent with every request; may be repeated; @FILE, - or env:NAME reads such lines from a file,"
                    + " standard input or a variable, which keeps secrets out of the command line"),
    THRESHOLD(
            SettingGroup.THRESHOLDS,
            "--threshold TEXT",
            "/thresholds",
            Kind.list("such as 'peak: p99 < 250ms'"),
            "[phase:|phase/operation:|*/operation:] figure <|<=|>|>= value [abort]"
                    + " 'peak: p99 < 250ms', 'peak/GET /: failures < 1%', 'rps > 500',"
                    + " 'p95 < 1s abort' (ends the run when it fails over 10 s); figures: mean, min,"
                    + " max, p50, p75, p90, p95, p99, p99.9, p99.99, also of slip (slip p99)"
                    + " and of streams (first-event, first-output, event-gap, event-delivery);"
                    + " failures, rps, requests, resent; may be repeated"),
    NAME(
            SettingGroup.RESULTS,
            "--name NAME",
            "/name",
            Kind.text("letters, digits, '.', '-' and '_'"),
            "part of the folder's name",
            PlanBuilder.DEFAULT_NAME),
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

    /** With a default: a text, a number, a time in seconds or minutes, or one of the words. */
    Setting(SettingGroup group, String head, String key, Kind kind, String help, Object standard) {
        this(group, head, key, kind, help, Optional.of(text(standard)));
    }

    Setting(SettingGroup group, String head, String key, Kind kind, String help, Optional<String> standard) {
        this.group = group;
        this.head = head;
        this.key = key;
        this.kind = kind;
        this.help = help;
        this.standard = standard;
    }

    private static String text(Object value) {
        if (value instanceof Duration time) {
            return time.toSecondsPart() == 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
        }
        return value instanceof Enum<?> word ? word.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    private static String phases() {
        return Phase.fourPhases(PlanBuilder.DEFAULT_LENGTH).stream()
                .map(phase -> phase.name() + "="
                        + BigDecimal.valueOf(phase.share()).stripTrailingZeros().toPlainString())
                .collect(Collectors.joining(","));
    }

    /** {@return its option, such as {@code --threads}; empty if it has none} */
    public String option() {
        return Arrays.stream(head.split("[ ,]+"))
                .filter(word -> word.startsWith("--"))
                .findFirst()
                .orElse("");
    }

    /** {@return the short form of its option, such as {@code -c}, if it has one} */
    public List<String> aliases() {
        return head.matches("-[A-Za-z],.*") ? List.of(head.substring(0, 2)) : List.of();
    }

    /** {@return its place in a plan's file as a JSON pointer; empty if files don't have it} */
    public String key() {
        return key;
    }

    /** {@return its values' type and limits} */
    public Kind kind() {
        return kind;
    }

    /** {@return its default, as text; empty if there is none} */
    public Optional<String> standard() {
        return standard;
    }

    /** {@return the section of the help with its option} */
    public SettingGroup group() {
        return group;
    }

    /** {@return the form of its option's value in help, such as {@code N}; empty for a flag} */
    public String form() {
        String form = head.substring(head.indexOf(option()) + option().length()).strip();
        return kind.words().isEmpty() ? form : String.join("|", kind.words());
    }

    /** {@return a sentence about its option, with the default} */
    public String help() {
        return help + standard.map(of -> " (" + of + ")").orElse("");
    }
}
