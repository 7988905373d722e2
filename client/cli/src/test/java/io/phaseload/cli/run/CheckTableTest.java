package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Site;
import io.phaseload.plan.check.Check;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Each kind of check with an example that holds and one that doesn't, on each engine. */
@Tag("slow")
@Timeout(60)
class CheckTableTest {

    private static final String JSON = "{\"items\":[{\"id\":7,\"name\":\"first one\"},{\"id\":8}],\"total\":2}";

    private static final String HTML = "<ul><li class=item>one<li class=item>two</ul><a href=\"/next?page=2\">next</a>";

    /** More than is kept of a body, in a few bytes. */
    private static final byte[] PACKED = new byte[3 << 20];

    /** A page, a check that holds, one that doesn't, and the beginning of the message that quotes what was found. */
    private static final String TABLE =
            """
            json   | status<400                             | status>=400                            | status 200
            json   | status=2xx                             | status!=2xx                            | status 200
            json   | status!=404                            | status=404                             | status 200
            json   | header:Content-Type~json               | header:Content-Type~xml                | found: application/problem+json
            json   | header:X-Id=12                         | header:X-Id=13                         | found: 12
            json   | header:X-Id                            | header:X-None                          | no value in the header
            json   | not:header:X-None                      | not:header:X-Id                        | found: 12
            json   | count:header:X-Id=1                    | count:header:X-Id>1                    | count 1
            json   | cookie:sid                             | cookie:other                           | no value in the header
            json   | cookie:sid=s1                          | cookie:sid=s2                          | found: [redacted]
            json   | not:cookie:other                       | not:cookie:sid                         | found: [redacted]
            json   | type=json                              | type=xml                               | Content-Type application/problem+json
            json   | size<10k                               | size>10k                               | size 58
            json   | time<30s                               | time>30s                               | time\s
            json   | json:/items/0/id>0                     | json:/items/0/id<0                     | found: 7
            json   | json:/total=2.0                        | json:/total=3                          | found: 2
            json   | json:/items/1                          | json:/none                             | no value in: {"items"
            json   | json:/items/0/name~first               | json:/items/0/name~second              | found: first one
            json   | json:/items/0/name~/^first/            | json:/items/0/name!~/^first/           | found: first one
            json   | jsonpath:$.items[?(@.id==8)].id=8      | jsonpath:$.items[?(@.id==8)].id=9      | found: 8
            json   | count:json:/items/*=2                  | count:json:/items/*=3                  | count 2
            json   | count:jsonpath:$..id>=2                | count:jsonpath:$..id<2                 | count 2
            json   | body~first                             | body~error                             | {"items"
            json   | body='JSON'                            | body=x                                 | {"items"
            json   | body!~error                            | body!~first                            | {"items"
            json   | body~/"id": ?7/                        | body!~/id/                             | {"items"
            json   | sha256=DIGEST                          | sha256!=DIGEST                         | {"items"
            json   | bytes~6974656d73                       | bytes~00ff                             | {"items"
            json   | bytes=HEX                              | bytes=6974656d73                       | 58 bytes
            json   | schema:SCHEMA                          | not:schema:SCHEMA                      | {"items"
            html   | type=html                              | type=json                              | Content-Type text/html
            html   | css:li.item=one                        | css:li.item=two                        | found: one
            html   | css:a@href~/next                       | css:a@href=/other                      | found: /next?page=2
            html   | count:css:li>=2                        | count:css:li>=3                        | count 2
            html   | css:'ul > li'!=two                     | css:'ul > li'=two                      | found: one
            html   | not:css:p                              | css:p                                  | no value in: <ul>
            html   | xpath:count(//li)=2                    | xpath:count(//li)>2                    | found: 2
            html   | xpath://a='next'                       | xpath://a='last'                       | found: next
            packed | size=3145728                           | size!=3145728                          | size 3145728
            """;

    /** In a journey, a text may have a value. */
    private static final Row TEMPLATE = new Row(
            "json",
            List.of("json:/items/0/id={id}"),
            List.of("json:/items/1/id={id}"),
            "check json:/items/1/id={id}",
            "found: 8");

    private static Site site;

    @TempDir
    private Path folder;

    /** Requests of a page: with the checks that hold, or with those that don't. */
    private record Row(String page, List<String> holds, List<String> fails, String cause, String message) {

        static Row of(String line, String schema) {
            String[] cells = Stream.of(filled(line, schema).split("\\|"))
                    .map(String::strip)
                    .toArray(String[]::new);
            String cause = cells[2].endsWith("schema:" + schema)
                    ? "check not schema item.json"
                    : Check.parse(cells[2]).get(0).cause();
            return new Row(cells[0], List.of(cells[1]), List.of(cells[2]), cause, cells[3]);
        }

        private static String filled(String line, String schema) {
            byte[] json = JSON.getBytes(StandardCharsets.UTF_8);
            return line.replace("DIGEST", digest(json))
                    .replace("SCHEMA", schema)
                    .replace("HEX", HexFormat.of().formatHex(json))
                    .replace("JSON", JSON);
        }

