package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.settings.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenarios of plans' files. */
class JourneyPlanTest {

    private static final String PLAN =
            """
            target: {url: http://localhost/, headers: {X-Key: "{key}"}}
            variables: {pageSize: 20, key: "${env:API_KEY}", password: s3cret}
            data:
              accounts: {csv: accounts.csv, order: shuffled, each: user, whenExhausted: stop}
              items: {json: items.jsonl}
            scenarios:
              - name: browse
                weight: 80
                steps:
                  - get: /items?page={random:1..50}&size={pageSize}
                    extract:
                      id: json:/items/0/id
                      csrf: {from: 'regex:name="csrf" value="([^"]+)"', default: none}
                    checks: status=200 body~"items"
                  - think: 1s..3s
                  - repeat: 3
                    steps: [{get: "/items/{id}"}]
                  - when: "{id} != ''"
                    steps:
                      - {method: PURGE, path: "/{csrf}", onFailure: continue}
                      - {get: /a, onFailure: retry}
                      - {get: /b, onFailure: {retry: 7, after: 1s..2s, then: continue}}
              - name: buy
                weight: 20
                session:
                  cookies: true
                  redirects: 3
                  decompress: true
                  cache: true
                  credentials: "{accounts.name}:{accounts.password}"
                steps:
                  - group: checkout
                    steps:
                      - post: /login
                        extract: {n: {from: "json:/items/*/id", take: count}}
                        form: {user: "{accounts.name}", pass word: "a&{accounts.password}"}
                      - post: /cart
                        json: {item: "{items.id} {{x}", "n": 2, deep: [true, {a: "b\\"{key}"}]}
                      - put: /files/{uuid}
                        body: '{"a": "{password}"}'
                        headers: {Authorization: "Basic {base64:{accounts.name}:{accounts.password}}"}
            """;

    @TempDir
    private Path folder;

