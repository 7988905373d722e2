package io.phaseload.cli;

import io.phaseload.cli.ForeignOptions.Foreign;
import io.phaseload.cli.ForeignOptions.Meaning;
import io.phaseload.cli.ForeignOptions.Takes;
import io.phaseload.options.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What curl, wrk, hey, oha, ab and k6 call their options, each with our words for it or a sentence
 * that names what does it. A name that several of them have is told apart by its value.
 */
final class ForeignTable {

    private static final Pattern TIME = Pattern.compile("\\d+(?:\\.\\d+)?(?:us|ms|s|m|h)(?:,.*)?");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final Pattern RATE = Pattern.compile(NUMBER + "(?:/[smh])?");
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z]+/[\\w.+-]+(?:;.*)?");
    private static final Set<String> METHODS =
            Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

    private static final List<Foreign> TABLE = new ArrayList<>();

    static {
        // How much.
        same("--threads", "--vus", "--connections", "--concurrency");
        same("--duration", "-z");
        value("-d", ForeignTable::timeOrBody);
        value("-t", ForeignTable::timeoutOrThreads);
        value("-R", ForeignTable::rate);
        value("--rps", ForeignTable::rate);
        optional("-q", value -> value == null ? List.of("--quiet") : rate(value));
        same("--loops", "--cpus", "-cpus");
        no("expected --phases, such as 'rise=1 at 10/s..500/s for 1m'", "--stage");
        no("expected --iterations N, which are each user's in each phase", "--requests");
        no("expected --iterations N, which are each user's, or --head / for HEAD", "-i");
        // What is sent.
        for (String name : List.of("-X", "--request", "--method")) {
            value(name, ForeignTable::method);
        }
        value("-m", value -> NUMBER.matcher(value).matches() ? seconds(value) : method(value));
        same("--body", "--data", "--data-binary", "--data-ascii");
        value("--data-raw", ForeignTable::raw);
        value("-D", value -> List.of("--body", "@" + value));
        value("-p", ForeignTable::streamsOrBody);
        flag(List.of("--head", "/"), "-I");
        no("expected --body with the form as it is to be sent", "-F", "--form", "--data-urlencode");
        no("expected the query in the address, or in --get PATH", "-G");
        for (String name : List.of("-u", "--user", "-a")) {
            value(name, ForeignTable::user);
        }
        flag(List.of(), "--basic");
        no("expected --user NAME:PASSWORD, -H 'Accept: …' or -H 'User-Agent: …'", "-A");
        header("User-Agent", "-U", "--user-agent");
        header("Referer", "--referer");
        header("Host", "--host", "-host");
        for (String name : List.of("-b", "-C", "--cookie")) {
            value(name, ForeignTable::cookie);
        }
        value("-T", ForeignTable::contentType);
        flag(List.of("--header", "Accept-Encoding: gzip"), "--compressed");
        // How it is sent.
        value("--max-time", ForeignTable::seconds);
        same("--cert", "-E");
        flag(List.of("--insecure"), "--insecure-skip-tls-verify");
        flag(List.of("--http2"), "-h2", "--http2-prior-knowledge");
        flag(
                List.of("--header", "Connection: close"),
                "--disable-keepalive",
                "-disable-keepalive",
                "--no-connection-reuse");
        no(
                "redirects aren't followed; expected the address that they lead to",
                "-L",
                "--location",
                "--max-redirs",
                "--max-redirects",
                "--redirect");
        no("no proxy is used; expected the address of what is to be measured", "-x", "--proxy");
        no("a request is sent once, and its failure is counted", "--retry");
        no(
                "the JVM chooses the address; expected it in --url, and -H 'Host: …'",
                "-4",
                "-6",
                "--ipv4",
                "--ipv6",
                "--resolve",
                "--connect-to",
                "--interface");
        no("expected an address that begins with http:// or https://", "--unix-socket");
        no("expected --http2, or neither for HTTP/1.1", "--http3", "--http1.0", "-0");
        no(
                "with --rate, latencies begin when a request is due, and need no correction",
                "--latency-correction");
        no("scripts aren't run; expected requests as options, or in --plan FILE", "--script");
        // What comes out.
        optional("-s", ForeignTable::silentOrScript);
        flag(List.of("--quiet"), "--silent", "--no-tui");
        same("--label", "--tag");
        no(
                "expected --out DIR, the folder for report.html, result.json and more",
                "--output",
                "-O",
                "-g",
                "--summary-export",
                "-w",
                "--write-out");
        no("single responses aren't shown; expected --expect to check them", "-v", "--verbose");
        // What is always so.
        flag(
                List.of(),
                "--latency",
                "-S",
                "--show-error",
                "-f",
                "--fail",
                "-l",
                "--http1.1",
                "--disable-compression",
                "-disable-compression",
                "-disable-redirects");
    }

    private ForeignTable() {}

    /** The row of a name. */
    static Optional<Foreign> find(String name) {
        return TABLE.stream().filter(row -> row.names().contains(name)).findFirst();
    }

    /** All names, in order. */
    static List<String> names() {
        return TABLE.stream().flatMap(row -> row.names().stream()).toList();
    }

    private static void same(String option, String... names) {
        row(Takes.A_VALUE, value -> List.of(option, value), names);
    }

    private static void header(String header, String... names) {
        row(Takes.A_VALUE, value -> List.of("--header", header + ": " + value), names);
    }

    private static void value(String name, Meaning meaning) {
        row(Takes.A_VALUE, meaning, name);
    }

    private static void optional(String name, Meaning meaning) {
        row(Takes.PERHAPS_A_VALUE, meaning, name);
    }

    private static void flag(List<String> words, String... names) {
        row(Takes.NOTHING, value -> words, names);
    }

    private static void no(String sentence, String... names) {
        row(
                Takes.NOTHING,
                value -> {
                    throw new UsageException(sentence);
                },
                names);
    }

    private static void row(Takes takes, Meaning meaning, String... names) {
        TABLE.add(new Foreign(List.of(names), takes, meaning));
    }

    private static List<String> timeOrBody(String value) throws UsageException {
        if (NUMBER.matcher(value).matches()) {
            throw new UsageException("expected a time with a unit such as 10s, or --body TEXT");
        }
        return List.of(TIME.matcher(value).matches() ? "--duration" : "--body", value);
    }

    private static List<String> timeoutOrThreads(String value) throws UsageException {
        if (!TIME.matcher(value).matches()) {
            throw new UsageException(
                    "expected --timeout T (as of hey and oha), --duration T (ab), or --loops N of"
                            + " --engine events (wrk)");
        }
        return List.of("--timeout", value);
    }

    private static List<String> rate(String value) throws UsageException {
        if (!RATE.matcher(value).matches()) {
            throw new UsageException("expected a rate of all users together, such as 500");
        }
        return List.of("--rate", NUMBER.matcher(value).matches() ? value + "/s" : value);
    }

    private static List<String> method(String method) throws UsageException {
        if (!METHODS.contains(method)) {
            throw new UsageException(
                    "expected one of " + String.join(", ", METHODS.stream().sorted().toList()));
        }
        return ForeignOptions.method(method);
    }

    private static List<String> seconds(String value) throws UsageException {
        if (!NUMBER.matcher(value).matches() && !TIME.matcher(value).matches()) {
            throw new UsageException("expected seconds");
        }
        return List.of("--timeout", TIME.matcher(value).matches() ? value : value + "s");
    }

    private static List<String> raw(String value) throws UsageException {
        if (value.startsWith("@")) {
            throw new UsageException("expected no @ at its beginning; --body @FILE is a file's");
        }
        return List.of("--body", value);
    }

    private static List<String> streamsOrBody(String value) {
        return NUMBER.matcher(value).matches()
                ? List.of("--streams", value)
                : List.of("--body", "@" + value);
    }

    private static List<String> user(String value) throws UsageException {
        if (!value.contains(":")) {
            throw new UsageException("expected NAME:PASSWORD; --threads N is how many users");
        }
        return ForeignOptions.basic(value);
    }

    private static List<String> cookie(String value) throws UsageException {
        if (!value.contains("=")) {
            throw new UsageException("expected NAME=VALUE; no file of cookies is read");
        }
        return List.of("--header", "Cookie: " + value);
    }

    private static List<String> contentType(String value) throws UsageException {
        if (!MEDIA_TYPE.matcher(value).matches()) {
            throw new UsageException(
                    "expected a content type, or --put PATH --body @FILE to upload a file");
        }
        return List.of("--header", "Content-Type: " + value);
    }

    private static List<String> silentOrScript(String value) throws UsageException {
        if (value != null) {
            throw new UsageException(
                    "expected requests as options or in --plan FILE, --timeout T, or --phases LIST");
        }
        return List.of("--quiet");
    }
}
