package io.phaseload.cli;

import io.phaseload.engine.UserThreads;
import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.kohsuke.args4j.Option;

/** The options of {@code run}, and the plan that they make. */
final class RunOptions {

    static final String HELP =
            """
            Runs warmup, loading, peak and cooldown against a target and reports what it measured.

            Usage: phaseload [run] [options]

            Target (default: --target tomcat)
              --url URL              http:// or https:// address to send requests to
              --target tomcat        start the Tomcat target in this JVM, on a free port
              --connect-timeout T    for name, connect and TLS together (5s)
              --timeout T            for a whole response (5s)
              -k, --insecure         accept any certificate and host name
            Load
              -c, --threads N        users at the peak (10)
              -n, --iterations N     iterations of each user in each phase (100)
              --duration T           how long each phase lasts, in place of --iterations
              --phases LIST          name=share,… (warmup=0.1,loading=0.5,peak=1,cooldown=0.25)
              --virtual              virtual threads; Java 21 or newer
              --engine threads       a thread a user; the only engine so far
            Requests, in order (default: GET /, then POST /)
              --get PATH             appended to the URL's path; / is the URL itself
              --post PATH            likewise
              --body TEXT|@FILE      of the --post before it, or of every POST if it comes first
              -H, --header 'N: V'    sent with every request; may be repeated
            Results
              -o, --out DIR          the folder to write, new or empty (results/<time>-<name>)
              --name NAME            part of the folder's name (run)
              --label KEY=VALUE      kept in the result; may be repeated
              --json                 the result as JSON on standard output, all else on standard error
              --quiet                neither progress nor a live line
              -h, --help             this text
              --version              which version it is

            T is a time such as 250ms, 30s or 5m; N a count such as 100, 10k or 1.5m. Every option can
            be given as a system property, too: -Dthreads=100 for --threads 100.
            Exit codes: 0 passed, 1 internal error, 2 usage, 3 nothing completed, 4 measurement
            invalid, 130 interrupted.
            """;

    private static final int MAX_THREADS = 1_000_000;
    private static final long MAX_ITERATIONS = 1_000_000_000;
    private static final int DEFAULT_ITERATIONS = 100;

    @Option(name = "--url", usage = "http://host[:port]/path or https://…")
    private String url;

    @Option(name = "--target", usage = "tomcat")
    private String target;

    @Option(name = "--connect-timeout", handler = DurationHandler.class)
    private Duration connectTimeout = Target.DEFAULT_TIMEOUT;

    @Option(name = "--timeout", handler = DurationHandler.class)
    private Duration timeout = Target.DEFAULT_TIMEOUT;

    @Option(name = "--insecure", aliases = "-k")
    private boolean insecure;

    @Option(name = "--threads", aliases = "-c", handler = CountHandler.class)
    private long threads = 10;

    @Option(name = "--iterations", aliases = "-n", handler = CountHandler.class)
    private Long iterations;

    @Option(name = "--duration", handler = DurationHandler.class)
    private Duration duration;

    @Option(name = "--phases", usage = "name=share,name=share,…")
    private String phases = "warmup=0.1,loading=0.5,peak=1,cooldown=0.25";

    @Option(name = "--virtual")
    private boolean virtual;

    @Option(name = "--engine", usage = "threads")
    private String engine = "threads";

    @Option(name = "--out", aliases = "-o", usage = "a folder that is new or empty")
    private String out;

    @Option(name = "--name", usage = "letters, digits, '.', '-' and '_'")
    private String name = "run";

    @Option(name = "--json")
    private boolean json;

    @Option(name = "--quiet")
    private boolean quiet;

    @Option(name = "--help", aliases = "-h", help = true)
    private boolean help;

    @Option(name = "--version", help = true)
    private boolean version;

    private final List<String> headers = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private String commonBody;

    /** Of {@code @FILE}: one may be a pipe, and can be read only once. */
    private final Map<String, Body> files = new HashMap<>();

    /** A request as it was asked for; its body is empty until {@code --body} follows. */
    private record Request(String option, String path, Optional<String> body) {}

    @Option(name = "--get", usage = "a path that begins with /")
    private void addGet(String path) {
        requests.add(new Request("--get", path, Optional.empty()));
    }

    @Option(name = "--post", usage = "a path that begins with /")
    private void addPost(String path) {
        requests.add(new Request("--post", path, Optional.empty()));
    }

    @Option(name = "--body", usage = "text, or @FILE")
    private void setBody(String body) {
        int last = requests.size() - 1;
        if (last >= 0 && requests.get(last).option().equals("--post")) {
            requests.set(last, new Request("--post", requests.get(last).path(), Optional.of(body)));
        } else {
            commonBody = body;
        }
    }

    @Option(name = "--header", aliases = "-H", usage = "'Name: value'")
    private void addHeader(String header) {
        headers.add(header);
    }

    @Option(name = "--label", usage = "key=value")
    private void addLabel(String label) {
        labels.add(label);
    }

    boolean help() {
        return help;
    }

    boolean version() {
        return version;
    }

    boolean json() {
        return json;
    }

    boolean quiet() {
        return quiet;
    }

