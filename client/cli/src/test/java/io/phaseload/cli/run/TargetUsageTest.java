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

/** Whatever is wrong with a target or an engine on a command line. */
class TargetUsageTest {

    private static final String COUNT = "expected a whole number of 1 or more, such as 100 or 10k";
    private static final String TIME = "expected a time above 0, such as 250ms, 30s, 5m or 1h";
    private static final String URL = "expected http://host[:port]/path or https://…";

    @TempDir
    private Path folder;

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
                lambda("--lambda-instances 20k: expected at most 10000", "--lambda-instances", "20k"),
                lambda("--lambda-cold-start 0s: " + TIME, "--lambda-cold-start", "0s"),
                lambda(
                        "--lambda-cold-start 721h: expected more than 0 and at most 30 days",
                        "--lambda-cold-start",
                        "721h"),
                wrong("--lambda-instances 5 needs --target lambda", "--lambda-instances", "5"),
                wrong(
                        "--lambda-cold-start 1s needs --target lambda",
                        "--target",
                        "tomcat",
                        "--lambda-cold-start",
                        "1s"),
                wrong(
                        "--lambda-instances 5 needs --target lambda",
                        "--url",
                        "http://localhost/",
                        "--lambda-instances",
                        "5"),
                wrong(
                        "--target tomcat cannot be combined with --url",
                        "--url",
                        "http://localhost/",
                        "--target",
                        "tomcat"),
                wrong("--engine steam: expected events or threads or websocket", "--engine", "steam"),
                wrong("--virtual needs --engine threads", "--engine", "events", "--virtual"),
                wrong("--transport kqueue: expected epoll or nio", "--engine", "events", "--transport", "kqueue"),
                wrong("--loops 1025: expected at most 1024", "--engine", "events", "--loops", "1025"),
                wrong("--connect-rate fast: expected a rate such as 500/s, 1.5k/s or 30/m", "--connect-rate", "fast"),
                wrong("--http2 needs --engine events", "--http2"),
                wrong("--streams 2 needs --http2", "--streams", "2"),
                wrong("--windows 1MiB,1MiB needs --http2", "--windows", "1MiB,1MiB"),
                wrong(
                        "--windows 1MiB: expected bytes per stream and per connection, such as" + " 6MiB,15MiB",
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
                wrong("--streams 10001: expected at most 10000", "--engine", "events", "--http2", "--streams", "10001"),
                wrong("--pipeline 1001: expected at most 1000", "--engine", "events", "--pipeline", "1001"),
                wrong(
                        "--pipeline 2 cannot be combined with --http2",
                        "--engine",
                        "events",
                        "--http2",
                        "--pipeline",
                        "2"),
                wrong("--pipeline 2 needs --engine events", "--pipeline", "2"),
                wrong("--loops 2 needs --engine events", "--loops", "2"),
                wrong("--client curl: expected wire or httpclient", "--client", "curl"),
                wrong("--client httpclient needs --engine threads", "--engine", "events", "--client", "httpclient"),
                wrong(
                        "--client httpclient needs --engine threads",
                        "--engine",
                        "events",
                        "--http2",
                        "--client",
                        "httpclient"),
                wrong("--http2 needs --engine events", "--http2", "--client", "httpclient"),
                wrong("--pool 8 needs --client httpclient", "--pool", "8"),
                wrong("--pool-per-route 8 needs --client httpclient", "--pool-per-route", "8"),
                wrong("--pool-policy fifo needs --client httpclient", "--pool-policy", "fifo"),
                wrong("--pool-concurrency lax needs --client httpclient", "--pool-concurrency", "lax"),
                wrong("--pool-time-to-live 1s needs --client httpclient", "--pool-time-to-live", "1s"),
                wrong("--pool-validate-after 1s needs --client httpclient", "--pool-validate-after", "1s"),
                wrong("--lease-timeout 1s needs --client httpclient", "--lease-timeout", "1s"),
                wrong("--retries 1 needs --client httpclient", "--retries", "1"),
                wrong("--expect-continue needs --client httpclient", "--expect-continue"),
                wrong("--pool-keep-alive 1s needs --client httpclient", "--pool-keep-alive", "1s"),
                wrong("--bearer-token needs --client httpclient", "--bearer-token", "secret"),
                wrong(
                        "--proxy ftp://…@gate:80: expected http://[NAME:PASSWORD@]host:port,"
                                + " socks5://host:port or socks5h://host:port",
                        "--proxy",
                        "ftp://me:secret@gate:80"),
                wrong(
                        "--http2 cannot be combined with --proxy",
                        "--engine",
                        "events",
                        "--http2",
                        "--proxy",
                        "http://gate:80"),
                wrong(
                        "--resolve other:80:127.0.0.1: expected it for localhost:8080, which" + " requests are sent to",
                        "--url",
                        "http://localhost:8080/",
                        "--resolve",
                        "other:80:127.0.0.1"),
                wrong(
                        "--connect-to a: expected HOST:PORT:HOST2:PORT2, with the host and port" + " of the url",
                        "--connect-to",
                        "a"),
                wrong(
                        "--connect-to ::a:1 cannot be combined with --unix-socket",
                        "--unix-socket",
                        "/s",
                        "--connect-to",
                        "::a:1"),
                wrong("--unix-socket /s needs --client wire", "--client", "httpclient", "--unix-socket", "/s"),
                wrong("--credentials: expected NAME:PASSWORD", "--client", "httpclient", "--credentials", "secret"),
                wrong("--credentials: expected NAME:PASSWORD", "--credentials", "secret"),
                wrong(
                        "--decode cannot be combined with --aws-sigv4",
                        "--decode",
                        "--aws-sigv4",
                        "aws:amz:eu-west-1:lambda"),
                wrong(
                        "--keep-cookies: expected one request with a rate, or a plan with"
                                + " scenarios: an arrival would be all of them",
                        "--keep-cookies",
                        "--rate",
                        "5/s",
                        "--get",
                        "/",
                        "--get",
                        "/2"),
                wrong(
                        "--pool-per-route 2 needs --pool N",
                        "--client",
                        "httpclient",
                        "--pool",
                        "user",
                        "--pool-per-route",
                        "2"),
                wrong("--transport nio needs --engine events", "--transport", "nio"));
    }

    @ParameterizedTest
    @MethodSource({"targets"})
    void isOneLine(String message, List<String> line) {
        Usage.assertRefused(message, line, folder.resolve("out"));
    }

    private static Arguments url(String url, String expected) {
        return wrong("--url " + url + ": " + expected, "--url", url);
    }

    private static Arguments lambda(String message, String option, String value) {
        return wrong(message, "--target", "lambda", option, value);
    }
}
