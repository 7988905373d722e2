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
    private static final String NAME = "expected letters, digits, '.', '-' and '_'";
    private static final String VALUE = "expected a value without control characters, in Latin-1";
    private static final String PHASES =
            "expected name=share,… with lower-case names and shares above 0 and at most 1, such as"
                    + " warmup=0.1,peak=1, not ";

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

    static Stream<Arguments> phases() {
        return Stream.of(
                phases("", "''"),
                phases("peak", "'peak'"),
                phases("=1", "'=1'"),
                phases("peak=", "'peak='"),
                phases("peak=all", "'peak=all'"),
                phases("peak=0", "'peak=0'"),
                phases("peak=-0.5", "'peak=-0.5'"),
                phases("peak=1.5", "'peak=1.5'"),
                phases("peak=NaN", "'peak=NaN'"),
                phases("peak=Infinity", "'peak=Infinity'"),
                phases("peak=1,", "''"),
                phases("warmup=0.1,Peak=1", "'Peak=1'"),
                phases("the peak=1", "'the peak=1'"),
                wrong(
                        "--phases peak=1,peak=0.5: expected names that are unique, there are two of"
                                + " peak",
                        "--phases",
                        "peak=1,peak=0.5"));
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
                wrong("--target lambda: expected tomcat", "--target", "lambda"),
                wrong("--target : expected tomcat", "--target="),
                wrong(
                        "--target tomcat: expected no --url beside it",
                        "--url",
                        "http://localhost/",
                        "--target",
                        "tomcat"),
                wrong("--engine events: expected threads", "--engine", "events"));
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
                wrong("--get /ä: " + PATH, "--get", "/ä"),
                wrong("--get /%zz: " + PATH, "--get", "/ok", "--get", "/%zz"),
                wrong("--post /a b: " + PATH, "--post", "/a b"),
                wrong("--post /a#b: " + PATH, "--post", "/a#b"),
                wrong(
                        "--body @no-such-file: expected a file that can be read",
                        "--body",
                        "@no-such-file"),
                wrong("--body @: expected a file that can be read", "--body", "@"),
                wrong(
                        "--body @no-such-file: expected a file that can be read",
                        "--post",
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
                wrong("--arrivals: no such option, --help lists them", "--arrivals", "poisson"),
                wrong("-x: no such option, --help lists them", "-x"),
                wrong("stray: unexpected argument, options start with --", "--json", "stray"),
                wrong("--threads: a value is missing", "--threads"),
                wrong("--url: a value is missing (http://host[:port]/path or https://…)", "--url"),
                wrong("-H: a value is missing ('Name: value')", "--quiet", "-H"),
                wrong("--json yes: expected true or false, or no value at all", "--json=yes"),
                wrong("--threads a?b?[2J: " + COUNT, "--threads", "a\nb\u001b[2J"));
    }

    @ParameterizedTest
    @MethodSource({"quantities", "phases", "targets", "secrets", "requests", "lines"})
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

    private static Arguments phases(String list, String item) {
        return wrong("--phases " + list + ": " + PHASES + item, "--phases", list);
    }

    private static Arguments url(String url, String expected) {
        return wrong("--url " + url + ": " + expected, "--url", url);
    }

    private static Arguments wrong(String message, String... line) {
        return arguments(message, List.of(line));
    }

    private static Cli usage(String line) {
        return new Cli(2, "", line + System.lineSeparator());
    }
}
