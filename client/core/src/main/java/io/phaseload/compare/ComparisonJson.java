package io.phaseload.compare;

import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.result.json.JsonFile;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes comparisons as JSON; {@code comparison.schema.json} describes the format. */
public final class ComparisonJson {

    private static final int SCHEMA_VERSION = 1;
    private static final double PERCENT = 100;

    private record Document(int schemaVersion, List<Map<String, Object>> comparisons) {}

    private record SideJson(String name, List<TrialJson> trials) {}

    private record TrialJson(String folder, Instant startedAt, VerdictJson verdict) {}

    private record VerdictJson(Verdict.Status status, List<String> reasons) {

        static VerdictJson of(Verdict verdict) {
            return new VerdictJson(verdict.status(), verdict.texts());
        }
    }

    private ComparisonJson() {}

    /**
     * Writes comparisons.
     *
     * @param comparisons all with the same first side
     * @param limit the limit of a regression; empty if none was set
     * @return indented JSON that ends in a line feed
     */
    public static String write(List<Comparison> comparisons, Optional<Tolerance> limit) {
        List<Map<String, Object>> pairs =
                comparisons.stream().map(one -> pair(one, limit)).toList();
        return JsonFile.text(new Document(SCHEMA_VERSION, pairs));
    }

    private static Map<String, Object> pair(Comparison comparison, Optional<Tolerance> limit) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("a", side(comparison.a()));
        json.put("b", side(comparison.b()));
        json.put("tolerancePercent", PERCENT * comparison.tolerance().relative());
        json.put("failuresTolerancePoints", comparison.tolerance().points());
        json.put("planDifferences", comparison.differences());
        json.put(
                "changes",
                comparison.changes().stream().map(one -> change(one, limit)).toList());
        return json;
    }

    private static SideJson side(Side side) {
        return new SideJson(
                side.name(),
                side.trials().stream()
                        .map(trial -> new TrialJson(
                                trial.folder(),
                                trial.result().startedAt(),
                                VerdictJson.of(trial.result().verdict())))
                        .toList());
    }

    private static Map<String, Object> change(Change change, Optional<Tolerance> limit) {
        Optional<Effect> effect = change.effect();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("phase", change.phase());
        json.put("operation", change.operation());
        json.put("figure", change.figure().key());
        json.put("unit", change.figure().unit());
        json.put("before", change.before());
        json.put("after", change.after());
        json.put("changeUnit", effect.map(of -> of.scale() == Scale.RELATIVE ? "percent" : "points"));
        json.put("change", effect.map(of -> PERCENT * of.change()));
        json.put("changeLow", effect.map(of -> PERCENT * of.low()));
        json.put("changeHigh", effect.map(of -> PERCENT * of.high()));
        json.put("word", change.word().name().toLowerCase(Locale.ROOT));
        json.put("reason", Optional.of(change.reason()).filter(reason -> !reason.isEmpty()));
        json.put("regression", limit.filter(change::isWorseBy).isPresent());
        return json;
    }
}
