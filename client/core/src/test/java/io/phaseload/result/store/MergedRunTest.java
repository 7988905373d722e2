package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Requests;
import io.phaseload.measure.Tally;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class MergedRunTest {

    private static final Path RUN = Path.of("src/test/resources/io/phaseload/result/v2");
    private static final Duration LATER = Duration.ofSeconds(2);

    /** The second one is in its warm-up when the first one's loading begins. */
    @Test
    void overlappingPhasesCountOnce() throws Exception {
        StoredRun one = StoredRun.read(RUN);
        Result alone = one.result();

        Result both = new MergedRun(List.of(one, later(one))).result();

        assertThat(both.measuredPhases()).containsExactly("loading", "peak");
        assertThat(both.measured().requests()).isEqualTo(2 * alone.measured().requests());
        assertThat(seconds(both.measured().wall()))
                .isCloseTo(seconds(alone.measured().wall().plus(LATER)), within(0.2));
        assertThat(seconds(both.totals().inPhases()))
                .isCloseTo(seconds(alone.totals().inPhases().plus(LATER)), within(0.2));
        assertThat(both.measured().requestsPerSecond())
                .isEqualTo(both.measured().requests() / seconds(both.measured().wall()));
    }

    @Test
    void keptRequestsSayWhichRunTheyAreOf() throws Exception {
        StoredRun one = StoredRun.read(RUN);
        one.intervals().get(0).operations().get(0).keep(List.of(Requests.success(1, 2)));
        StoredRun kept = new StoredRun(one.plan(), one.json(), one.intervals(), one.completeness());
        MergedRun both = new MergedRun(List.of(later(StoredRun.read(RUN)), kept));

        assertThat(both.result().phases().get(0).operations().get(0).slowestRequests())
                .singleElement()
                .extracting(KeptRequest::client)
                .isEqualTo(Optional.of("run 2"));
        assertThat(both.intervals().stream().flatMap(of -> of.operations().get(0).slowest().stream()))
                .extracting(of -> of.client().orElseThrow())
                .containsExactly("run 2");
    }

    @Test
    void softChecksOfAllRunsAreCounted() throws Exception {
        StoredRun one = StoredRun.read(RUN);
        Tally tally = one.intervals().get(0).operations().get(0);
        tally.addWarnings(Map.of("check type=json", new Tally.Failures(3, "no Content-Type")));
        tally.addUnchecked(Map.of("check body!~'a'", new Tally.Failures(4, "")));
        StoredRun warned = new StoredRun(one.plan(), one.json(), one.intervals(), one.completeness());

        MergedRun both = new MergedRun(List.of(warned, later(warned)));

        assertThat(both.result().totals().warnings())
                .containsExactly(new Figures.Warning("check type=json", 6, "no Content-Type"));
        assertThat(both.intervals().stream()
                        .flatMap(of -> of.operations().stream())
                        .flatMap(of -> of.unchecked().values().stream())
                        .mapToLong(Tally.Failures::count)
                        .sum())
                .isEqualTo(8);
    }

    /** Files of earlier versions have texts, but no findings. */
    @Test
    void findingsOfAnEarlierVersionAreAsSevereAsItsVerdictAndARemarkIsNot() throws Exception {
        StoredRun run = StoredRun.read(RUN);
        ObjectNode json = (ObjectNode) run.json().deepCopy();
        ObjectNode source = json.putArray("mergedFrom").addObject();
        source.set("startedAt", json.get("startedAt"));
        source.set("environment", json.get("environment"));
        ObjectNode verdict = json.putObject("verdict").put("status", "INVALID");
        verdict.putArray("reasons")
                .add("run 1: No request was sent.")
                .add("run 2: warmup: too short to judge how busy the client was; phases of a"
                        + " second or more tell.");

        Verdict read = new StoredRun(run.plan(), json, run.intervals(), run.completeness())
                .result()
                .verdict();

        assertThat(read.status()).isEqualTo(Verdict.Status.INVALID);
        assertThat(read.findings()).extracting(Finding::id).containsOnly(Rule.MERGED.id());
        assertThat(read.findings())
                .extracting(Finding::severity)
                .containsExactly(Verdict.Status.INVALID, Verdict.Status.VALID);
        assertThat(read.worst()).isEqualTo("run 1: No request was sent.");
    }

    private static StoredRun later(StoredRun run) {
        ObjectNode json = (ObjectNode) run.json().deepCopy();
        delay(json);
        json.path("phases").forEach(MergedRunTest::delay);
        return new StoredRun(run.plan(), json, run.intervals(), run.completeness());
    }

    private static void delay(JsonNode of) {
        Instant at = Instant.parse(of.path("startedAt").asString());
        ((ObjectNode) of).put("startedAt", at.plus(LATER).toString());
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
