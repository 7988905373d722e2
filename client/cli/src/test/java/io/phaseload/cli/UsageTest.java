package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a command line: one exact line, exit code 2, and nothing else happens. */
class UsageTest {

    private static final String COUNT = "expected a whole number of 1 or more, such as 100 or 10k";
    private static final String TIME = "expected a time above 0, such as 250ms, 30s, 5m or 1h";
    private static final String URL = "expected http://host[:port]/path or https://…";
    private static final String PATH = "expected a path that begins with / and is percent-encoded";
    private static final String PHASE_NAME = "a phase's name (lower-case letters, digits, - and _)";
    private static final String SHARE = "a share above 0 and at most 1";
    private static final String CHECKS =
            "checks such as status=200, status=2xx or body~'alive', with blanks between";
    private static final String WITH_BODY =
            "expected --post, --put or --patch beside it, or --delete or --options before it";
    private static final String NAME = "expected letters, digits, '.', '-' and '_'";
    private static final String VALUE = "expected a value without control characters, in Latin-1";

    @TempDir private Path folder;

    static Stream<Arguments> quantities() {
        return Stream.of(
                wrong("--threads abc: " + COUNT, "--threads", "abc"),
                wrong("--threads 0: " + COUNT, "--threads", "0"),
                wrong("--threads -1: " + COUNT, "--threads", "-1"),
                wrong("--threads 1.5: " + COUNT, "--threads", "1.5"),
                wrong("--threads : " + COUNT, "--threads="),
                wrong("-c 0: " + COUNT, "-c", "0"),
                wrong("--threads 2000000: expected at most 1000000", "--threads", "2000000"),
                wrong("--threads 2000000: expected at most 1000000", "-c", "2m"),
                wrong("--iterations abc: " + COUNT, "--iterations", "abc"),
                wrong("--iterations 0: " + COUNT, "--iterations", "0"),
                wrong("-n -1: " + COUNT, "-n", "-1"),
                wrong(
                        "--iterations 1000000001: expected at most 1000000000",
                        "--iterations",
                        "1000000001"),
                wrong("--duration 5: " + TIME, "--duration", "5"),
                wrong("--duration 0s: " + TIME, "--duration", "0s"),
                wrong("--duration 2d: " + TIME, "--duration", "2d"),
                wrong("--duration 90000s: expected at most 24h", "--duration", "25h"),
                wrong(
                        "--iterations 5: expected no --duration beside it",
                        "--iterations",
                        "5",
                        "--duration",
                        "5s"),
                wrong("--connect-timeout 5: " + TIME, "--connect-timeout", "5"),
                wrong("--connect-timeout 0ms: " + TIME, "--connect-timeout", "0ms"),
                wrong("--connect-timeout 90000s: expected at most 24h", "--connect-timeout", "25h"),
                wrong("--timeout -1s: " + TIME, "--timeout", "-1s"),
                wrong("--timeout 5 s: " + TIME, "--timeout", "5 s"),
                wrong("--timeout 90000s: expected at most 24h", "--timeout", "25h"));
    }

    static Stream<Arguments> repeated() {
        String once = ": given twice: expected it once";
        return Stream.of(
                wrong("--url" + once, "--url", "http://h/", "--url", "http://other/"),
                wrong("--timeout" + once, "--timeout", "1s", "--timeout", "2s"),
                wrong(
                        "--server-metrics" + once,
                        "--server-metrics=/a",
                        "--server-metrics=/metrics.json"),
                wrong(
                        "-c: given twice, also as --threads: expected it once",
                        "--threads=1",
                        "-c=1"),
                wrong("--body" + once + " for a request", "--post=/", "--body=a", "--body=b"),
                wrong("--expect" + once + " for a request", "--expect=a", "--expect=b"));
    }

