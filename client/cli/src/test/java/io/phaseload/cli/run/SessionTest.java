package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Site;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What sessions remember and answer, at a site with a login, a token in its form, and areas. */
@Tag("slow")
@Timeout(60)
class SessionTest {

    private static final Pattern PARAMETER = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|([^,\\s]+))");

    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();
    private static final ConcurrentHashMap<String, String> TOKENS = new ConcurrentHashMap<>();
    private static final AtomicInteger SESSIONS = new AtomicInteger();
    private static Site site;

    /** {@code {"name": "ann"}}. */
    private static final String NAME_IN_BROTLI = "CweAeyJuYW1lIjogImFubiJ9Aw==";

    private static final String NAME_IN_ZSTD = "KLUv/QRYeQAAeyJuYW1lIjogImFubiJ9ZC9rQQ==";

    @TempDir
    private Path folder;

    @BeforeAll
    static void open(@TempDir Path base) throws LifecycleException {
        site = new Site(base, new Shop());
    }

    @AfterAll
    static void close() throws LifecycleException {
        site.close();
    }

    @BeforeEach
    void forget() {
        SEEN.clear();
        TOKENS.clear();
        SESSIONS.set(0);
    }

    private static final class Shop extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest exchange, HttpServletResponse response) throws IOException {
            answer(exchange, response);
        }
    }

    private static void answer(HttpServletRequest exchange, HttpServletResponse response) throws IOException {
        String body = new String(exchange.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String query = exchange.getQueryString();
        String path = exchange.getRequestURI() + (query == null ? "" : "?" + query);
        String request = exchange.getMethod() + " " + path;
        String cookie = first(exchange, "Cookie");
        String authorization = first(exchange, "Authorization");
        SEEN.add(request + (cookie.isEmpty() ? "" : " | " + cookie));
        switch (request) {
            case "GET /login" -> {
                String id = "s" + SESSIONS.incrementAndGet();
                TOKENS.put(id, "t" + id);
                response.addHeader("Set-Cookie", "sid=" + id + "; Path=/; HttpOnly");
                response.addHeader("Set-Cookie", "wide=1; Domain=com; Path=/");
                response.addHeader("Set-Cookie", "deep=1; Path=/deep");
                compressed(exchange, response, "<input name='csrf' value='t" + id + "'>");
            }
            case "POST /login" -> {
                String id = cookie.replace("sid=", "");
                boolean known = body.equals("user=ann&csrf=" + TOKENS.get(id));
                response.addHeader("Set-Cookie", "role=shopper; Path=/");
                response.addHeader("Location", known ? "/welcome" : "/login?error");
                status(response, 302, "moved");
            }
            case "GET /welcome" -> {
                response.addHeader("Location", "home?x=1");
                status(response, 303, "");
            }
            case "GET /home?x=1" -> {
                boolean brotli = cookie.hashCode() % 2 == 0;
                response.addHeader("Content-Encoding", brotli ? "br" : "zstd");
                response.setStatus(cookie.contains("role=shopper") ? 200 : 403);
                write(response, Base64.getDecoder().decode(brotli ? NAME_IN_BROTLI : NAME_IN_ZSTD));
            }
            case "PUT /moved" -> {
                response.addHeader("Location", "/kept");
                status(response, 307, "");
            }
            case "PUT /kept" -> status(response, body.equals("payload") ? 200 : 400, "");
            case "GET /basic", "GET /basic/2" -> challenge(
                    response, authorization.equals("Basic YW5uOnNlY3JldA=="), "Basic realm=\"r\"");
            case "GET /digest", "GET /digest/2" -> challenge(
                    response,
                    isDigest(authorization, "GET", path),
                    "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5");
            case "GET /news", "GET /old" -> {
                boolean tagged = request.equals("GET /news");
                String validator = tagged ? "\"v1\"" : "Sun, 22 Nov 2026 10:00:00 GMT";
                String asked = tagged ? "If-None-Match" : "If-Modified-Since";
                response.addHeader(tagged ? "ETag" : "Last-Modified", validator);
                boolean same = first(exchange, asked).equals(validator);
                SEEN.add(same ? "unchanged" : "sent whole");
                response.addHeader("X-Id", same ? "" : "7");
                status(response, same ? 304 : 200, same ? "" : "{\"id\": 7}");
            }
            case "GET /loop" -> {
                response.addHeader("Location", "/loop");
                status(response, 302, "");
            }
            case "GET /elsewhere" -> {
                response.addHeader("Location", "http://elsewhere.example/");
                status(response, 302, "");
            }
            case "GET /repeat" -> {
                String said = "?".repeat(20) + body + "?".repeat(170) + body;
                status(response, 400, said);
            }
            default -> status(response, 404, "");
        }
    }

    private static String first(HttpServletRequest exchange, String header) {
        return Optional.ofNullable(exchange.getHeader(header)).orElse("");
    }

    private static void status(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        write(response, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(HttpServletResponse response, byte[] bytes) throws IOException {
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static void challenge(HttpServletResponse response, boolean answered, String challenge) throws IOException {
        if (!answered) {
            response.addHeader("WWW-Authenticate", challenge);
        }
        status(response, answered ? 200 : 401, "");
    }

    /** In turns, as it was asked for. */
    private static void compressed(HttpServletRequest exchange, HttpServletResponse response, String text)
            throws IOException {
        assertThat(first(exchange, "Accept-Encoding")).isEqualTo("gzip, deflate, br, zstd");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean gzip = SESSIONS.get() % 2 == 0;
        try (OutputStream out = gzip ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        response.addHeader("Content-Encoding", gzip ? "gzip" : "deflate");
        write(response, bytes.toByteArray());
    }

    /** RFC 7616 §3.4.1. */
    private static boolean isDigest(String authorization, String method, String path) {
        ConcurrentHashMap<String, String> of = new ConcurrentHashMap<>();
        Matcher parameters = PARAMETER.matcher(authorization);
        while (parameters.find()) {
            of.put(parameters.group(1), Optional.ofNullable(parameters.group(2)).orElse(parameters.group(3)));
        }
        String expected = md5(String.join(
                ":",
                md5("ann:r:secret"),
                "n",
                of.getOrDefault("nc", ""),
                of.getOrDefault("cnonce", ""),
                "auth",
                md5(method + ":" + path)));
        return path.equals(of.get("uri")) && expected.equals(of.get("response"));
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With options alone, unless one of them is a plan's file. */
    private Cli line(String engine, Object... more) {
        List<Object> usual = List.of(
                "--url",
                "http://127.0.0.1:" + site.port() + "/",
                "--phases",
                "peak=1",
                "--threads",
                3,
                "--iterations",
                2,
                "-o",
                folder.resolve("out"));
        List<Object> given = new ArrayList<>(List.of("--engine"));
        given.addAll(List.of(engine.split(" ")));
        given.addAll(List.of(more));
        return Cli.run(Cli.line(usual, given.toArray()));
    }

    private Cli run(String engine, String scenario, Object... more) throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), scenario);
        List<Object> given = new ArrayList<>(List.of("--plan", plan));
        given.addAll(List.of(more));
        return line(engine, given.toArray());
    }

    private JsonNode phase() throws IOException {
        return Cli.json(Files.readString(folder.resolve("out/result.json"))).at("/phases/0");
    }

    private long seen(String request) {
        return SEEN.stream().filter(of -> of.split(" \\| ")[0].equals(request)).count();
    }

    private static final String SHOP =
            """
            scenarios:
              - name: shop
                session: {cookies: true, redirects: 2, decompress: true}
                steps:
                  - get: /login
                    extract: {csrf: "css:input[name=csrf]@value", same: "xpath://input/@value"}
                  - post: /login
                    form: {user: ann, csrf: "{csrf}"}
                    checks: status=200 body~ann
                    extract: {name: "jsonpath:$.name"}
                  - put: /moved
                    headers: {X-Name: "{name}", X-Same: "{same}"}
                    body: payload
            """;

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void aUserLogsInAsInABrowser(String engine) throws IOException {
        Cli run = run(
                engine,
                SHOP,
                "--threshold",
                "*/shop: requests >= 6",
                "--threshold",
                "peak/shop/follow-ups: p50 < 10s",
                "--threshold",
                "*/PUT /moved: failures < 1");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        for (String request :
                List.of("GET /login", "POST /login", "GET /welcome", "GET /home?x=1", "PUT /moved", "PUT /kept")) {
            assertThat(seen(request)).as(request).isEqualTo(6);
        }
        // Each iteration is a new visitor, and nobody gets a cookie for all of com.
        assertThat(SEEN).filteredOn(of -> of.startsWith("GET /login")).containsOnly("GET /login");
        assertThat(SEEN)
                .filteredOn(of -> of.startsWith("GET /home"))
                .allMatch(of -> of.matches("GET /home\\?x=1 \\| sid=s\\d; role=shopper"));
        JsonNode phase = phase();
        assertThat(phase.at("/operations").findValuesAsString("name"))
                .containsExactly("GET /login", "POST /login", "PUT /moved", "follow-ups");
        assertThat(phase.at("/operations/1/requests").asInt()).isEqualTo(6);
        assertThat(phase.at("/operations/3/requests").asInt()).isEqualTo(18);
        assertThat(Files.readString(folder.resolve("out/result.json"))).contains("\"*/shop: requests >= 6\"");
        assertThat(phase.at("/operations/1/statuses/302").asInt()).isEqualTo(6);
        assertThat(phase.at("/failed").asInt()).isZero();
        assertThat(phase.at("/asked").asInt(36)).isEqualTo(36);
        assertThat(phase.at("/journeys").findValuesAsString("name")).containsExactly("shop", "shop/follow-ups");
        assertThat(phase.at("/journeys/0/requests").asInt()).isEqualTo(6);
        assertThat(phase.at("/journeys/1/requests").asInt()).isEqualTo(12);
        assertThat(Cli.run("report", folder.resolve("out")).code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void challengesAreAnsweredOnceASession(String engine) throws IOException {
        for (String scheme : List.of("basic", "digest")) {
            SEEN.clear();
            run(
                    engine,
                    """
                    variables: {user: ann, secret: secret}
                    scenarios:
                      - name: j
                        session: {credentials: "{user}:{secret}"}
                        steps: [{get: /SCHEME}, {get: /SCHEME/2}]
                    """
                            .replace("SCHEME", scheme)
                            .replace("{user}", "{name}")
                            .replace("{user: ann", "{name: ann"),
                    "-o",
                    folder.resolve(engine + scheme));
            assertThat(seen("GET /" + scheme)).isEqualTo(12);
            assertThat(seen("GET /" + scheme + "/2")).isEqualTo(6);
            JsonNode result =
                    Cli.json(Files.readString(folder.resolve(engine + scheme).resolve("result.json")));
            assertThat(result.at("/totals/failed").asInt()).isZero();
            assertThat(result.at("/phases/0/operations/2/requests").asInt()).isEqualTo(6);
            assertThat(result.at("/plan/scenarios/0/session/credentials").asString())
                    .isEqualTo("{name}:{secret}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void whatIsNotFollowedIsAFailureOfItsOwn(String engine) throws IOException {
        run(
                engine,
                """
                scenarios:
                  - name: j
                    session: {redirects: 3, credentials: "ann:wrong"}
                    steps:
                      - {get: /loop, onFailure: continue}
                      - {get: /elsewhere, onFailure: continue}
                      - {get: /basic, onFailure: continue}
                      - get: /login?error
                      - get: /never
                """);

        JsonNode phase = phase();
        assertThat(seen("GET /loop")).isEqualTo(6 * 4);
        assertThat(seen("GET /basic")).isEqualTo(6 * 2);
        assertThat(phase.at("/operations/1/failures/redirect to another server").asInt())
                .isEqualTo(6);
        assertThat(phase.at("/operations/5/failures/too many redirects").asInt())
                .isEqualTo(6);
        assertThat(phase.at("/operations/5/failures/http 401").asInt()).isEqualTo(6);
        assertThat(phase.at("/notSent/an earlier step failed").asInt()).isEqualTo(6);
        assertThat(phase.at("/journeys/0/failures").propertyNames()).containsExactly("GET /loop: too many redirects");
        assertThat(Files.readString(folder.resolve("out/result.json"))).doesNotContain("ann:wrong");
    }

    /** The second time, what was kept of the first is looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void whatHasntChangedIsntSentAgain(String engine) throws IOException {
        Cli run = run(
                engine,
                """
                        scenarios:
                          - name: j
                            session: {cache: true}
                            steps:
                              - repeat: 2
                                steps:
                                  - {get: /news, checks: status=200 body~7, extract: {id: "json:/id"}}
                                  - {get: /old, checks: status=200, extract: {x: "header:X-Id"}}
                              - get: /home?x=1
                                onFailure: {retry: 2, then: continue}
                                headers: {X-Values: "{id}{x}"}
                        """);
        assertThat(run.err()).isEmpty();
        JsonNode phase = phase();
        assertThat(phase.at("/operations").findValuesAsString("name"))
                .containsExactly("GET /news", "GET /old", "GET /home?x=1", "retries");
        for (int i : new int[] {0, 1}) {
            assertThat(phase.at("/operations/" + i + "/statuses/200").asInt()).isEqualTo(6);
            assertThat(phase.at("/operations/" + i + "/statuses/304").asInt()).isEqualTo(6);
            assertThat(phase.at("/operations/" + i + "/failed").asInt()).isZero();
        }
        assertThat(phase.at("/operations/3/failures/http 403").asInt()).isEqualTo(12);
        assertThat(seen("unchanged")).isEqualTo(12);
        assertThat(seen("sent whole")).isEqualTo(12);
        assertThat(phase.at("/journeys/0/failures").propertyNames()).containsExactly("GET /home?x=1: http 403");
    }

    /** What a plan does, and what it has for nothing. */
    @Test
    void aPlanIsLookedAtFirst() throws IOException {
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"),
                SHOP.replace("scenarios:", "phases: peak=1\nvariables: {size: 3, token: abcdef}\nscenarios:")
                        .replace("- name: shop", "- name: shop\n    weight: {peak: 5}")
                        .replace("X-Name: \"{name}\"", "X-Name: \"{name} {token}\""));
        Cli check = Cli.run("plan", "--plan", plan, "--url", "http://h/", "--check");
        assertThat(check.out()).isEqualTo("variable size: nothing takes it\n");
        assertThat(check.code()).isEqualTo(2);
        assertThat(SEEN).isEmpty();

        Cli trace = Cli.run("plan", "--plan", plan, "--trace", "--url", "http://127.0.0.1:" + site.port() + "/");
        assertThat(trace.code()).isZero();
        assertThat(SEEN).hasSize(6);
        assertThat(trace.out())
                .startsWith("Scenario shop:\n\n# GET /login\n> GET /login\n> Accept: */*\n> Host: 127.0.0.1:")
                .containsPattern("\n< 200 after \\d+\\.\\d ms\n")
                .contains("\n< Set-Cookie: [redacted]\n")
                .contains("\n< <input name='csrf' value='ts1'>\n= csrf: ts1\n")
                .contains("\n> user=ann&csrf=ts1\n< 302 after ")
                .contains("\n> Cookie: [redacted]\n")
                .contains("\n= name: ann\n")
                .contains("\n> X-Name: ann [redacted]\n")
                .doesNotContain("abcdef", "! ");
    }

    /** What a failure quotes of a response has no secrets, not even the part before its end. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void aResponseThatRepeatsASecretIsQuotedWithoutIt(String engine) throws IOException {
        String plan =
                """
                variables: {token: hunter2}
                scenarios: [{name: j, steps: [{get: /repeat, body: "{token}"}]}]
                """;
        Cli run = run(engine, plan);
        JsonNode failed = phase().at("/operations/0");
        assertThat(failed.at("/failureDetails/http 400").asString())
                .isEqualTo("?".repeat(20) + "[redacted]" + "?".repeat(170) + "[redacted]");
        assertThat(failed.at("/failedRequests/0/message")).isEqualTo(failed.at("/failureDetails/http 400"));
        assertThat(run.out()).contains("[redacted]").doesNotContain("hun");
        try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("hunt"));
        }
    }

    /** A plan can be shown without its data; a run needs it. */
    @Test
    void dataIsLookedAtBeforeARun() throws IOException {
        Path csv = folder.resolve("a.csv");
        String plan =
                """
                variables: {key: "${env:PHASELOAD_NO_SUCH_KEY}"}
                data: {a: {csv: CSV}}
                scenarios: [{name: j, steps: [{get: "/{a.name}{key}"}]}]
                """
                        .replace("CSV", csv.toString());
        Files.writeString(csv, "name\n");
        Cli unknown = run("threads", plan);
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err().strip()).isEqualTo("variable key: expected PHASELOAD_NO_SUCH_KEY in the environment");
        String without = plan.replace("${env:PHASELOAD_NO_SUCH_KEY}", "k");
        Files.delete(csv);
        assertThat(run("threads", without).err().strip())
                .matches("--plan .*: line \\d: data\\.a\\.csv .*: expected a file that can be read");
        Files.writeString(csv, "name\n");
        assertThat(run("threads", without).err().strip()).isEqualTo("data a: " + csv + ": expected at least one row");
        Files.writeString(csv, "id\n1\n");
        assertThat(run("threads", without).err().strip())
                .isEqualTo("data a: {a.name}: expected a column of " + csv + ": id");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(Cli.run("plan", "--plan", folder.resolve("plan.yaml"), "--url", "http://h/")
                        .code())
                .isZero();
        assertThat(SEEN).isEmpty();
    }

    @Test
    void anExpressionIsLookedAtBeforeARun() throws IOException {
        Cli mistake = run("threads", SHOP.replace("$.name", "$["));
        assertThat(mistake.code()).isEqualTo(2);
        assertThat(mistake.err().strip())
                .startsWith("step POST /login: extract jsonpath:$[: expected a JSONPath: ")
                .doesNotContain("\n");
        assertThat(SEEN).isEmpty();
    }

    @Test
    void whatCantHaveASessionSaysSo() throws IOException {
        Cli client = run("threads", SHOP, "--client", "httpclient");
        assertThat(client.code()).isEqualTo(2);
        assertThat(client.err().strip())
                .isEqualTo("--engine threads: session cannot be combined with client httpclient");
        Cli own = run("threads", SHOP, "-H", "Cookie: a=b");
        assertThat(own.code()).isEqualTo(2);
        assertThat(own.err().strip()).isEqualTo("scenario shop: header Cookie cannot be combined with a session");
        assertThat(SEEN).isEmpty();
    }

    /** As with curl: what a server asks for is done, and a failure isn't the end of an iteration. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void optionsAreEnoughForASession(String engine) throws IOException {
        Cli run = line(
                engine,
                "-L",
                "--compressed",
                "--digest",
                "-u",
                "ann:secret",
                "-H",
                "X-Brace: {name}",
                "--get",
                "/login",
                "--expect",
                "body~csrf",
                "--get",
                "/nowhere",
                "--put",
                "/moved",
                "--body",
                "payload",
                "--get",
                "/digest",
                "--keep-cookies",
                "--get",
                "/digest/2");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        JsonNode phase = phase();
        assertThat(phase.at("/operations").findValuesAsString("name"))
                .containsExactly(
                        "GET /login", "GET /nowhere", "PUT /moved", "GET /digest", "GET /digest/2", "follow-ups");
        assertThat(phase.at("/failures").toString()).isEqualTo("{\"http 404\":6}");
        assertThat(phase.at("/operations/5/requests").asInt()).isEqualTo(12);
        assertThat(seen("PUT /kept")).isEqualTo(6);
        assertThat(seen("GET /digest")).isEqualTo(12);
        assertThat(seen("GET /digest/2")).isEqualTo(6);
        assertThat(SEEN).filteredOn(of -> of.startsWith("PUT")).allMatch(of -> of.contains("sid="));
        String result = Files.readString(folder.resolve("out/result.json"));
        assertThat(result).doesNotContain("ann:secret", "sid=");
        JsonNode session = Cli.json(result).at("/plan/scenarios/0/session");
        assertThat(session.toString())
                .isEqualTo("{\"cookies\":true,\"redirects\":50,\"decompress\":true,"
                        + "\"cache\":false,\"credentials\":\"[redacted]\"}");
    }

    /** An arrival is a request, with what follows from it. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void arrivalsOfOneRequestAreFollowed(String engine) throws IOException {
        Cli run = line(engine, "-L", "--rate", "200/s", "--put", "/moved", "--body", "payload");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(phase().at("/failed").asInt()).isZero();
        assertThat(seen("PUT /moved")).isEqualTo(6);
        assertThat(seen("PUT /kept")).isEqualTo(6);
    }

    /** The site behind a Unix domain socket, or at another address than its name's. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "events", "events --http2"})
    void aSessionMayTakeAnotherWay(String engine) throws IOException {
        int port = site.port();
        Path file = folder.resolve("s");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(file));
            start(() -> relay(listener, port));
            for (List<Object> way : List.<List<Object>>of(
                    List.of("--unix-socket", file), List.of("--connect-to", "::127.0.0.1:" + port))) {
                SEEN.clear();
                List<Object> more = new ArrayList<>(way);
                more.addAll(List.of("--url", "http://shop.example/", "-L", "--get", "/welcome"));
                more.addAll(List.of("--keep-cookies", "--expect", "status=403"));
                more.addAll(List.of("-o", folder.resolve(way.get(0).toString().substring(2))));
                Cli run = line(engine, more.toArray());

                assertThat(run.err()).isEmpty();
                assertThat(run.code()).isZero();
                assertThat(seen("GET /welcome")).isEqualTo(6);
                assertThat(seen("GET /home?x=1")).isEqualTo(6);
            }
            Cli trace = Cli.run(
                    "plan", "--trace", "http://shop.example/", "--unix-socket", file, "-L", "--get", "/welcome");
            assertThat(trace.out()).contains("> GET /home?x=1\n> Accept: */*\n> Host: shop.example");
        }
    }

    private static void relay(ServerSocketChannel listener, int port) throws IOException {
        while (true) {
            SocketChannel client = listener.accept();
            SocketChannel site = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            start(() -> copy(client, site));
            start(() -> copy(site, client));
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(10_000);
        try (from;
                to) {
            while (from.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // By either end.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