    @Test
    void aWebSocketOfStepsIsOpenedAtAnAddressOfHttp() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(
                        () -> read(
                                """
                                        target: ws://127.0.0.1:9/
                                        scenarios:
                                          - {name: chat, steps: [{connect: /rooms/1}, {ping: 1s}]}
                                        """))
                .withMessageContaining("scenarios.0 needs target.url http://…, where a step connect opens a WebSocket");
    }

    private Plan read(String text) throws IOException {
        return PlanFile.read(Files.writeString(folder.resolve("plan.yaml"), text));
    }

    @Test
    void readsScenarios() throws IOException {
        Scenario scenario = read(PLAN).scenario();
        assertThat(scenario.operations().stream().map(Operation::name))
                .containsExactly(
                        "browse: GET /items?page={random:1..50}&size={pageSize}",
                        "browse: GET /items/{id}",
                        "browse: PURGE /{csrf}",
                        "browse: GET /a",
                        "browse: GET /b",
                        "buy: POST /login",
                        "buy: POST /cart",
                        "buy: PUT /files/{uuid}",
                        "buy: follow-ups",
                        "browse: retries");
        assertThat(scenario.timed()).containsExactly("browse", "buy", "buy/checkout", "buy/follow-ups");
        Journeys journeys = scenario.journeys().orElseThrow();
        assertThat(journeys.all().stream().map(Journey::requests)).containsExactly(7L, 3L);
        assertThat(journeys.feeders().get(0))
                .isEqualTo(new Feeder(
                        "accounts",
                        Feeder.Format.CSV,
                        folder.resolve("accounts.csv"),
                        Feeder.RowOrder.SHUFFLED,
                        Feeder.Each.USER,
                        Feeder.Exhausted.STOP));
        assertThat(journeys.feeders().get(1))
                .isEqualTo(Feeder.of("items", Feeder.Format.JSON, folder.resolve("items.jsonl")));
    }

    @Test
    void formsAndJsonAreTemplatesOfWhichValuesAreEscaped() throws IOException {
        assertThat(read(PLAN).scenario().operations().stream()
                        .skip(5)
                        .limit(3)
                        .map(of -> of.body().orElseThrow().text().orElseThrow()))
                .containsExactly(
                        "user={urlencode:{accounts.name}}" + "&pass+word=a%26{urlencode:{accounts.password}}",
                        "{\"item\":\"{json:{items.id}} {{x}\",\"n\":2,"
                                + "\"deep\":[true,{\"a\":\"b\\\"{json:{key}}\"}]}",
                        "{\"a\": \"{password}\"}");
    }

    @Test
    void aFormWithFilesHasParts() throws IOException {
        Path note = Files.writeString(folder.resolve("no\"te.txt"), "a {user}");
        Path photo = Files.write(folder.resolve("photo.jpg"), new byte[] {-1, '{', '{', 0});
        String plan =
                """
                target: http://localhost/
                scenarios:
                  - name: j
                    steps:
                      - post: /
                        multipart:
                          - {name: title, text: "x {user} {{y}"}
                          - {name: note, file: '%s', type: text/plain}
                """
                        .formatted(note);
        Operation operation = read(plan).scenario().operations().get(0);
        String type = operation.headers().get(0).value();
        assertThat(type).matches("multipart/form-data; boundary=phaseload-[0-9a-f]{16}");
        assertThat(operation.body().orElseThrow().text().orElseThrow())
                .isEqualTo(
                        """
                        --B
                        Content-Disposition: form-data; name="title"

                        x {user} {{y}
                        --B
                        Content-Disposition: form-data; name="note"; filename="no%22te.txt"
                        Content-Type: text/plain

                        a {{user}
                        --B--
                        """
                                .replace("\n", "\r\n")
                                .replace("B", type.replaceAll(".*boundary=", "")));
        assertThat(read(plan).scenario().operations().get(0)).isEqualTo(operation);

        String binary = plan.replace(note.toString(), photo.toString());
        assertThatThrownBy(() -> read(binary))
                .hasMessageContaining("expected no values beside a file that isn't UTF-8 text");
        byte[] sent = read(binary.replace("{user} ", ""))
                .scenario()
                .operations()
                .get(0)
                .body()
                .orElseThrow()
                .bytes();
        assertThat(new String(sent, StandardCharsets.ISO_8859_1))
                .contains("\r\n\r\nx {y}\r\n--", "filename=\"photo.jpg\"", "\r\n\r\n\u00ff{{\0\r\n--");
    }

    @Test
    void whatIsWrittenIsReadAgainButForSecrets() throws IOException {
        Plan plan = read(PLAN.replace(", password: s3cret", ", passwrd: x").replace("{password}", "x"));
        PlanFile.write(plan, folder.resolve("written.yaml"));
        assertThat(Files.readString(folder.resolve("written.yaml"))).contains("key: \"${env:API_KEY}\"");
        Plan again = PlanFile.read(folder.resolve("written.yaml"));
        assertThat(again.scenario().timed()).isEqualTo(plan.scenario().timed());
        assertThat(again.scenario()).isEqualTo(plan.scenario());
        assertThat(PlanFile.ofResult(PlanFile.toResultJson(plan)).scenario()).isEqualTo(plan.scenario());
    }

    @Test
    void stepsWithAWebSocketAreReadAndWritten() throws IOException {
        Plan plan = read(
                """
                        target: http://localhost/
                        scenarios:
                          - name: j
                            steps:
                              - connect: /rooms/{user}
                                headers: {Authorization: "Bearer {base64:{user}}"}
                                subprotocols: [v2, v1]
                                answers: [{to: "p\\x1f", with: "o{user}"}, {to: {binary: "hex:01"}, with: {binary: "hex:{hex:{user}}"}}]
                              - {send: "hi {user}", name: greet}
                              - send: {json: {n: 1, who: "{user}"}}
                              - send: {binary: "base64:AP8="}
                              - expect: {}
                              - expect: {text: "hi", within: 1.5s}
                                extract: {n: "json:/n"}
                                metrics: ["age={now}-{n}:ms", "size=/size"]
                                onFailure: continue
                              - expect: {text: {contains: "{n}"}}
                              - expect: {text: {matches: "a+"}}
                              - expect: {json: {/n: 1, /deep/ok: true}}
                              - expect: {binary: "hex:00FF"}
                              - ping: 250ms
                              - close: 4000
                        """);
        Step.Socket connect = Step.connect("/rooms/{user}", "v2", "v1")
                .header("Authorization", "Bearer {base64:{user}}")
                .answer(new Expectation.TextIs("p\u001f"), new SocketAction.SendText("o{user}"))
                .answer(new Expectation.BytesAre("01"), new SocketAction.SendBytes("{hex:{user}}"));
        assertThat(plan.scenario().journeys().orElseThrow().all().get(0).steps())
                .containsExactly(
                        connect,
                        Step.send("hi {user}").named("greet"),
                        Step.send("{\"n\":1,\"who\":\"{json:{user}}\"}"),
                        Step.socket(new SocketAction.SendBytes("00ff")),
                        Step.expect(Expectation.ANYTHING),
                        Step.expect(new Expectation(
                                        new Expectation.TextIs("hi"), Optional.of(Duration.ofMillis(1_500))))
                                .extract("n", "json:/n")
                                .metrics(Metric.parse("age={now}-{n}:ms"), Metric.parse("size=/size"))
                                .onFailure(Step.OnFailure.CONTINUE),
                        expect(new Expectation.TextContains("{n}")),
                        expect(new Expectation.TextMatches("a+")),
                        expect(new Expectation.JsonHas(Map.of("/n", "1", "/deep/ok", "true"))),
                        expect(new Expectation.BytesAre("00ff")),
                        Step.socket(new SocketAction.Ping(Duration.ofMillis(250))),
                        Step.socket(new SocketAction.Close(4_000)));
        assertThat(plan.scenario().operations().stream().map(Operation::name))
                .startsWith("connect /rooms/{user}", "greet", "send", "send #2", "expect")
                .endsWith("ping", "close");
        PlanFile.write(plan, folder.resolve("written.yaml"));
        Scenario written = PlanFile.read(folder.resolve("written.yaml")).scenario();
        assertThat(written.operations()).isEqualTo(plan.scenario().operations());
        assertThat(actions(written)).isEqualTo(actions(plan.scenario()));
        Scenario shared = PlanFile.ofShared(PlanFile.toSharedJson(plan)).scenario();
        assertThat(shared.operations()).isEqualTo(plan.scenario().operations());
        assertThat(actions(shared)).isEqualTo(actions(plan.scenario()));
    }

    private static List<SocketAction> actions(Scenario scenario) {
        return scenario.journeys().orElseThrow().requests().stream()
                .map(step -> ((Step.Socket) step).action())
                .toList();
    }

    private static Step.Socket expect(Expectation.Matcher matcher) {
        return Step.expect(new Expectation(matcher, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "connect: rooms|connect rooms: expected a path that begins with /",
                "connect: /a, extract: {n: \"json:/n\"}|extract cannot be combined with connect",
                "send: {text: a, json: b}|expected one of text, json and binary",
                "send: {binary: zz}|binary zz: expected hex:00ff, hex:00{hex:{name}} or base64:AP8=",
                "send: {binary: \"hex:0g{user}\"}|expected hex:00ff",
                "expect: {}, metrics: [\"d={now}-{sent}:ms\"]|{sent}: expected {{ for a brace",
                "expect: {}, metrics: [\"d={now}-{sent}\"]|metrics.0 d={now}-{sent}: expected s, ms or us with {now}",
                "ping: 1s, metrics: [\"d=/d\"]|metrics cannot be combined with ping",
                "connect: /a, answers: [{to: {within: 1s}, with: b}]|expected one of text, json and binary",
                "connect: /a, answers: [{to: \"{n}\", with: b}]|{n}: expected",
                "send: a, answers: [{to: a, with: b}]|answers cannot be combined with send",
                "expect: {txt: a}|key txt: no such key, did you mean text?",
                "expect: {text: {matches: \"(\"}}|expected a regular expression",
                "expect: {json: {n: 1}}|expected a JSON Pointer such as /items/0/id",
                "expect: {within: 0s}|within 0s: expected a time above 0",
                "expect: {}, extract: {h: \"header:x\"}|expected a part of the message",
                "expect: {text: \"{n}\"}|{n}: expected",
                "expect: {}, onFailure: retry|onFailure: expected end or continue with expect",
                "ping: soon|ping soon: expected a time above 0",
                "close: 1005|close 1005: expected 1000 to 1003, 1007 to 1014, or 3000 to 4999",
                "get: /a, subprotocols: [a]|subprotocols cannot be combined with get",
            })
    void whatAWebSocketCannotDoIsRefused(String step, String expected) {
        assertThatThrownBy(() -> read(
                        """
                                        target: http://localhost/
                                        scenarios:
                                          - name: j
                                            steps: [{%s}]
                                        """
                                .formatted(step)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("plan.yaml")
                .hasMessageContaining(expected)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void onlyAnExpectedMessageHasATimeSinceAMoment() {
        Metric age = Metric.parse("age={now}-{sent}:ms");
        Operation get = Operation.get("/").withMetrics(age);
        assertThatThrownBy(() -> Plan.builder(URI.create("http://localhost/"))
                        .operations(get)
                        .build())
                .hasMessage("metric age={now}-{sent}:ms needs a step expect");
        assertThatThrownBy(() -> Journeys.of(Journey.named("j")
                        .step(Step.connect("/a"))
                        .step(Step.expect(Expectation.ANYTHING).metrics(age))))
                .hasMessageContaining("{sent}: expected");
    }

    @Test
    void ofCodeAResultKeepsTheName() throws IOException {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.of(Journeys.of(Journey.named("j")
                        .step(Step.code("sign", values -> {}, "mac"))
                        .step(Step.get("/{mac}")))))
                .build();
        Plan ofResult = PlanFile.ofResult(PlanFile.toResultJson(plan));
        assertThat(ofResult.scenario().operations()).isEqualTo(plan.scenario().operations());
        Path written = folder.resolve("written.yaml");
        PlanFile.write(plan, written);
        assertThatThrownBy(() -> PlanFile.read(written))
                .hasMessageContaining("sign: expected another step: this was Java code");
        assertThatThrownBy(() -> Journeys.of(Journey.named("j").step(Step.get("/{mac}"))))
                .hasMessageContaining("{mac}: expected");
    }

    @Test
    void secretsAreNotWritten() throws IOException {
        assertThat(PlanDocument.of(read(PLAN)).toString())
                .doesNotContain("s3cret")
                .contains("\"password\":\"[redacted]\"");
    }

    /** Each is put in the place of the steps of a plan. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{get: '/{idd}'}]|scenario s, step GET /{idd}: {idd}: expected one of d.column, v",
                "[{get: '/{x.y}'}]|{x.y}: expected one of d.column, v",
                "[{get: /, extract: {v: 'json:id'}}]|expected a JSON Pointer such as /items/0/id",
                "[{get: /, extract: {uuid: 'json:/id'}}]|expected letters, digits and _, and none",
                "[{get: /, extract: {a: 'xml:/id'}}]|expected json:/pointer, jsonpath:…, css:…, xpath:…, regex:…, header:name",
                "[{get: /, extract: {a: 'regex:('}}]|expected a regular expression",
                "[{get: /, post: /}]|expected one of get, post,",
                "[{think: 1s, name: x}]|cannot be combined with think",
                "[{repeat: 2}]|expected a key steps",
                "[{think: 1s}]|expected 1 to 1000000000 requests, one at least without a condition",
                "[{repeat: 1m, steps: [{repeat: 1m, steps: [{repeat: 1m, steps: [{repeat: 16, steps: [{get: /}]}]}]}]}]"
                        + "|expected 1 to 1000000000 requests",
                "[{when: '{v} == 1', steps: [{get: /}]}]|one at least without a condition",
                "[{get: /, checks: \"body='{w}'\"}]|{w}: expected one of d.column, v",
                "[{get: /, checks: \"body='{base64:{uuid}}'\"}]|expected no {uuid}, which is another one each time",
                "[{get: '/{random:1}'}]|expected {random:1..6}",
                "[{get: /, headers: {'X-{v}': a}}]|headers.X-{v}: expected letters, digits and -",
                "[{get: /, body: a, json: {}}]|cannot be combined with",
                "[{group: a, steps: [{get: /}]}, {group: a, steps: [{get: /}]}]|group a: expected a name that is unique",
                "[{get: /, extract: {d: 'json:/id'}}]|d: expected another name than data's",
                "[{get: /, onFailure: {retry: 101}}]|retry 101: expected",
                "[{get: /, onFailure: {retry: 3000000000}}]|retry 3000000000: expected a whole number from 1 to 2147483647",
                "[{get: /, onFailure: {retry: 1, after: [5]}}]|after: expected two numbers, the least and the most",
                "[{get: /, onFailure: {then: end}}]|expected a key retry",
                "[{repeat: 3000000000, steps: [{get: /}]}]|repeat 3000000000: expected a whole number from 1 to",
                "[{think: [5]}]|think: expected two numbers, the least and the most",
                "[{think: [5, 1]}]|expected 0 or more, the shorter one first",
                "[{get: /, onFailure: stop}]|onFailure",
                "[{get: /, bodi: x}]|key bodi: no such key, did you mean body?",
                "[{get: '/${env:KEY}'}]|expected the value in place of ${env:KEY}, which nothing fills in"
            })
    void mistakesAreNamedWhereTheyAreWritten(String steps, String message) {
        String plan =
                """
                target: http://localhost/
                variables: {v: 1}
                data: {d: {csv: d.csv}}
                scenarios: [{name: s, steps: %s}]
                """
                        .formatted(steps);
        assertThatThrownBy(() -> read(plan))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("plan.yaml: line ")
                .hasMessageContaining(message);
    }

    @Test
    void variablesAndOperationsNeedNoScenariosBesideThem() {
        assertThatThrownBy(() -> read("target: http://localhost/\nvariables: {a: b}\n"))
                .hasMessageContaining("needs scenarios");
        assertThatThrownBy(() -> read("target: http://localhost/\noperations: [GET /]\n"
                        + "scenarios: [{name: s, steps: [{get: /}]}]\n"))
                .hasMessageContaining("cannot be combined with");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate: 50 journeys/s|",
                "phases: peak=1 for 1s at 10 journeys/s..50 journeys/s|",
                "rate: 50/s|line 3: rate 50/s: expected journeys, such as 50 journeys/s",
                "phases: peak=1 for 1s at 50 requests/s|expected journeys, such as 50 journeys/s"
            })
    void aRateIsOfJourneys(String rate, String message) throws IOException {
        String plan = "target: http://localhost/\nscenarios: [{name: s, steps: [{get: /}]}]\n" + rate;
        if (message == null) {
            assertThat(read(plan).phases()).allMatch(of -> of.load() instanceof Load.Open);
        } else {
            assertThatThrownBy(() -> read(plan)).hasMessageContaining(message);
        }
    }

    @Test
    void aRateOfRequestsIsOneWithoutScenarios() throws IOException {
        assertThat(read("target: http://localhost/\nrate: 50 requests/s\n").phases())
                .allMatch(of -> of.load() instanceof Load.Open);
        assertThatThrownBy(() -> read("target: http://localhost/\nrate: 50 journeys/s\n"))
                .hasMessageContaining("expected requests a second, such as 500/s");
    }

    @Test
    void turnsAreSharedExactly() {
        Journey one = Journey.named("a").weight(60).step(Step.get("/"));
        Journeys journeys = Journeys.of(one, new Journey("b", 20, one.steps()), new Journey("c", 20, one.steps()));
        assertThat(journeys.turns("any")).containsExactly(0, 1, 0, 2, 0);
    }

    @Test
    void aScenarioHasWeightsOfItsOwnInPhases() throws IOException {
        String text =
                """
                target: http://localhost/
                threads: 10
                phases: warmup=1, peak=1
                scenarios:
                  - {name: a, weight: {warmup: 1, peak: 3}, steps: [{get: /}]}
                  - {name: b, weight: {peak: 2}, steps: [{get: /}]}
                """;
        Plan plan = read(text);
        Journeys journeys = plan.scenario().journeys().orElseThrow();
        assertThat(journeys.turns("warmup")).containsExactly(0);
        assertThat(journeys.turns("peak")).containsExactly(0, 1, 0, 1, 0);
        assertThat(PlanFile.ofResult(PlanFile.toResultJson(plan)).scenario()).isEqualTo(plan.scenario());
        assertThatThrownBy(() -> read(text.replace("{peak: 2}", "{pek: 2}")))
                .hasMessageEndingWith("scenario b: weight in phase pek: expected a phase of warmup, peak");
        assertThatThrownBy(() -> read(text.replace("warmup: 1, ", "")))
                .hasMessageEndingWith("scenarios: expected one with a weight in phase warmup");
        assertThatThrownBy(() -> read(text.replace("peak: 3", "peak: 10001")))
                .hasMessageContaining("weight 10001: expected");
    }
}