    static Stream<Arguments> phases() {
        String item = "',', 'for', 'at' or the end";
        String length = "a time such as 30s, or a count and 'iterations'";
        String rate = "a rate such as 500/s or 10/s..500/s";
        return Stream.of(
                phases("", PHASE_NAME, 1),
                phases("  ", PHASE_NAME, 3),
                phases("=1", PHASE_NAME, 1),
                phases(",peak=1", PHASE_NAME, 1),
                phases("peak=1,", PHASE_NAME, 8),
                phases("peak=1, ,a=1", PHASE_NAME, 9),
                phases("warmup=0.1,Peak=1", PHASE_NAME, 12),
                phases("pe/ak=1", PHASE_NAME, 1),
                phases("peak", "'=' and a share", 5),
                phases("the peak=1", "'=' and a share", 5),
                phases("peak,a=1", "'=' and a share", 5),
                phases("peak=", SHARE, 6),
                phases("peak=,a=1", SHARE, 6),
                phases("peak= all", SHARE, 7),
                phases("peak=0", SHARE, 6),
                phases("peak=-0.5", SHARE, 6),
                phases("peak=+1", SHARE, 6),
                phases("peak=1.5", SHARE, 6),
                phases("peak=1.", SHARE, 6),
                phases("peak=1e-1", SHARE, 6),
                phases("peak=NaN", SHARE, 6),
                phases("peak=Infinity", SHARE, 6),
                phases("peak=0x1p0", SHARE, 6),
                phases("peak=1,peak=0.5", "a name that is not taken", 8),
                phases("peak=1, a=1, peak=0.5 for 1s", "a name that is not taken", 14),
                phases("peak=1=2", item, 7),
                phases("peak=1 30s", item, 8),
                phases("peak=1 For 30s", item, 8),
                phases("peak=1 for 30s x", "',', 'at' or the end", 16),
                phases("peak=1 for 30s for 40s", "',', 'at' or the end", 16),
                phases("peak=1 at 1/s at 2/s", "',', 'for' or the end", 15),
                phases("peak=1 at 1/s for 30s at 2/s", "',' or the end", 23),
                phases("peak=1 for", length, 11),
                phases("peak=1 for ,a=1", length, 12),
                phases("peak=1 for 30", length, 12),
                phases("peak=1 for 30 s", length, 12),
                phases("peak=1 for 0s", length, 12),
                phases("peak=1 for 721h", length, 12),
                phases("peak=1 for 0 iterations", length, 12),
                phases("peak=1 for 1.5 iterations", length, 12),
                phases("peak=1 for 30s iterations", length, 12),
                phases("peak=1 for 1001m iterations", length, 12),
                phases("peak=1 for 5 iteration_s", length, 12),
                phases("peak=1 at", rate, 10),
                phases("peak=1 at 500", rate, 11),
                phases("peak=1 at 0/s", rate, 11),
                phases("peak=1 at 500/d", rate, 11),
                phases("peak=1 at 500/s..", rate, 11),
                phases("peak=1 at ..500/s", rate, 11),
                phases("peak=1 at 10/s.. 500/s", rate, 11),
                phases("peak=1 at 1/s..2/s..3/s", rate, 11),
                phases("peak=1 at 11m/s", rate, 11),
                wrong(
                        "--phases peak=1,?=1: expected "
                                + PHASE_NAME
                                + " at character 8, found"
                                + " '?=1'",
                        "--phases",
                        "peak=1,\u001b=1"));
    }

