package io.phaseload.cli.run;

import static io.phaseload.cli.Usage.wrong;

import io.phaseload.cli.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with the requests of a command line; what may be a secret is not repeated. */
class RequestUsageTest {

    private static final String URL = "expected http://host[:port]/path or https://…";
    private static final String PATH = "expected a path that begins with / and is percent-encoded";
    private static final String CHECKS =
            "checks such as status=200, status<400, body~'alive', header:Content-Type~json, json:/items/0/id>0, time<300ms or body='alive' as 'a cause', with blanks between";
    private static final String NUMBER = "=, !=, <, <=, > or >= and a number after status";
    private static final String STATUS = "a status such as 200 or 2xx";
    private static final String WITH_BODY = "needs --post, --put or --patch, or --delete or --options before it";
    private static final String NAME = "expected letters, digits, '.', '-' and '_'";
    private static final String VALUE = "expected a value without control characters, in Latin-1";

    @TempDir
    private Path folder;

    static Stream<Arguments> checks() {
        return Stream.of(
                check("", CHECKS, 1),
                check("200", CHECKS, 1),
                check("status", NUMBER, 1),
                check("status=", "a text", 8),
                check("status=20", STATUS, 1),
                check("status=2000", STATUS, 1),
                check("status=200,", STATUS, 1),
                check("status~200", NUMBER, 1),
                check("body=", "a text", 6),
                check("body~", "a text", 6),
                wrong("--expect body~'': expected some text", "--expect", "body~''"),
                check("body~'alive", "a text", 6),
                check("body~'alive'x", CHECKS, 13),
                check("status=200 x", CHECKS, 12),
                check("status=200  body~'a' status=2", STATUS, 22),
                check("status=200body~a", STATUS, 1),
                wrong("--expect status=999: expected 100 to 599", "--expect", "status=999"),
                wrong("--expect body~' ': expected some text", "--expect", "body~' '"),
                wrong(
                        "--expect x: expected " + CHECKS + "; found something else at character 1",
                        "--get",
                        "/",
                        "--expect",
                        "x"));
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
                wrong("--url http://…@local host/: " + URL, "--url", "http://me:expected pw@local host/"),
                wrong("-H Cookie: " + VALUE, "-H", "Cookie: pw\rX: y"),
                wrong("-H Cookie: " + VALUE, "-H", "Cookie: pw\nX: y"),
                wrong("--header Cookie: " + VALUE, "--header", " Cookie : pw\u20ac"),
                wrong("-H Authorization: expected 'Name: value'", "-H", "Authorization pw"),
                wrong("-H Authorization: expected 'Name: value'", "-H", "Authorization=pw"),
                wrong(
                        "--header My: expected a name without blanks before the colon",
                        "--header",
                        "My Authorization: pw"),
                wrong("-H : expected 'Name: value'", "-H", ": pw"),
                wrong("-H : expected 'Name: value'", "-H", ":"),
                wrong("-H : expected 'Name: value'", "-H", "::"),
                wrong("-H : expected 'Name: value'", "-H", ""));
    }

    static Stream<Arguments> requests() {
        String framing = "expected one that the client doesn't set itself";
        return Stream.of(
                wrong("--get items: " + PATH, "--get", "items"),
                wrong("--get : " + PATH, "--get="),
                wrong("--get expected b: " + PATH, "--get", "expected b"),
                wrong(
                        "--url http://h/b?k=v: its query would not be sent with GET /x, which has its own path",
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
                wrong("--body @no-such-file: expected a readable file", "--body", "@no-such-file"),
                wrong("--body @: expected a readable file", "--body", "@"),
                wrong("--body x " + WITH_BODY, "--get", "/", "--body", "x"),
                wrong("--body x " + WITH_BODY, "--body", "x", "--delete", "/"),
                wrong("--body x " + WITH_BODY, "--head", "/", "--body", "x"),
                wrong("--body @no-such-file: expected a readable file", "--post", "/", "--body", "@no-such-file"),
                wrong("--body @no-such-file: expected a readable file", "--put", "/", "--body", "@no-such-file"),
                wrong("-H no-colon: expected 'Name: value'", "-H", "no-colon"),
                wrong("-H Content-Length: " + framing, "-H", "Content-Length: 5"),
                wrong("-H transfer-encoding: " + framing, "-H", "transfer-encoding: chunked"),
                wrong("--name a b: " + NAME, "--name", "a b"),
                wrong("--name ../a: " + NAME, "--name", "../a"),
                wrong("--name : " + NAME, "--name="),
                wrong("--label x: expected key=value", "--label", "x"),
                wrong("--label =x: expected key=value", "--label", "=x"));
    }

    @ParameterizedTest
    @MethodSource({"checks", "secrets", "requests"})
    void isOneLine(String message, List<String> line) {
        Usage.assertRefused(message, line, folder.resolve("out"));
    }

    private static Arguments check(String checks, String expected, int character) {
        return wrong(
                "--expect %s: expected %s; found something else at character %d".formatted(checks, expected, character),
                "--expect",
                checks);
    }
}
