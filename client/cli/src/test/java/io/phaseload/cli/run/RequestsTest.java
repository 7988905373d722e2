package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.RecordingServer.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What options make a server see: one user, one phase, so that the order is certain. */
class RequestsTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    private Path out;

    @BeforeEach
    void nameTheFolder() {
        out = folder.resolve("out");
    }

    private Cli run(int iterations, Object... options) {
        Stream<Object> common =
                Stream.of("--url", server.url(), "--phases", "one=1", "-c", 1, "-n", iterations, "-o", out);
        return Cli.run(Cli.line(common.toList(), options));
    }

    private JsonNode result() throws IOException {
        return Cli.json(Files.readString(out.resolve("result.json")));
    }

    private List<String> sent() {
        return server.received().stream().map(Received::line).toList();
    }

    @Test
    void withoutOptionsAnIterationOnlyGets() {
        assertThat(run(2).code()).isZero();
        assertThat(sent()).containsExactly("GET /", "GET /");
    }

    @Test
    void aUrlWithAPathIsThatPath() {
        assertThat(run(1, "--url", server.url() + "shop/?page=2").code()).isZero();
        assertThat(sent()).containsExactly("GET /shop/?page=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "events"})
    void everyMethodHasAnOption(String engine) throws Exception {
        Cli run = run(
                1,
                "--get=/",
                "--post=/",
                "--put=/",
                "--patch=/",
                "--delete=/",
                "--head=/",
                "--options=/",
                "--engine",
                engine);
        assertThat(run.code()).isZero();
        String hello = "Phaseload says hello";
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(
                        tuple("GET /", ""),
                        tuple("POST /", hello),
                        tuple("PUT /", hello),
                        tuple("PATCH /", hello),
                        tuple("DELETE /", ""),
                        tuple("HEAD /", ""),
                        tuple("OPTIONS /", ""));
        assertThat(result().at("/totals/succeeded").asInt()).isEqualTo(7);
    }

    @Test
    void aDeleteCanHaveABody() {
        assertThat(run(1, "--delete", "/a", "--body", "one", "--delete", "/b").code())
                .isZero();
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(tuple("DELETE /a", "one"), tuple("DELETE /b", ""));
    }

    @Test
    void aBodyThatIsJsonIsSentAsJsonUnlessAHeaderSaysOtherwise() {
        run(1, "--post", "/", "--body", "{\"a\": 1}", "--post", "/", "--body", "a");
        run(1, "--post", "/", "--body", "[]", "-H", "Content-Type: text/x", "-o", out + "2");
        assertThat(server.received())
                .extracting(request -> request.headers().getFirst("Content-Type"))
                .containsExactly("application/json", "text/plain; charset=utf-8", "text/x");
    }

    @Test
    void aBodyCanComeFromStandardInput() {
        Cli run = Cli.withInput("typed in", () -> run(1, "--post", "/a", "--body", "@-", "--put", "/b", "--body=@-"));
        assertThat(run.code()).isZero();
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(tuple("POST /a", "typed in"), tuple("PUT /b", "typed in"));
    }

    @Test
    void requestsGoInTheOrderOfTheCommandLine() {
        assertThat(run(2, "--post", "/b", "--get", "/a?x=1", "--post", "/c", "--get", "/")
                        .code())
                .isZero();
        assertThat(sent())
                .containsExactly(
                        "POST /b", "GET /a?x=1", "POST /c", "GET /", "POST /b", "GET /a?x=1", "POST /c", "GET /");
    }

    @Test
    void pathsAreAppendedToTheUrls() {
        Cli run = run(1, "--url", server.url() + "base/", "--get", "/", "--get", "/x?q=1");
        assertThat(run.code()).isZero();
        assertThat(sent()).containsExactly("GET /base/", "GET /base/x?q=1");
    }

    @Test
    void whatIsNotAsciiIsSentPercentEncoded() {
        Cli run = run(1, "--url", server.url() + "ü", "--get", "/", "--get", "/日?ö=1");
        assertThat(run.code()).isZero();
        assertThat(sent()).containsExactly("GET /%C3%BC", "GET /%C3%BC/%E6%97%A5?%C3%B6=1");
    }

    @Test
    void aBodyIsForThePostBeforeIt() {
        run(1, "--post", "/a", "--body", "one", "--post", "/b", "--body", "two", "--post", "/c");
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(
                        tuple("POST /a", "one"), tuple("POST /b", "two"), tuple("POST /c", "Phaseload says hello"));
    }

    @Test
    void aBodyThatComesFirstIsForEveryPostWithoutItsOwn() {
        run(1, "--body", "common", "--post", "/a", "--get", "/", "--post", "/b", "--body=own");
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(tuple("POST /a", "common"), tuple("GET /", ""), tuple("POST /b", "own"));
    }

    @Test
    void aBodyAloneIsPosted() {
        run(1, "--body", "hällo");
        assertThat(server.received())
                .extracting(Received::line, Received::text)
                .containsExactly(tuple("POST /", "hällo"));
    }

    @Test
    void aFileIsSentByteForByte() throws Exception {
        byte[] bytes = {0, (byte) 0xff, '\r', '\n', '@', (byte) 0x80};
        Path file = Files.write(folder.resolve("body.bin"), bytes);
        assertThat(run(1, "--post", "/", "--body", "@" + file).code()).isZero();
        assertThat(server.received()).singleElement().satisfies(request -> assertThat(request.body())
                .containsExactly(bytes));
        assertThat(result().at("/plan/operations/0/bodyBase64").asString())
                .isEqualTo(Base64.getEncoder().encodeToString(bytes));
    }

    @Test
    void headersAreSentWithEveryRequest() throws Exception {
        Cli run = run(
                1,
                "--get",
                "/",
                "--post",
                "/",
                "-H",
                "X-One: 1",
                "--header",
                "Authorization: Bearer pw",
                "-H",
                "X-None:");
        assertThat(run.code()).isZero();
        assertThat(server.received()).hasSize(2).allSatisfy(request -> {
            assertThat(request.headers().get("X-One")).containsExactly("1");
            assertThat(request.headers().get("X-None")).containsExactly("");
            assertThat(request.headers().get("Authorization")).containsExactly("Bearer pw");
        });
        assertThat(result().at("/plan/target/headers").findValuesAsString("value"))
                .containsExactly("1", "[redacted]", "");
    }

    @Test
    void theSamePathTwiceHasTwoNames() throws Exception {
        Cli run = run(1, "--get", "/x", "--post", "/x", "--get", "/x", "--get", "/y", "--get", "/x");
        assertThat(run.code()).isZero();
        assertThat(sent()).containsExactly("GET /x", "POST /x", "GET /x", "GET /y", "GET /x");
        String[] names = {"GET /x", "POST /x", "GET /x #2", "GET /y", "GET /x #3"};
        assertThat(result().at("/plan/operations").findValuesAsString("name")).containsExactly(names);
        assertThat(result().at("/phases/0/operations").findValuesAsString("name"))
                .containsExactly(names);
        assertThat(run.out()).contains(names);
    }

    @Test
    void whatWasAskedForIsInTheResult() throws Exception {
        Cli run = run(
                1,
                "--label",
                "commit=abc",
                "--label",
                "note=a=b c",
                "--name",
                "night-1.0_x",
                "--connect-timeout",
                "250ms",
                "--timeout",
                "1.5s",
                "-k");
        assertThat(run.code()).isZero();
        JsonNode plan = result().get("plan");
        assertThat(plan.get("labels").toString()).isEqualTo("{\"commit\":\"abc\",\"note\":\"a=b c\"}");
        assertThat(plan.get("name").asString()).isEqualTo("night-1.0_x");
        assertThat(plan.at("/target/connectTimeoutMs").asDouble()).isEqualTo(250);
        assertThat(plan.at("/target/responseTimeoutMs").asDouble()).isEqualTo(1500);
        assertThat(plan.at("/target/insecure").asBoolean()).isTrue();
        assertThat(result().get("target").isNull()).isTrue();
        assertThat(run.out()).doesNotContain("Target: ");
    }

    @Test
    void phasesTakeTheirSharesOfTheThreads() {
        Cli run = run(1, "--phases", "low=0.5, high = 1", "-c", 3, "--get", "/");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("LOW phase: All threads(1) running....")
                .contains("HIGH phase: All threads(3) running....");
        assertThat(sent()).hasSize(4);
    }

    @Test
    void aPhaseCanLastForATime() throws Exception {
        Cli run = Cli.run("--url", server.url(), "--phases=one=1", "-c", 1, "--duration", "50ms", "-o", out);
        assertThat(run.code()).isZero();
        JsonNode result = result();
        assertThat(result.at("/plan/phases/0/durationMs").asDouble()).isEqualTo(50);
        assertThat(result.at("/totals/wallSeconds").asDouble()).isGreaterThanOrEqualTo(0.05);
        assertThat(result.at("/totals/requests").asInt()).isEqualTo(sent().size());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "this JDK has no virtual threads")
    void usersCanBeVirtualThreads() throws Exception {
        Cli run = run(3, "--virtual", "--get", "/", "--post", "/");
        assertThat(run.code()).isZero();
        assertThat(run.out()).containsPattern(", virtual threads\\R");
        assertThat(result().at("/plan/virtualThreads").asBoolean()).isTrue();
        assertThat(sent()).hasSize(6);
    }
}