    static Stream<Arguments> loads() {
        String rate = "expected a rate such as 500/s, 1.5k/s or 30/m";
        String pause = "expected a time of 0s or more, such as 250ms, 30s, 5m or 1h";
        String open = "expected --rate, or 'at' in --phases, beside it";
        return Stream.of(
                wrong(
                        "--seed x: expected a whole number of 0 or more, such as 100 or 10k",
                        "--seed",
                        "x"),
                wrong(
                        "--seed -1: expected a whole number of 0 or more, such as 100 or 10k",
                        "--seed=-1"),
                wrong("--think 5: " + pause, "--think", "5"),
                wrong("--think : " + pause, "--think="),
                wrong("--think 1s..: " + pause, "--think", "1s.."),
                wrong("--think ..1s: " + pause, "--think", "..1s"),
                wrong("--think 1s..2s..3s: " + pause, "--think", "1s..2s..3s"),
                wrong("--think 2s..1s: expected 0 or more, the longest last", "--think", "2s..1s"),
                wrong("--think 721h: expected more than 0 and at most 30 days", "--think", "721h"),
                wrong("--pacing -1s: " + pause, "--pacing", "-1s"),
                wrong(
                        "--think: expected a phase without 'at' beside it",
                        "--think",
                        "1s",
                        "--phases",
                        "a=1 at 5/s,b=1 at 9/s"),
                wrong(
                        "--pacing 2s..1s: expected 0 or more, the longest last",
                        "--pacing",
                        "2s..1s"),
                wrong(
                        "--pacing 1s..2s: expected no --think beside it",
                        "--think",
                        "100ms",
                        "--pacing",
                        "1s..2s"),
                wrong("--ramp 0s: " + TIME, "--ramp", "0s"),
                wrong("--ramp 5: " + TIME, "--ramp", "5"),
                wrong("--ramp 90000s: expected at most 24h", "--ramp", "25h"),
                wrong("--rate abc: " + rate, "--rate", "abc"),
                wrong("--rate 500: " + rate, "--rate", "500"),
                wrong("--rate 1/s..5/s: " + rate, "--rate", "1/s..5/s"),
                wrong("--rate 0/s: expected a rate above 0", "--rate", "0/s"),
                wrong("--rate 11m/s: expected at most 10,000,000/s", "--rate", "11m/s"),
                wrong(
                        "--rate 1/h: expected a rate that can be multiplied by the share of a",
                        "--rate",
                        "1/h",
                        "--phases",
                        "b=1,a=0.0000001"),
                wrong(
                        "--rate 5/s: expected no --think beside it",
                        "--rate",
                        "5/s",
                        "--think",
                        "1s..2s"),
                wrong(
                        "--rate 5/s: expected no --pacing beside it",
                        "--rate",
                        "5/s",
                        "--pacing",
                        "1s"),
                wrong("--rate 5/s: expected no --ramp beside it", "--rate", "5/s", "--ramp", "1s"),
                wrong(
                        "--arrivals even: expected constant or poisson",
                        "--rate",
                        "5/s",
                        "--arrivals",
                        "even"),
                wrong("--arrivals even: expected constant or poisson", "--arrivals", "even"),
                wrong("--arrivals : expected constant or poisson", "--arrivals="),
                wrong("--arrivals poisson: " + open, "--arrivals", "poisson"),
                wrong(
                        "--overload wait: expected queue or drop",
                        "--rate",
                        "5/s",
                        "--overload",
                        "wait"),
                wrong("--overload Drop: expected queue or drop", "--overload", "Drop"),
                wrong("--overload drop: " + open, "--overload", "drop"),
                wrong(
                        "--phases peak=1 at 10/s..500/s: expected 'for' and a time beside the ramp"
                                + " of peak",
                        "--phases",
                        "peak=1 at 10/s..500/s"),
                wrong(
                        "--phases a=1, b=1 at 1/s..5/s for 10 iterations: expected 'for' and a time"
                                + " beside the ramp of b",
                        "--phases",
                        "a=1, b=1 at 1/s..5/s for 10 iterations"),
                wrong(
                        "--arrivals poisson: expected constant beside the ramp of peak",
                        "--arrivals",
                        "poisson",
                        "--phases",
                        "peak=1 at 10/s..500/s for 5s"));
    }

    static Stream<Arguments> checks() {
        return Stream.of(
                check("", 1),
                check("200", 1),
                check("status", 1),
                check("status=", 1),
                check("status=20", 1),
                check("status=2000", 1),
                check("status=200,", 1),
                check("status~200", 1),
                check("body='alive'", 1),
                check("body~", 1),
                check("body~''", 1),
                check("body~'alive", 1),
                check("body~'alive'x", 1),
                check("status=200 x", 12),
                check("status=200  body~'a' status=2", 22),
                check("status=200body~a", 1),
                wrong("--expect status=999: expected 100 to 599", "--expect", "status=999"),
                wrong("--expect body~' ': expected some text", "--expect", "body~' '"),
                wrong(
                        "--expect x: expected " + CHECKS + "; character 1 isn't one",
                        "--get",
                        "/",
                        "--expect",
                        "x"));
    }