        private static String digest(byte[] bytes) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A request with its checks, and the failures or warnings of its two responses, by cause. */
    private record Asked(
            String page, List<String> checks, Map<String, String> failures, Map<String, String> warnings) {}

    @BeforeAll
    static void open(@TempDir Path base) throws LifecycleException {
        site = new Site(base, new Pages());
    }

    @AfterAll
    static void close() throws LifecycleException {
        site.close();
    }

    private static final class Pages extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.addHeader("X-Id", "12");
            response.addHeader("Set-Cookie", "sid=s1; Path=/");
            switch (request.getRequestURI()) {
                case "/json" -> write(response, "application/problem+json", JSON);
                case "/html" -> write(response, "text/html;charset=utf-8", HTML);
                default -> {
                    response.addHeader("Content-Encoding", "gzip");
                    try (OutputStream out = new GZIPOutputStream(response.getOutputStream())) {
                        out.write(PACKED);
                    }
                }
            }
        }

        private static void write(HttpServletResponse response, String type, String body) throws IOException {
            response.setContentType(type);
            response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Of each page one request with all that holds and one with all that warns; of each row one that fails. */
    private static List<Asked> asked(List<Row> rows) {
        List<Asked> all = new ArrayList<>();
        for (String page : List.of("json", "html", "packed")) {
            List<Row> own = rows.stream().filter(row -> row.page().equals(page)).toList();
            Map<String, String> warnings = new TreeMap<>();
            own.forEach(row -> warnings.put(row.cause(), row.message()));
            List<String> holds =
                    own.stream().flatMap(row -> row.holds().stream()).toList();
            List<String> soft = own.stream()
                    .flatMap(row -> row.fails().stream())
                    .map(check -> "warn:" + check)
                    .toList();
            all.add(new Asked(page, holds, Map.of(), Map.of()));
            all.add(new Asked(page, soft, Map.of(), warnings));
            own.forEach(row -> all.add(new Asked(page, row.fails(), Map.of(row.cause(), row.message()), Map.of())));
        }
        return all;
    }

    private List<Row> rows(String schema) throws IOException {
        Files.writeString(folder.resolve("item.json"), "{\"properties\": {\"total\": {\"type\": \"integer\"}}}");
        return TABLE.lines().map(line -> Row.of(line, schema)).toList();
    }

    private Cli run(Object... options) {
        List<Object> line = new ArrayList<>(List.of("--phases=one=1", "-c=1", "-n=2", "-o", folder.resolve("out")));
        line.addAll(List.of(options));
        return Cli.run(line.toArray());
    }

    private void assertRun(Cli run, List<Asked> asked, int first) throws Exception {
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        JsonNode result = Cli.json(Files.readString(folder.resolve("out/result.json")));
        JsonNode operations = result.at("/phases/0/operations");
        for (int i = 0; i < asked.size(); i++) {
            Asked one = asked.get(i);
            JsonNode operation = operations.get(first + i);
            Map<String, String> failures = new TreeMap<>();
            operation.path("failures").propertyStream().forEach(failure -> {
                assertThat(failure.getValue().asInt()).isEqualTo(2);
                failures.put(
                        failure.getKey(),
                        operation.path("failureDetails").path(failure.getKey()).asString());
            });
            assertSame(failures, one.failures());
            Map<String, String> warnings = new TreeMap<>();
            operation.path("warnings").forEach(warning -> {
                assertThat(warning.path("count").asInt()).isEqualTo(2);
                warnings.put(
                        warning.path("cause").asString(), warning.path("detail").asString());
            });
            assertSame(warnings, one.warnings());
            operation.path("failedRequests").forEach(CheckTableTest::assertTime);
        }
        assertThat(result.path("checks").valueStream().map(check -> check.path("finding")
                        .asString()))
                .hasSize(asked.stream()
                        .mapToInt(one -> one.failures().size() + one.warnings().size())
                        .sum())
                .containsOnly("NEVER_HELD");
        assertThat(run.out())
                .contains(": check cookie:other: never held in 2 responses; the first: no value in the header");
    }

    /** The time that a check judges is the service time of the report. */
    private static void assertTime(JsonNode failed) {
        String message = failed.path("message").asString("");
        if (message.startsWith("time ")) {
            double service = failed.path("timeToFirstByteMs").asDouble()
                    + failed.path("transferMs").asDouble();
            assertThat(Double.parseDouble(message.split(" ")[1])).isCloseTo(service, within(0.001));
        }
    }

    private static void assertSame(Map<String, String> found, Map<String, String> wanted) {
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        found.forEach((cause, message) -> assertThat(message).as(cause).startsWith(wanted.get(cause)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--engine=threads", "--engine=events", "--engine=events --http2", "--client=httpclient"})
    void operationsOfAPlan(String engine) throws Exception {
        List<Asked> asked = asked(rows("item.json"));
        ObjectNode plan = JsonNodeFactory.instance.objectNode();
        plan.put("target", "http://127.0.0.1:" + site.port());
        ArrayNode operations = plan.putArray("operations");
        for (Asked one : asked) {
            ObjectNode operation = operations.addObject();
            operation.put("name", one.page() + " " + operations.size());
            operation.put("method", "GET").put("path", "/" + one.page());
            one.checks().forEach(operation.withArray("checks")::add);
        }
        Path file = Files.writeString(folder.resolve("plan.yaml"), plan.toString());

        List<Object> options = new ArrayList<>(List.of((Object[]) engine.split(" ")));
        options.addAll(List.of("--decode", "--plan", file));
        assertRun(run(options.toArray()), asked, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--engine=threads", "--engine=events", "--engine=events --http2", "--client=httpclient"})
    void stepsOfAScenario(String engine) throws Exception {
        List<Row> rows = new ArrayList<>(rows("item.json"));
        rows.add(TEMPLATE);
        List<Asked> asked = asked(rows);
        ObjectNode plan = JsonNodeFactory.instance.objectNode();
        plan.put("target", "http://127.0.0.1:" + site.port());
        ObjectNode scenario = plan.putArray("scenarios").addObject().put("name", "table");
        boolean pooled = engine.endsWith("httpclient");
        if (!pooled) {
            scenario.putObject("session").put("decompress", true);
        }
        ArrayNode steps = scenario.putArray("steps");
        steps.addObject().put("get", "/json").putObject("extract").put("id", "json:/items/0/id");
        for (Asked one : asked) {
            ObjectNode step = steps.addObject().put("get", "/" + one.page());
            step.put("name", one.page() + " " + steps.size()).put("onFailure", "continue");
            one.checks().forEach(step.withArray("checks")::add);
        }
        Path file = Files.writeString(folder.resolve("plan.yaml"), plan.toString());

        List<Object> options = new ArrayList<>(List.of((Object[]) engine.split(" ")));
        options.addAll(pooled ? List.of("--decode", "--plan", file) : List.of("--plan", file));
        assertRun(run(options.toArray()), asked, 1);
    }

    @Test
    void requestsOfTheCommandLine() throws Exception {
        List<Asked> asked = asked(rows(folder.resolve("item.json").toString()));
        List<Object> options = new ArrayList<>(List.of("--url", "http://127.0.0.1:" + site.port(), "--decode"));
        for (Asked one : asked) {
            options.addAll(List.of("--get", "/" + one.page(), "--expect", String.join(" ", one.checks())));
        }
        assertRun(run(options.toArray()), asked, 0);
    }

    @Test
    void aCheckThatNeverHadAnythingToCheckIsNamed() throws Exception {
        Cli run = run(
                "--url",
                "http://127.0.0.1:" + site.port(),
                "--get=/html",
                "--expect=json:/state!=error",
                "--get=/json",
                "--expect=json:/total!=error not:json:/none");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern(
                        "Warning: GET /html: check json:/state!=error: never had anything to check in 2 responses\n");
        assertThat(run.out().split("never had")).hasSize(2);
        assertThat(Cli.json(Files.readString(folder.resolve("out/result.json")))
                        .path("checks")
                        .toString())
                .isEqualTo("[{\"operation\":\"GET /html\",\"check\":\"check json:/state!=error\","
                        + "\"finding\":\"NOTHING_TO_CHECK\",\"requests\":2,\"detail\":\"\"}]");
    }

    @Test
    void aSchemaWithALongNameIsNamedInShort() throws Exception {
        Path schema = folder.resolve("s".repeat(120) + ".json");
        Files.writeString(schema, "{\"required\": [\"none\"]}");
        Cli run = run("--url", "http://127.0.0.1:" + site.port() + "/json", "--expect=schema:" + schema);
        assertThat(run.out()).contains("check schema " + "s".repeat(86) + "…");
    }

    @Test
    void aMistakeIsNamedBeforeTheRun() {
        for (Map.Entry<String, String> of : Map.of(
                        "jsonpath:$[=1", "expected a JSONPath",
                        "css:[=1", "expected a CSS selector",
                        "body~/(?=a)b/", "expected a regular expression of RE2",
                        "body~/.*/", "expected a regular expression that doesn't match every text",
                        "json:/a~/x?/", "expected a regular expression that doesn't match every text",
                        "schema:none.json", "expected a file that can be read",
                        "size<", "expected a text")
                .entrySet()) {
            Cli run = Cli.run(
                    "--url",
                    "http://127.0.0.1:9",
                    "--expect",
                    of.getKey(),
                    "-o",
                    folder.resolve("never").toString());
            assertThat(run.code()).as(of.getKey()).isEqualTo(2);
            assertThat(run.err()).contains(of.getValue());
            assertThat(run.err().lines()).hasSize(1);
            assertThat(folder.resolve("never")).doesNotExist();
        }
    }
}
