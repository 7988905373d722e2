package io.phaseload.cli.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignOptionsTest {

    private static final String ADDRESS = "http://127.0.0.1:9/";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    -z 10s                               | --duration 10s
                    -d 10s                               | --duration 10s
                    -d10s -c20                           | --duration 10s --threads 20
                    --vus 7 --rps 50                     | --threads 7 --rate 50/s
                    --connections 7 -R 50                | --threads 7 --rate 50/s
                    -q 50                                | --rate 50/s
                    -X PUT                               | --put /
                    -XPUT -d a=b                         | --put / --body a=b
                    -m PUT --data=a                      | --put / --body a
                    --request DELETE                     | --delete /
                    --method GET                         | --get /
                    --post / --data-raw x                | --post / --body x
                    --max-time 3                         | --timeout 3s
                    -m 0.5                               | --timeout 0.5s
                    -t 250ms                             | --timeout 250ms
                    -kS                                  | --insecure
                    -k --latency -f -l                   | --insecure
                    -I                                   | --head /
                    --insecure-skip-tls-verify           | -k
                    -h2 --engine events -p 5             | --http2 --engine events --streams 5
                    --disable-keepalive                  | -H Connection:close
                    -T text/css                          | -H Content-Type:text/css
                    -b a=b                               | -H Cookie:a=b
                    -U x --referer y                     | -H User-Agent:x -H Referer:y
                    --compressed                         | --decode
                    -L --max-redirs 0                    | --follow-redirects
                    -kL                                  | --insecure --follow-redirects
                    --digest -u me:secret                | --credentials me:secret
                    --user me:secret --anyauth           | --credentials me:secret
                    -x proxy:80                          | --proxy http://proxy:80
                    --socks5 p:80                        | --proxy socks5://p:80
                    --socks5-hostname p:80               | --proxy socks5h://p:80
                    -F a=b -F c=d                        | --post / --form a=b --form c=d
                    -F a=b -X PUT                        | --put / --form a=b
                    --tag a=b                            | --label a=b
                    -u me:secret                         | -H Authorization:x
                    --user=me:secret                     | -H Authorization:x
                    """)
    void meansTheSameAsOurOptions(String foreign, String ours) {
        Cli theirs = plan(foreign);
        assertThat(theirs.err()).isEmpty();
        assertThat(theirs.code()).isZero();
        assertThat(theirs.out()).isEqualTo(plan(ours).out());
    }

    private static Cli plan(String options) {
        return Cli.run(Stream.concat(Stream.of("plan", ADDRESS), Stream.of(options.split(" ")))
                .toArray());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --max-redirs 5   | --max-redirs: use --follow-redirects, for at most 50 in a row, or session: {redirects: N} of a plan's scenario
                    --cookie-jar f   | --cookie-jar: use --keep-cookies; users begin without cookies
                    -t 4             | -t: use --timeout T (hey, oha), --duration T (ab), or --engine events --loops N (wrk's threads)
                    -d 10            | -d: use --duration 10s, or --body TEXT
                    -X PURGE         | -X: expected one of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT
                    -u 10            | -u: expected NAME:PASSWORD; --threads N sets the number of users
                    --retry 2        | --retry: failed requests aren't sent again, they are counted; or use --client httpclient --retries N
                    --negotiate      | --negotiate: use --credentials NAME:PASSWORD, for Basic and Digest
                    --proxy-user a:b | --proxy-user: use --proxy http://NAME:PASSWORD@host:port
                    --data-urlencode a | --data-urlencode: use --post PATH --body 'a=b%20c&d=e' -H 'Content-Type: application/x-www-form-urlencoded'
                    -4               | -4: use --resolve HOST:PORT:ADDRESS
                    --interface eth0 | --interface: the system chooses the local address
                    -s wrk.lua       | -s: use options or --plan FILE (scripts of wrk, simulations of Gatling), or --phases LIST (k6's stages)
                    --stage 10s:5    | --stage: use --phases, such as 'rise=1 at 10/s..500/s for 1m'
                    --max-time x     | --max-time: expected seconds
                    --data-raw @x    | --data-raw: a body that begins with @ has to come from a file, by --body @FILE
                    -z               | -z: a value is missing
                    -threads 5       | -threads: no such option, did you mean --threads?
                    --json {}        | --json {}: prints the result as JSON; expected --body for what is sent
                    """)
    void unsupportedOptionsAreNamed(String options, String line) {
        Cli plan = plan(options);
        assertThat(plan.err().strip()).isEqualTo(line);
        assertThat(plan.code()).isEqualTo(2);
        assertThat(plan.out()).isEmpty();
    }

    @Test
    void aValueOfOurOptionsIsNoOption(@TempDir Path folder) {
        try (RecordingServer server = RecordingServer.start()) {
            Cli run = Cli.run(
                    server.url(),
                    "--phases",
                    "peak=1",
                    "-c1",
                    "-n1",
                    "-q",
                    "-o",
                    folder.resolve("out"),
                    "--put",
                    "/",
                    "--body",
                    "-L");
            assertThat(run.err()).isEmpty();
            assertThat(server.received()).singleElement().satisfies(it -> assertThat(it.text())
                    .isEqualTo("-L"));
        }
    }

    @ParameterizedTest
    @MethodSource("users")
    void aPasswordIsSentAndReachesNoFile(List<String> user, @TempDir Path folder) throws Exception {
        try (RecordingServer server = RecordingServer.start()) {
            Path out = folder.resolve("out");
            List<Object> line = Stream.concat(
                            Stream.of(server.url(), "--phases", "peak=1", "-n", 1, "-c", 1),
                            Stream.of("-o", out, "--get", "/"))
                    .collect(java.util.stream.Collectors.toList());
            line.addAll(user);
            assertThat(Cli.run(line.toArray()).code()).isZero();
            // "me:s3cr3t" in Base64.
            assertThat(server.received().get(0).headers().getFirst("Authorization"))
                    .isEqualTo("Basic bWU6czNjcjN0");
            try (Stream<Path> files = Files.list(out)) {
                assertThat(files).isNotEmpty().allSatisfy(file -> assertThat(new String(Files.readAllBytes(file)))
                        .doesNotContain("s3cr3t", "bWU6czNjcjN0"));
            }
        }
    }

    static Stream<List<String>> users() {
        return Stream.of(List.of("-u", "me:s3cr3t"), List.of("-a", "me:s3cr3t"));
    }

    @Test
    void theDocumentationNamesThemAll() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("basedir", ""), "..", "..", "docs/options.md"));
        assertThat(ForeignTable.names()).doesNotHaveDuplicates().allSatisfy(name -> assertThat(page)
                .containsPattern("`" + name + "[ `]"));
    }
}