    static Stream<Arguments> targets() {
        return Stream.of(
                url("localhost:8080/", URL),
                url("localhost", URL),
                url("//localhost/", URL),
                url("", URL),
                url("http:///path", URL),
                url("http://:8080/", URL),
                url("http://localhost:99999/", URL),
                url("http://localhost:0/", URL),
                url("ftp://localhost/", URL),
                url("http://local host/", URL),
                url("http://localhost/a b", URL),
                url("http://localhost/?expected#part", "expected no fragment (#…)"),
                url("http://localhost/#part", "expected no fragment (#…)"),
                wrong("--target nginx: expected tomcat or lambda", "--target", "nginx"),
                wrong("--target : expected tomcat or lambda", "--target="),
                lambda("--lambda-instances 0: " + COUNT, "--lambda-instances", "0"),
                lambda(
                        "--lambda-instances 20000: expected at most 10000",
                        "--lambda-instances",
                        "20k"),
                lambda("--lambda-cold-start 0s: " + TIME, "--lambda-cold-start", "0s"),
                lambda(
                        "--lambda-cold-start 90000s: expected at most 24h",
                        "--lambda-cold-start",
                        "25h"),
                wrong(
                        "--lambda-instances: expected --target lambda beside it",
                        "--lambda-instances",
                        "5"),
                wrong(
                        "--lambda-cold-start: expected --target lambda beside it",
                        "--target",
                        "tomcat",
                        "--lambda-cold-start",
                        "1s"),
                wrong(
                        "--lambda-instances: expected --target lambda beside it",
                        "--url",
                        "http://localhost/",
                        "--lambda-instances",
                        "5"),
                wrong(
                        "--target tomcat: expected no --url beside it",
                        "--url",
                        "http://localhost/",
                        "--target",
                        "tomcat"),
                wrong("--engine steam: expected events or threads", "--engine", "steam"),
                wrong(
                        "--virtual: expected --engine threads beside it",
                        "--engine",
                        "events",
                        "--virtual"),
                wrong(
                        "--transport kqueue: expected epoll or nio",
                        "--engine",
                        "events",
                        "--transport",
                        "kqueue"),
                wrong(
                        "--loops 1025: expected at most 1024",
                        "--engine",
                        "events",
                        "--loops",
                        "1025"),
                wrong(
                        "--connect-rate fast: expected a rate such as 500/s, 1.5k/s or 30/m",
                        "--connect-rate",
                        "fast"),
                wrong("--http2: expected --engine events beside it", "--http2"),
                wrong("--streams 2: expected --http2 beside it", "--streams", "2"),
                wrong("--windows 1MiB,1MiB: expected --http2 beside it", "--windows", "1MiB,1MiB"),
                wrong(
                        "--windows 1MiB: expected bytes of a stream and of a connection, such as"
                                + " 6MiB,15MiB",
                        "--engine",
                        "events",
                        "--http2",
                        "--windows",
                        "1MiB"),
                wrong(
                        "--windows 1,1MiB: expected 65535 to 2147483647",
                        "--engine",
                        "events",
                        "--http2",
                        "--windows",
                        "1,1MiB"),
                wrong(
                        "--streams 10001: expected at most 10000",
                        "--engine",
                        "events",
                        "--http2",
                        "--streams",
                        "10001"),
                wrong(
                        "--pipeline 1001: expected at most 1000",
                        "--engine",
                        "events",
                        "--pipeline",
                        "1001"),
                wrong(
                        "--pipeline 2: expected no --http2 beside it",
                        "--engine",
                        "events",
                        "--http2",
                        "--pipeline",
                        "2"),
                wrong("--pipeline 2: expected --engine events beside it", "--pipeline", "2"),
                wrong("--loops 2: expected --engine events beside it", "--loops", "2"),
                wrong("--transport nio: expected --engine events beside it", "--transport", "nio"));
    }

