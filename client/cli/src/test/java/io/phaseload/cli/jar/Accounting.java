package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What must add up in every result, whatever went wrong. */
final class Accounting {

    private Accounting() {}

    /**
     * Reads the result in a folder, which must balance, as must the one that {@code report} makes of the intervals in
     * it; and both must have the same counts.
     */
    static JsonNode balanced(Path out) throws IOException {
        JsonNode result = balanced(Cli.json(Files.readString(out.resolve("result.json"))));
        assertThat(counts(reported(out))).isEqualTo(counts(result));
        return result;
    }

    /** The reasons of a result's verdict. */
    static List<String> reasons(JsonNode result) {
        return result.at("/verdict/reasons")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    /** What {@code report} makes of a folder, also of a run that was killed. */
    static JsonNode reported(Path out) {
        Cli report = Cli.run("report", out, "--json");
        assertThat(report.err()).isEmpty();
        boolean invalid = report.json().at("/verdict/status").asString().equals("INVALID");
        assertThat(report.code()).isEqualTo(invalid ? ExitCode.INVALID : ExitCode.PASSED);
        return balanced(report.json());
    }

    /** Sent is succeeded and failed by cause; asked is sent and not sent by reason. */
    static JsonNode balanced(JsonNode result) {
        JsonNode totals = result.get("totals");
        assertAddsUp(totals);
        List<JsonNode> phases = result.get("phases").valueStream().toList();
        assertIsSumOf(totals, phases);
        for (JsonNode phase : phases) {
            assertAddsUp(phase);
            assertIsSumOf(phase, phase.get("operations").valueStream().toList());
            assertThat(phase.get("asked").asLong())
                    .as("asked in %s", phase.get("name"))
                    .isEqualTo(phase.get("requests").asLong() + sum(phase.get("notSent")));
        }
        return result;
    }

    private static void assertAddsUp(JsonNode figures) {
        assertThat(figures.get("requests").asLong())
                .isEqualTo(figures.get("succeeded").asLong()
                        + figures.get("failed").asLong());
        assertThat(figures.get("failed").asLong()).isEqualTo(sum(figures.get("failures")));
    }

    private static void assertIsSumOf(JsonNode whole, List<JsonNode> parts) {
        for (String count : List.of("requests", "responses", "succeeded", "failed", "censored")) {
            assertThat(whole.get(count).asLong())
                    .as(count)
                    .isEqualTo(parts.stream()
                            .mapToLong(part -> part.get(count).asLong())
                            .sum());
        }
        Map<String, Long> failures = new TreeMap<>();
        parts.forEach(part -> byName(part.get("failures")).forEach((k, n) -> failures.merge(k, n, Long::sum)));
        assertThat(byName(whole.get("failures"))).isEqualTo(failures);
    }

    private static List<Object> counts(JsonNode result) {
        return result.get("phases")
                .valueStream()
                .<Object>map(phase -> List.of(
                        phase.get("asked").asLong(),
                        phase.get("requests").asLong(),
                        phase.get("succeeded").asLong(),
                        byName(phase.get("failures")),
                        byName(phase.get("notSent"))))
                .toList();
    }

    /** Counts of an object by their names. */
    static Map<String, Long> byName(JsonNode counts) {
        Map<String, Long> byName = new TreeMap<>();
        counts.properties()
                .forEach(count -> byName.put(count.getKey(), count.getValue().asLong()));
        return byName;
    }

    private static long sum(JsonNode counts) {
        return byName(counts).values().stream().mapToLong(Long::longValue).sum();
    }
}