    /** The address to send to; empty if the Tomcat target is to be started. */
    Optional<URI> url() throws UsageException {
        if (target != null && !target.equals("tomcat")) {
            throw new UsageException("--target " + target + ": expected tomcat");
        }
        if (url == null) {
            return Optional.empty();
        }
        if (target != null) {
            throw new UsageException("--target " + target + ": expected no --url beside it");
        }
        return Optional.of(
                checked(
                        "--url",
                        withoutUserInfo(url),
                        ignored -> {
                            URI uri = URI.create(url);
                            Target.of(uri);
                            return uri;
                        },
                        "http://host[:port]/path or https://…"));
    }

    /** The folder that was asked for, if any. */
    Optional<Path> out() throws UsageException {
        return out == null
                ? Optional.empty()
                : Optional.of(checked("--out", out, Path::of, "a folder"));
    }

    /** The plan against an address. */
    Plan toPlan(URI uri) throws UsageException {
        if (!engine.equals("threads")) {
            throw new UsageException("--engine " + engine + ": expected threads");
        }
        if (virtual && !UserThreads.virtualSupported()) {
            throw new UsageException(
                    "--virtual: needs Java 21 or newer, this is Java "
                            + Runtime.version().feature());
        }
        checked("--name", name, text -> Plan.builder(uri).name(text).build(), "a name");
        Plan.Builder plan =
                Plan.builder(uri)
                        .name(name)
                        .connectTimeout(upToADay("--connect-timeout", connectTimeout))
                        .responseTimeout(upToADay("--timeout", timeout))
                        .insecure(insecure)
                        .threads((int) upTo(MAX_THREADS, "--threads", threads))
                        .virtualThreads(virtual)
                        .operations(operations())
                        .phases(
                                checked(
                                        "--phases",
                                        phases,
                                        new PhaseList(length())::parse,
                                        "name=share,…"));
        for (String header : headers) {
            plan.header(
                    checked(
                            "--header",
                            // Not the value: it may be a secret.
                            header.strip().split("[:=\\s]", 2)[0],
                            ignored -> Header.parse(header),
                            "one that the client doesn't set itself"));
        }
        for (String label : labels) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--label " + label + ": expected key=value");
            }
            plan.label(label.substring(0, equals), label.substring(equals + 1));
        }
        return plan.build();
    }

    private PhaseLength length() throws UsageException {
        if (duration == null) {
            long count = iterations == null ? DEFAULT_ITERATIONS : iterations;
            return new PhaseLength.Iterations(upTo(MAX_ITERATIONS, "--iterations", count));
        }
        if (iterations != null) {
            throw new UsageException(
                    "--iterations " + iterations + ": expected no --duration beside it");
        }
        return new PhaseLength.Lasting(upToADay("--duration", duration));
    }

    private Operation[] operations() throws UsageException {
        Body defaultBody = commonBody == null ? Scenario.DEFAULT_BODY : body(commonBody);
        List<Operation> operations = new ArrayList<>();
        for (Request request : requests) {
            operations.add(operation(request, defaultBody, operations));
        }
        if (operations.isEmpty()) {
            operations.add(Operation.get("/"));
            operations.add(Operation.post("/", defaultBody));
        }
        return operations.toArray(Operation[]::new);
    }

    private Operation operation(Request request, Body defaultBody, List<Operation> before)
            throws UsageException {
        boolean post = request.option().equals("--post");
        Body body = request.body().isEmpty() ? defaultBody : body(request.body().get());
        Operation operation =
                checked(
                        request.option(),
                        request.path(),
                        path -> post ? Operation.post(path, body) : Operation.get(path),
                        "a path that begins with / and is percent-encoded");
        long same = before.stream().filter(other -> isSame(other, operation)).count();
        return same == 0 ? operation : operation.named(operation.name() + " #" + (same + 1));
    }

    private static boolean isSame(Operation one, Operation other) {
        return one.method().equals(other.method()) && one.path().equals(other.path());
    }

    private Body body(String text) throws UsageException {
        if (!text.startsWith("@")) {
            return Body.ofText(text);
        }
        try {
            if (!files.containsKey(text)) {
                Path file = Path.of(text.substring(1));
                files.put(text, Body.ofBytes(Files.readAllBytes(file)));
            }
            return files.get(text);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--body " + text + ": expected a file that can be read");
        }
    }

    private static long upTo(long most, String option, long value) throws UsageException {
        if (value > most) {
            throw new UsageException(option + " " + value + ": expected at most " + most);
        }
        return value;
    }

    private static Duration upToADay(String option, Duration value) throws UsageException {
        if (value.compareTo(Duration.ofDays(1)) > 0) {
            throw new UsageException(option + " " + value.toSeconds() + "s: expected at most 24h");
        }
        return value;
    }

    /** Puts the option and its value before what the library says was expected. */
    private static <T> T checked(
            String option, String value, Function<String, T> parse, String expected)
            throws UsageException {
        try {
            return parse.apply(value);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            // The last one: the value, which the message repeats, may have such a word, too.
            int start = message.lastIndexOf(": expected ");
            String reason =
                    message.startsWith("expected ")
                            ? message
                            : start >= 0 ? message.substring(start + 2) : "expected " + expected;
            throw new UsageException(option + " " + value + ": " + reason);
        }
    }

    private static String withoutUserInfo(String url) {
        // Up to the last @: where the password has one, or a slash, it isn't escaped.
        return url.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1…@");
    }
}