    /** In none of these does the line repeat what may be a secret. */
    static Stream<Arguments> secrets() {
        String userInfo = "expected no user information; send an Authorization header";
        return Stream.of(
                wrong("--url http://…@localhost/: " + userInfo, "--url", "http://me:pw@localhost/"),
                wrong("--url http://…@localhost/: " + userInfo, "--url", "http://pw@localhost/"),
                wrong("--url http://…@localhost/: " + URL, "--url", "http://me:p@w@localhost/"),
                wrong("--url http://…@localhost/: " + URL, "--url", "http://me:p/w@localhost/"),
                wrong("--url …@localhost/: " + URL, "--url", "me:pw@localhost/"),
                wrong("--url ftp://…@localhost/: " + URL, "--url", "ftp://me:pw@localhost/"),
                wrong(
                        "--url http://…@local host/: " + URL,
                        "--url",
                        "http://me:expected pw@local host/"),
                wrong("--header Cookie: " + VALUE, "-H", "Cookie: pw\rX: y"),
                wrong("--header Cookie: " + VALUE, "-H", "Cookie: pw\nX: y"),
                wrong("--header Cookie: " + VALUE, "--header", " Cookie : pw\u20ac"),
                wrong("--header Authorization: expected 'Name: value'", "-H", "Authorization pw"),
                wrong("--header Authorization: expected 'Name: value'", "-H", "Authorization=pw"),
                wrong(
                        "--header My: expected letters, digits and -",
                        "--header",
                        "My Authorization: pw"),
                wrong("--header : expected 'Name: value'", "-H", ": pw"),
                wrong("--header : expected 'Name: value'", "-H", ":"),
                wrong("--header : expected 'Name: value'", "-H", "::"),
                wrong("--header : expected 'Name: value'", "-H", ""));
    }

