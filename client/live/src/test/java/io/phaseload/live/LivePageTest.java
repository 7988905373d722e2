package io.phaseload.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.store.StoredRun;
import io.phaseload.verdict.Finding;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class LivePageTest {

    private static final HttpClient BROWSER = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private record Event(String name, JsonNode data) {}

    @Test
    void aBrowserReceivesAllRequestsAndThenTheReport() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.iterations(200))) {
            assertThat(get(run.url("")).body()).contains("<script src=\"live.js\">");
            assertThat(get(run.url("")).headers().firstValue("Content-Security-Policy"))
                    .isPresent();
            List<Event> events = events(run.url("events"));

            Result result = run.result.join();
            assertThat(events.get(0).name()).isEqualTo("run");
            assertThat(events.get(0).data().get("phases")).hasSize(4);
            assertThat(named(events, "second")
                            .mapToLong(of -> of.get("requests").asLong())
                            .sum())
                    .isEqualTo(result.totals().requests());
            assertThat(named(events, "second")
                            .mapToLong(of -> of.at("/failures/http 503").asLong())
                            .sum())
                    .isEqualTo(result.totals().failed());
            assertThat(named(events, "second")
                            .flatMap(of -> cells(of.get("heat")))
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(result.totals().requests());
            assertThat(named(events, "judgement"))
                    .anySatisfy(of ->
                            assertThat(of.get("failed").get(0).get("request")).hasToString("\"GET /broken\""));
            // A browser that comes late has all of it.
            assertThat(named(events(run.url("events")), "second").toList())
                    .isEqualTo(named(events, "second").toList());
            assertThat(get(run.url("")).body()).contains("<h1>").doesNotContain("live.js");
        }
    }

    @Test
    void eachAgentHasARow() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.duration(Duration.ofMinutes(10)));
                BufferedReader lines = lines(run.url("events"))) {
            String line = "";
            while (!line.equals("event: agents")) {
                line = lines.readLine();
            }
            JsonNode agents = JsonMapper.shared().readTree(lines.readLine().substring("data: ".length()));
            assertThat(agents).singleElement().satisfies(agent -> {
                assertThat(agent.get("name").asString()).isEqualTo("one");
                assertThat(agent.get("requests").asLong()).isPositive();
                assertThat(agent.get("failed").asLong()).isPositive();
            });
        }
    }

    @Test
    void withoutTheTokenThereIsNothing() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.iterations(1))) {
            URI other = URI.create("http://127.0.0.1:" + run.live.port() + "/0123456789abcdef0123456789abcdef/stop");
            assertThat(get(other.resolve("/")).statusCode()).isEqualTo(404);
            assertThat(get(other.resolve("/events")).statusCode()).isEqualTo(404);
            assertThat(post(other, "{}").statusCode()).isEqualTo(404);
            assertThat(post(other.resolve("control"), "{}").statusCode()).isEqualTo(404);
            assertThat(get(run.url("live.html")).statusCode()).isEqualTo(404);
            assertThat(get(run.url("stop")).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aReaderStopsTheRun() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.duration(Duration.ofMinutes(10)))) {
            HttpResponse<String> answer = post(run.url("change"), "{\"change\": \"stop\"}");

            assertThat(answer.statusCode()).isEqualTo(200);
            Result result = run.result.join();
            assertThat(result.interrupted()).isTrue();
            assertThat(result.changes()).singleElement().satisfies(change -> {
                assertThat(change.change()).isEqualTo("stop");
                assertThat(change.origin()).isEqualTo("page");
            });
        }
    }

    @Test
    void aScriptChangesTheLoadAndReceivesReasons() throws Exception {
        try (WatchedRun run = new WatchedRun(
                folder, plan -> plan.phases(new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMinutes(10)))))) {
            URI control = run.url("control");
            JsonNode load = read(get(control));
            while (load.isEmpty()) {
                load = read(get(control));
            }
            assertThat(load).hasToString("{\"phase\":\"peak\",\"model\":\"closed\",\"users\":\"2\",\"paused\":false}");

            JsonNode done = read(post(control, "{\"change\": \"users\", \"to\": \"3\"}"));
            assertThat(done.get("from").asString()).isEqualTo("2");
            assertThat(done.get("to").asString()).isEqualTo("3");
            assertThat(refused(control, 409, "{\"change\": \"rate\", \"to\": \"5/s\"}"))
                    .isEqualTo("rate 5/s: phase peak has users instead of a rate");
            assertThat(refused(control, 409, "{\"change\": \"users\", \"to\": \"many\"}"))
                    .isEqualTo("users many: expected 1 to 1000000");
            assertThat(refused(control, 409, "{\"change\": \"faster\"}"))
                    .contains("expected one of rate, users, pause");
            assertThat(refused(control, 400, "rate 5/s")).contains("expected JSON");
            assertThat(refused(control, 400, " ".repeat(2_000))).contains("expected JSON");
            // Until it has taken effect, and some time more.
            long enough = System.nanoTime() + Duration.ofMillis(500).toNanos();
            while (System.nanoTime() < enough) {
                assertThat(read(get(control)).get("users").asString()).isEqualTo("3");
            }
            post(control, "{\"change\": \"next\"}");

            Result result = run.result.join();
            assertThat(result.interrupted()).isFalse();
            assertThat(result.phases().get(0).segments())
                    .extracting(PhaseResult.SegmentResult::load)
                    .containsExactly("2", "3");
            assertThat(result.findings()).extracting(Finding::id).contains("steered");
            Plan again = PlanFile.read(folder);
            assertThat(again.changes())
                    .extracting(change -> change.kind().key())
                    .containsExactly("users", "next");
            assertThat(StoredRun.read(folder).result().phases().get(0).segments())
                    .usingRecursiveComparison()
                    .isEqualTo(result.phases().get(0).segments());
            assertThat(named(events(run.url("events")), "change")
                            .map(of -> of.get("origin").asString()))
                    .containsExactly("control", "control");
        }
    }

    private static String refused(URI control, int status, String body) throws Exception {
        HttpResponse<String> answer = post(control, body);
        assertThat(answer.statusCode()).isEqualTo(status);
        return read(answer).get("error").asString();
    }

    private static JsonNode read(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    /** It reads nothing of what it asked for, as a laptop that sleeps. */
    @Test
    void aBrowserThatReadsNothingHoldsNobodyUp() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.iterations(100));
                Socket asleep = new Socket("127.0.0.1", run.live.port())) {
            OutputStream out = asleep.getOutputStream();
            out.write(("GET " + run.url("events").getPath() + " HTTP/1.1\r\nHost: x\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(events(run.url("events"))).last().extracting(Event::name).isEqualTo("end");
            assertThat(run.result.join().interrupted()).isFalse();
        }
    }

    private static Stream<JsonNode> named(List<Event> events, String name) {
        return events.stream().filter(event -> event.name().equals(name)).map(Event::data);
    }

    private static Stream<Long> cells(JsonNode heat) {
        List<Long> counts = new ArrayList<>();
        for (int i = 1; i < heat.size(); i += 2) {
            counts.add(heat.get(i).asLong());
        }
        return counts.stream();
    }

    /** All up to the last one. */
    private static List<Event> events(URI url) throws Exception {
        List<Event> events = new ArrayList<>();
        try (BufferedReader lines = lines(url)) {
            String name = "";
            for (String line = lines.readLine(); !name.equals("end"); line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(name, JsonMapper.shared().readTree(line.substring("data: ".length()))));
                }
            }
            events.add(new Event("end", JsonMapper.shared().createObjectNode()));
        }
        return events;
    }

    private static BufferedReader lines(URI url) throws Exception {
        HttpResponse<InputStream> response =
                BROWSER.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> get(URI url) throws Exception {
        return BROWSER.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(URI url, String body) throws Exception {
        return BROWSER.send(
                HttpRequest.newBuilder(url).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }
}
