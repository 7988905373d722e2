package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Threshold;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Plans' files, through the library alone. */
class PlanReadTest {

    private static final Path DOCS = Path.of(System.getProperty("basedir", ""), "..", "..", "docs");

    private static final Pattern QUOTED = Pattern.compile("```yaml\n(target:.*?)```", Pattern.DOTALL);

    private static final String PLAN =
            """
            name: nightly
            target:
              url: http://localhost:8080/shop/
              headers: {Accept: text/html, Authorization: Bearer x1}
              responseTimeout: 2500ms
            operations:
              - GET /items
              - method: POST
                path: /cart
                body: '{"item": 7}'
                checks: status=201 body~"it's"
                metrics: ["elapsed=/timeElapsed:ms"]
            threads: 200
            phases: warmup=0.1 for 10s, rise=1 at 10/s..500/s for 1m, peak=1 for 20 iterations
            rate: 500/s
            arrivals: constant
            overload: drop
            engine: {name: events, loops: 2, http2: true, streams: 5, windows: '1MiB,2MiB'}
            seed: 7
            labels: {build: 1234}
            serverMetrics: {url: /metrics, metrics: {busy: 'rate(busy{a="b"})'}}
            thresholds: ['peak/POST /cart: p99 < 250ms']
            """;

    @TempDir
    private Path folder;

    @Test
    void settingsHaveTheDefaultsOfPlans() {
        URI url = URI.create("http://localhost:8080/");
        Settings settings =
                Settings.NONE.with(Setting.URL, Given.text(Setting.URL, url.toString(), new Origin.Option("--url")));

        assertThat(PlanFile.of(settings, Optional.empty()))
                .isEqualTo(Plan.builder(url).build());
    }

