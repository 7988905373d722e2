package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.Site;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Each kind of check with an example that holds and one that doesn't, on each engine. */
@Timeout(60)
class CheckTableTest {

    private static final String JSON = "{\"items\":[{\"id\":7,\"name\":\"first one\"},{\"id\":8}],\"total\":2}";

    private static final String HTML = "<ul><li class=item>one<li class=item>two</ul>";

    /** One a line: checks that hold, then checks that don't. */
    private static final Map<String, List<String>> CHECKS = Map.of(
            "json",
            List.of(
                    """
                            status<400
                            status!=404
                            header:Content-Type~json
                            header:X-Id=12
                            cookie:sid
                            not:cookie:other
                            type=json
                            size<10k
                            time<30s
                            json:/items/0/id>0
                            json:/total=2.0
                            json:/items/0/name~/^first/
                            jsonpath:$.items[?(@.id==8)].id=8
                            count:json:/items/*=2
                            count:jsonpath:$..id>=2
                            body~/"id": ?7/
                            body!~error
                            sha256=DIGEST
                            bytes~6974656d73
                            schema:SCHEMA
                            """,
                    """
                            status>=400
                            status=404
                            header:Content-Type~xml
                            header:X-Id=13
                            not:cookie:sid
                            cookie:other
                            type=xml
                            size>10k
                            time>30s
                            json:/items/0/id<0
                            json:/none
                            json:/items/0/name!~/^first/
                            jsonpath:$.items[?(@.id==8)].id=9
                            count:json:/items/*=3
                            count:jsonpath:$..id<2
                            body!~/id/
                            body~error
                            sha256!=DIGEST
                            bytes=6974656d73
                            not:schema:SCHEMA
                            """),
            "html",
            List.of(
                    """
                            type=html
                            css:li.item=one
                            count:css:li=2
                            xpath:count(//li)=2
                            css:'ul > li'!=two
                            not:css:p
                            size=SIZE
                            """,
                    """
                            type=json
                            css:li.item=two
                            count:css:li=3
                            xpath:count(//li)>2
                            css:'ul > li'=two
                            css:p
                            size!=SIZE
                            """));

    private static Site site;

    @TempDir
    private Path folder;

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
            boolean json = request.getRequestURI().equals("/json");
            response.setContentType(json ? "application/problem+json" : "text/html;charset=utf-8");
            response.addHeader("X-Id", "12");
            response.addHeader("Set-Cookie", "sid=s1; Path=/");
            response.getOutputStream().write((json ? JSON : HTML).getBytes(StandardCharsets.UTF_8));
        }
    }

    private String line(String checks, boolean soft) throws Exception {
        Path schema = folder.resolve("item.json");
        Files.writeString(schema, "{\"properties\": {\"total\": {\"type\": \"integer\"}}}");
        String filled = checks.replace("DIGEST", digest())
                .replace("SCHEMA", schema.toString())
                .replace("SIZE", Integer.toString(HTML.length()));
        return filled.lines().map(check -> soft ? "warn:" + check : check).collect(Collectors.joining(" "));
    }

    private static String digest() throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(JSON.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--engine=threads",
                "--engine=events",
                "--engine=events --http2",
                "--client=httpclient",
                "--engine=threads --keep-cookies",
                "--engine=events --keep-cookies",
            })
    void eachHoldsOrWarns(String engine) throws Exception {
        for (Map.Entry<String, List<String>> of : CHECKS.entrySet()) {
            Path out = folder.resolve("out" + of.getKey());
            String soft = line(of.getValue().get(1), true);
            List<Object> line = new ArrayList<>(List.of((Object[]) engine.split(" ")));
            line.addAll(List.of(
                    "--url",
                    "http://127.0.0.1:" + site.port(),
                    "--phases=one=1",
                    "-c=1",
                    "-n=2",
                    "-o",
                    out.toString(),
                    "--get",
                    "/" + of.getKey(),
                    "--expect",
                    line(of.getValue().get(0), false) + " " + soft));
            Cli run = Cli.run(line.toArray());
            assertThat(run.code()).as(run.out() + run.err()).isZero();
            JsonNode totals =
                    Cli.json(Files.readString(out.resolve("result.json"))).path("totals");
            assertThat(totals.path("failures").toString()).as(engine).isEqualTo("{}");
            Map<String, Integer> warnings = new TreeMap<>();
            totals.path("warnings")
                    .forEach(warning -> warnings.put(
                            warning.path("cause").asString(),
                            warning.path("count").asInt()));
            assertThat(warnings.values()).as(warnings.toString()).containsOnly(2);
            assertThat(warnings).hasSize(soft.split("warn:").length - 1);
            assertThat(run.out()).contains("Warning: check ").contains("never held in 2 ");
        }
    }

    @Test
    void aMistakeIsNamedBeforeTheRun() throws Exception {
        for (Map.Entry<String, String> of : Map.of(
                        "jsonpath:$[=1", "expected a JSONPath",
                        "css:[=1", "expected a CSS selector",
                        "body~/(?=a)b/", "expected a regular expression of RE2",
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
