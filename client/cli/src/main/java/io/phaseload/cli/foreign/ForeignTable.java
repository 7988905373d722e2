package io.phaseload.cli.foreign;

import io.phaseload.cli.foreign.ForeignOptions.Foreign;
import io.phaseload.cli.foreign.ForeignOptions.Meaning;
import io.phaseload.cli.foreign.ForeignOptions.Takes;
import io.phaseload.options.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of curl, wrk, hey, oha, ab, vegeta, h2load and k6, each with our options for it, or a
 * sentence on what to use instead. Where a name means different things in different tools, its
 * value decides.
 */
final class ForeignTable {

    private static final Pattern TIME = Pattern.compile("\\d+(?:\\.\\d+)?(?:us|ms|s|m|h)(?:,.*)?");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final Pattern RATE = Pattern.compile(NUMBER + "(?:/[smh])?");
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z]+/[\\w.+-]+(?:;.*)?");
    private static final Set<String> METHODS =
            Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

    /** A name and a password. */
    static final List<String> USER = List.of("-u", "--user", "-a");

    /** These wait for a challenge of the server's. */
    static final List<String> CHALLENGED = List.of("--digest", "--anyauth");

    private static final List<Foreign> TABLE = new ArrayList<>();

    static {
        // Load.
        same("--threads", "--vus", "--connections", "--concurrency", "--clients", "--pairs");
        same("--duration", "-z", "-duration");
        value("-d", ForeignTable::timeOrBody);
        value("-t", ForeignTable::timeoutOrThreads);
        value("-R", ForeignTable::rate);
        value("--rps", ForeignTable::rate);
        value("-rate", ForeignTable::rate);
        optional("-q", value -> value == null ? List.of("--quiet") : rate(value));
        same("--loops", "--cpus", "-cpus");
        no("use --phases, such as 'rise=1 at 10/s..500/s for 1m'", "--stage");
        no(
                "use --iterations N, which counts per user and phase, --requests FILE, or --head /"
                        + " for HEAD",
                "-i");
        no("use --threads N", "-workers", "-max-workers", "-Z", "--parallel", "--parallel-max");
        no("each user has a connection; use --threads N", "-connections", "-max-connections");
        no("use --phases, such as 'warmup=1 for 5s,peak=1 for 30s'", "--warm-up-time");
        no("use --pacing T", "--min-iteration-duration");
        no("use --phases, such as 'burst=1 at 500/s for 1s'", "--burst-delay", "--burst-rate");
        no("use --connect-rate R, or -H 'Range: bytes=…'; failures don't end a run", "-r");
        no("bandwidth isn't limited; --rate limits requests", "--limit-rate");
        // Requests.
        same("--requests", "-targets", "--targets");
        no("use --requests FILE", "--urls-from-file", "--input-file");
        no(
                "a plan's scenarios have random numbers and data, see docs/load.md",
                "--rand-regex-url",
                "--env");
        same("--header", "-header");
        value("-body", value -> List.of("--body", "@" + value));
        no("bodies are sent with their length", "-chunked");
        no("use --put PATH --body @FILE", "--upload-file");
        for (String name : List.of("-X", "--request", "--method")) {
            value(name, ForeignTable::method);
        }
        value("-m", value -> NUMBER.matcher(value).matches() ? seconds(value) : method(value));
        same("--body", "--data", "--data-binary", "--data-ascii");
        value("--data-raw", ForeignTable::raw);
        value("-D", value -> List.of("--body", "@" + value));
        value("-p", ForeignTable::streamsOrBody);
        flag(List.of("--head", "/"), "-I");
        no(
                "use --post PATH --body 'a=b%20c&d=e' -H 'Content-Type:"
                        + " application/x-www-form-urlencoded'",
                "--data-urlencode");
        same("--form", "-F");
        no("use --form NAME=VALUE", "--form-string");
        no("put the query in the address, or in --get PATH", "-G", "--url-query");
        no("use -H 'Range: bytes=…'", "--range");
        no("use --referer URL, or a plan's file with variables", "-e");
        no("use --plan FILE", "-K", "--config");
        no("use --user NAME:PASSWORD", "--netrc");
        for (String name : USER) {
            value(name, ForeignTable::user);
        }
        flag(List.of(), "--basic");
        // With one of these, --user is --credentials: see ForeignOptions.
        flag(List.of(), CHALLENGED.toArray(String[]::new));
        no("use --credentials NAME:PASSWORD, for Basic and Digest", "--ntlm", "--negotiate");
        value("--oauth2-bearer", token -> List.of("--header", "Authorization: Bearer " + token));
        no("use --user NAME:PASSWORD, -H 'Accept: …' or -H 'User-Agent: …'", "-A");
        header("User-Agent", "-U", "--user-agent");
        header("Referer", "--referer");
        header("Host", "--host", "-host");
        for (String name : List.of("-b", "-C", "--cookie")) {
            value(name, ForeignTable::cookie);
        }
        value("-T", ForeignTable::contentType);
        flag(List.of("--decode"), "--compressed");
        no("use --keep-cookies; users begin without cookies", "--cookie-jar");
        // Connections.
        value("--max-time", ForeignTable::seconds);
        same("--timeout", "-timeout");
        same("--cert", "-E", "-cert");
        same("--key", "-key");
        same("--cacert", "-root-certs");
        flag(List.of("--insecure"), "--insecure-skip-tls-verify", "-insecure");
        no(
                "TLS is as the JVM has it, with --cacert, --cert and --key",
                "--tlsv1.2",
                "--tlsv1.3",
                "--tls-max",
                "--ciphers",
                "--tls13-ciphers",
                "--capath",
                "--alpn-list",
                "--npn-list");
        flag(List.of("--http2"), "-h2", "-h2c", "-http2", "--http2-prior-knowledge");
        same("--streams", "--max-concurrent-streams");
        no("use --windows S,C", "--window-bits", "--connection-window-bits");
        same("--unix-socket", "-unix-socket");
        same("--connect-to", "-connect-to");
        flag(
                List.of("--header", "Connection: close"),
                "--disable-keepalive",
                "-disable-keepalive",
                "--no-connection-reuse");
        flag(List.of("--follow-redirects"), "-L", "--location", "--location-trusted");
        for (String name : List.of("--max-redirs", "--max-redirects", "--redirect", "-redirects")) {
            value(name, ForeignTable::redirects);
        }
        value("-x", ForeignTable::proxy);
        value("--socks5", address -> List.of("--proxy", "socks5://" + address));
        value("--socks5-hostname", address -> List.of("--proxy", "socks5h://" + address));
        no("use --proxy http://NAME:PASSWORD@host:port", "--proxy-user");
        no("proxies are used only where --proxy says so", "--noproxy");
        no(
                "failed requests aren't sent again, they are counted; or use --client httpclient"
                        + " --retries N",
                "--retry");
        no("use --resolve HOST:PORT:ADDRESS", "-4", "-6", "--ipv4", "--ipv6");
        no(
                "the system chooses the local address",
                "--interface",
                "--local-port",
                "--local-ips",
                "-laddr");
        no(
                "the system looks names up; use --resolve HOST:PORT:ADDRESS",
                "--dns-servers",
                "--doh-url",
                "--dns",
                "-resolvers");
        no("HTTP/1.1 is the default, --http2 is the alternative", "--http3", "--http1.0", "-0");
        no(
                "not needed: with --rate, a latency counts from when its request was due",
                "--latency-correction");
        no("scripts aren't run; use options, or --plan FILE", "--script");
        // Output.
        optional("-s", ForeignTable::silentOrScript);
        flag(List.of("--quiet"), "--silent", "--no-tui");
        same("--label", "--tag");
        no(
                "use --out DIR, the folder for report.html, result.json and more",
                "--output",
                "-O",
                "-g",
                "--summary-export",
                "-w",
                "--write-out",
                "--output-file",
                "--output-format",
                "-output");
        no(
                "responses aren't shown; use --expect to check them, or phaseload plan --trace",
                "-v",
                "--verbose",
                "--debug",
                "--http-debug",
                "--trace-ascii");
        no("set NO_COLOR", "--no-color", "--disable-color");
        // Always the case here.
        flag(
                List.of(),
                "--latency",
                "-S",
                "--show-error",
                "-f",
                "--fail",
                "-l",
                "--http1.1",
                "--h1",
                "--fail-with-body",
                "--tcp-nodelay",
                "--discard-response-bodies",
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

    private static List<String> timeOrBody(String value) {
        if (NUMBER.matcher(value).matches()) {
            throw new UsageException("use --duration %ss, or --body TEXT".formatted(value));
        }
        return List.of(TIME.matcher(value).matches() ? "--duration" : "--body", value);
    }

    private static List<String> timeoutOrThreads(String value) {
        if (!TIME.matcher(value).matches()) {
            throw new UsageException(
                    "use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N"
                            + " (wrk's threads)");
        }
        return List.of("--timeout", value);
    }

    private static List<String> rate(String value) {
        if (!RATE.matcher(value).matches()) {
            throw new UsageException(
                    "expected requests per second of all users together, such as 500");
        }
        return List.of("--rate", NUMBER.matcher(value).matches() ? value + "/s" : value);
    }

    private static List<String> method(String method) {
        if (!METHODS.contains(method)) {
            throw new UsageException(
                    "expected one of " + String.join(", ", METHODS.stream().sorted().toList()));
        }
        return ForeignOptions.method(method);
    }

    private static List<String> seconds(String value) {
        if (!NUMBER.matcher(value).matches() && !TIME.matcher(value).matches()) {
            throw new UsageException("expected seconds");
        }
        return List.of("--timeout", TIME.matcher(value).matches() ? value : value + "s");
    }

    private static List<String> raw(String value) {
        if (value.startsWith("@")) {
            throw new UsageException(
                    "a body that begins with @ has to come from a file, by --body @FILE");
        }
        return List.of("--body", value);
    }

    private static List<String> streamsOrBody(String value) {
        return NUMBER.matcher(value).matches()
                ? List.of("--streams", value)
                : List.of("--body", "@" + value);
    }

    private static List<String> user(String value) {
        if (!value.contains(":")) {
            throw new UsageException(
                    "expected NAME:PASSWORD; --threads N sets the number of users");
        }
        return ForeignOptions.basic(value);
    }

    private static List<String> redirects(String value) {
        if (!value.equals("0")) {
            throw new UsageException(
                    "use --follow-redirects, for at most 50 in a row, or session: {redirects: N} of"
                            + " a plan's scenario");
        }
        return List.of();
    }

    private static List<String> proxy(String value) {
        return List.of("--proxy", value.contains("://") ? value : "http://" + value);
    }

    private static List<String> cookie(String value) {
        if (!value.contains("=")) {
            throw new UsageException("expected NAME=VALUE; cookie files aren't read");
        }
        return List.of("--header", "Cookie: " + value);
    }

    private static List<String> contentType(String value) {
        if (!MEDIA_TYPE.matcher(value).matches()) {
            throw new UsageException(
                    "expected a content type, or --put PATH --body @FILE to upload a file");
        }
        return List.of("--header", "Content-Type: " + value);
    }

    private static List<String> silentOrScript(String value) {
        if (value != null) {
            throw new UsageException(
                    "use options or --plan FILE (wrk's scripts), --timeout T (ab), or --phases LIST"
                            + " (k6's stages)");
        }
        return List.of("--quiet");
    }
}