    @Test
    void readsEveryPlanOfTheDocs() throws Exception {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> pages = Files.newDirectoryStream(DOCS, "*.{md,yaml}")) {
            for (Path page : pages) {
                if (page.toString().endsWith(".yaml")) {
                    files.add(page);
                }
                Matcher quoted = QUOTED.matcher(Files.readString(page));
                while (quoted.find()) {
                    files.add(write(files.size() + ".yaml", quoted.group(1)));
                }
            }
        }
        assertThat(files).isNotEmpty();
        try (DirectoryStream<Path> plans = Files.newDirectoryStream(DOCS.resolveSibling("examples"), "*.yaml")) {
            plans.forEach(files::add);
        }
        for (Path file : files) {
            Plan plan = PlanFile.read(file);
            assertThat(plan.target().host()).as(file.toString()).isNotEmpty();
            Path again = folder.resolve("again.json");
            PlanFile.write(plan, again);
            assertThat(PlanFile.read(again)).isEqualTo(plan);
        }
    }

    @Test
    void readsAFile() throws Exception {
        Plan plan = PlanFile.read(write("plan.yaml", PLAN));

        assertThat(plan.name()).isEqualTo("nightly");
        assertThat(plan.target().responseTimeout()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(plan.target().connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(plan.target().headers()).contains(new Header("Accept", "text/html"));
        assertThat(plan.scenario().operations())
                .extracting(Operation::name)
                .containsExactly("GET /items", "POST /cart");
        assertThat(plan.scenario().operations().get(1).checks())
                .containsExactly(new Check.StatusIs(201), new Check.BodyCheck("it's", false));
        assertThat(plan.phases()).extracting(Phase::name).containsExactly("warmup", "rise", "peak");
        assertThat(plan.phases().get(2).length()).isEqualTo(new PhaseLength.Iterations(20));
        assertThat(plan.engine().protocol().usersPerConnection()).isEqualTo(5);
        assertThat(plan.labels()).containsEntry("build", "1234");
        assertThat(plan.thresholds()).containsExactly(Threshold.parse("peak/POST /cart: p99 < 250ms"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan.yaml", "plan.json"})
    void roundTrips(String name) throws Exception {
        Plan plan = PlanFile.read(write("first.yaml", PLAN.replace(", Authorization: Bearer x1", "")));
        Path file = folder.resolve(name);

        PlanFile.write(plan, file);

        assertThat(PlanFile.read(file)).isEqualTo(plan);
    }

    @Test
    void aSecretIsNotWrittenAndMustBeGivenAgain() throws Exception {
        Path file = folder.resolve("plan.yaml");
        PlanFile.write(PlanFile.read(write("first.yaml", PLAN)), file);

        assertThat(file).content().doesNotContain("x1").contains("[redacted]");
        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(file + ": line ")
                .hasMessageContaining("headers.1 needs its value in a copy of the file, or --header"
                        + " 'Authorization: …': it was a secret, and secrets aren't kept");
    }

    @Test
    void aBodyThatLooksLikeSomethingElseIsUnchanged() throws Exception {
        for (String body : new String[] {"@home", "Bearer ${TOKEN}", "~", "\u0000"}) {
            Plan plan = Plan.builder(URI.create("http://localhost/"))
                    .operations(Operation.post("/", Body.ofText(body)))
                    .build();
            Path file = folder.resolve("plan.json");
            PlanFile.write(plan, file);
            assertThat(PlanFile.read(file)).isEqualTo(plan);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "threads: 0 | line 2: threads 0: expected a whole number of 1 or more",
                "threads: 2000000 | line 2: threads 2000000: expected at most 1000000",
                "duration: 721h | line 2: duration 721h: expected more than 0 and at most 30 days",
                "thread: 3 | line 2: key thread: no such key, did you mean threads?",
                "engine: {name: events, http2: true, pipeline: 2} | line 2: engine.pipeline 2"
                        + " cannot be combined with engine.http2",
                "engine: {name: threads, loops: 2} | line 2: engine.loops 2 needs engine.name events",
                "threads: *v | line 2: *v: expected the value itself, not an alias",
                "operations: [{method: GET, path: x}] | line 2: operations.0.path x: expected a path",
                "phases: [{name: a, share: 1, load: {model: open}}] | line 2: phases.0.load: expected"
                        + " a key arrivals",
                "phases: [{name: a, share: 1, rate: 5/s, load: {model: closed}}] | line 2:"
                        + " phases.0.rate 5/s cannot be combined with phases.0.load",
                "operations: [{method: GET, path: /, headers: {Content-Length: '3'}}] | line 2:"
                        + " operations.0.headers.Content-Length: expected one that the client"
                        + " doesn't set itself",
                "--- | line 3: expected the end of the file: it can contain only one plan",
            })
    void errorsNameTheirLine(String line, String message) throws Exception {
        Path file = write("plan.yaml", "target: http://localhost/\n" + line + "\n");

        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(file + ": " + message);
    }

    @Test
    void featuresOfTheCommandLineAloneAreRejected() throws Exception {
        assertThatThrownBy(() -> PlanFile.read(write("a.yaml", "target: tomcat\n")))
                .hasMessageEndingWith(
                        "line 1: target tomcat: expected a url: only the command line starts" + " targets");
        assertThatThrownBy(() -> PlanFile.read(write("b.yaml", "threads: 3\n")))
                .hasMessageContaining("target: expected a url");
        assertThatThrownBy(() -> PlanFile.read(write("c.yaml", "target: {url: 'https://h/', awsSigv4: 'aws:amz'}\n")))
                .hasMessageContaining("target.awsSigv4 aws:amz: the library can't sign by this");
        assertThatThrownBy(() -> PlanFile.read(folder.resolve("none.yaml"))).isInstanceOf(NoSuchFileException.class);
    }

    /** Only what is started has instances. */
    @ParameterizedTest
    @ValueSource(strings = {"lambdaInstances: 3", "lambdaColdStart: 3s"})
    void whatIsOfLambdaNeedsLambda(String key) throws Exception {
        Path file = write("plan.yaml", "target: {url: 'http://localhost/', " + key + "}\n");
        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(SettingsException.class)
                .hasMessage(file + ": line 1: target." + key.replace(":", "") + " needs target.kind lambda");
    }

    /** A later version may have more of them; a plan to run must be all that was asked for. */
    @Test
    void unknownKeysOfAResultAreSkipped() throws Exception {
        Plan plan = PlanFile.read(write("plan.yaml", PLAN.replace(", Authorization: Bearer x1", "")));
        ObjectNode json = PlanDocument.of(plan);
        json.put("quorum", 3).withObject("/engine").put("colour", "red");
        json.withArray("/phases").get(0).withObject("/load").put("tide", "high");

        assertThat(PlanFile.ofResult(json.toString())).isEqualTo(plan);
        Path file = write("plan.json", json.toString());
        assertThatThrownBy(() -> PlanFile.read(file)).hasMessageContaining(": no such key");
        // This one was damaged.
        json.set("thresholdz", json.remove("thresholds"));
        assertThatThrownBy(() -> PlanFile.ofResult(json.toString()))
                .hasMessageContaining("key thresholdz: no such key, did you mean thresholds?");
    }

    /** Whether an engine has virtual threads is its own to say. */
    @Test
    void aResultOfAnotherEngineIsRead() throws Exception {
        ObjectNode json = PlanDocument.of(PlanFile.read(write("plan.yaml", "target: http://h/\n")));
        json.put("virtualThreads", true).withObject("/engine").put("name", "steam");
        assertThat(PlanFile.ofResult(json.toString()).virtualThreads()).isTrue();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