    static Stream<Arguments> requests() {
        String framing = "expected one that the client doesn't set itself";
        return Stream.of(
                wrong("--get items: " + PATH, "--get", "items"),
                wrong("--get : " + PATH, "--get="),
                wrong("--get expected b: " + PATH, "--get", "expected b"),
                wrong(
                        "--url http://h/b?k=v: expected no query beside GET /x, which has a path of"
                                + " its own: put it there",
                        "--url",
                        "http://h/b?k=v",
                        "--get",
                        "/x"),
                wrong(
                        "--url http://straße.example/: expected its ASCII form (xn--…)",
                        "--url",
                        "http://straße.example/"),
                wrong("--get /%zz: " + PATH, "--get", "/ok", "--get", "/%zz"),
                wrong("--post /a b: " + PATH, "--post", "/a b"),
                wrong("--post /a#b: " + PATH, "--post", "/a#b"),
                wrong("--put a: " + PATH, "--put", "a"),
                wrong("--delete a: " + PATH, "--delete", "a"),
                wrong(
                        "--body @no-such-file: expected a file that can be read",
                        "--body",
                        "@no-such-file"),
                wrong("--body @: expected a file that can be read", "--body", "@"),
                wrong("--body x: " + WITH_BODY, "--get", "/", "--body", "x"),
                wrong("--body x: " + WITH_BODY, "--body", "x", "--delete", "/"),
                wrong("--body x: " + WITH_BODY, "--head", "/", "--body", "x"),
                wrong(
                        "--body @no-such-file: expected a file that can be read",
                        "--post",
                        "/",
                        "--body",
                        "@no-such-file"),
                wrong(
                        "--body @no-such-file: expected a file that can be read",
                        "--put",
                        "/",
                        "--body",
                        "@no-such-file"),
                wrong("--header no-colon: expected 'Name: value'", "-H", "no-colon"),
                wrong("--header Content-Length: " + framing, "-H", "Content-Length: 5"),
                wrong("--header transfer-encoding: " + framing, "-H", "transfer-encoding: chunked"),
                wrong("--name a b: " + NAME, "--name", "a b"),
                wrong("--name ../a: " + NAME, "--name", "../a"),
                wrong("--name : " + NAME, "--name="),
                wrong("--label x: expected key=value", "--label", "x"),
                wrong("--label =x: expected key=value", "--label", "=x"));
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                wrong("--thread: no such option, did you mean --threads?", "--thread", "5"),
                wrong("-threads: no such option, did you mean --threads?", "-threads", "5"),
                wrong("--itertions: no such option, did you mean --iterations?", "--itertions=5"),
                wrong("--distribution: no such option, --help lists them", "--distribution", "5"),
                wrong("-y: no such option, --help lists them", "-y"),
                wrong("stray: unexpected argument, options start with --", "--json", "stray"),
                wrong("--threads: a value is missing", "--threads"),
                wrong("--url: a value is missing (http://host[:port]/path or https://…)", "--url"),
                wrong("-H: a value is missing ('Name: value')", "--quiet", "-H"),
                wrong("--rate: a value is missing (a rate such as 500/s)", "--rate"),
                wrong("--arrivals: a value is missing (constant or poisson)", "--arrivals"),
                wrong("--overload: a value is missing (queue or drop)", "--overload"),
                wrong("--ramp: a value is missing", "--ramp"),
                wrong("--seed: a value is missing", "--seed"),
                wrong("--json yes: expected true or false, or no value at all", "--json=yes"),
                wrong("--threads a?b?[2J: " + COUNT, "--threads", "a\nb\u001b[2J"));
    }

    @ParameterizedTest
    @MethodSource({
        "quantities",
        "repeated",
        "phases",
        "loads",
        "checks",
        "targets",
        "secrets",
        "requests",
        "lines"
    })
    void isOneLine(String message, List<String> line) {
        Path out = folder.resolve("out");
        Stream<String> all = Stream.concat(Stream.of("--out", out.toString()), line.stream());
        Cli run = Cli.run(all.toArray());
        assertThat(run).isEqualTo(usage(message));
        assertThat(out).doesNotExist();
    }

    @Test
    void aWrongPropertyIsReportedLikeAnOption() {
        Cli run = Cli.runWith(Map.of("duration", "5"), "--out", folder.resolve("out"));
        assertThat(run).isEqualTo(usage("--duration 5: " + TIME));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "this JDK has virtual threads")
    void virtualThreadsNeedANewerJdk() {
        Cli run = Cli.run("--virtual", "--out", folder.resolve("out"));
        assertThat(run)
                .isEqualTo(
                        usage(
                                "--virtual: needs Java 21 or newer, this is Java "
                                        + Runtime.version().feature()));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("result.json"), "{}");
        assertThat(Cli.run("--out", folder))
                .isEqualTo(usage("--out " + folder + ": expected a folder that is new or empty"));
        assertThat(folder).isDirectoryContaining(file::equals);
        assertThat(file).hasContent("{}");
    }

    @Test
    void aFileIsNoFolder() throws Exception {
        Path file = Files.writeString(folder.resolve("out"), "text");
        Cli run = Cli.run("-o", file);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("--out " + file + ": expected a folder that can be written to: ")
                .hasLineCount(1);
        assertThat(file).hasContent("text");
        Path below = file.resolve("below");
        assertThat(Cli.run("-o", below).err())
                .startsWith("--out " + below + ": expected a folder that can be written to: ");
    }

    private static Arguments phases(String list, String expected, int character) {
        String rest = list.substring(character - 1);
        String found = rest.isEmpty() ? "the end" : "'" + rest + "'";
        return wrong(
                "--phases %s: expected %s at character %d, found %s"
                        .formatted(list, expected, character, found),
                "--phases",
                list);
    }

    private static Arguments check(String checks, int character) {
        return wrong(
                "--expect %s: expected %s; character %d isn't one"
                        .formatted(checks, CHECKS, character),
                "--expect",
                checks);
    }

    private static Arguments url(String url, String expected) {
        return wrong("--url " + url + ": " + expected, "--url", url);
    }

    private static Arguments lambda(String message, String option, String value) {
        return wrong(message, "--target", "lambda", option, value);
    }

    private static Arguments wrong(String message, String... line) {
        return arguments(message, List.of(line));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
