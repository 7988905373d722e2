package io.phaseload.compare;

import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes comparisons as JSON; {@code comparison.schema.json} describes the format. */
public final class ComparisonJson {

    private static final int SCHEMA_VERSION = 1;
    private static final double PERCENT = 100;

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private record Document(int schemaVersion, List<Pair> comparisons) {}

    private record Pair(
            SideJson a,
            SideJson b,
            double tolerancePercent,
            double failuresTolerancePoints,
            List<String> planDifferences,
            List<ChangeJson> changes) {}

    private record SideJson(String name, List<TrialJson> trials) {}

    private record TrialJson(String folder, Instant startedAt, VerdictJson verdict) {}

    private record VerdictJson(Verdict.Status status, List<String> reasons) {

        static VerdictJson of(Verdict verdict) {
            return new VerdictJson(verdict.status(), verdict.texts());
        }
    }

    private record ChangeJson(
            String phase,
            Optional<String> operation,
            String figure,
            String unit,
            Optional<Double> before,
            Optional<Double> after,
            Optional<String> changeUnit,
            Optional<Double> change,
            Optional<Double> changeLow,
            Optional<Double> changeHigh,
            String word,
            Optional<String> reason,
            boolean regression) {}

    private ComparisonJson() {}

    /**
     * Writes comparisons.
     *
     * @param comparisons all with the same first side
     * @param limit the limit of a regression; empty if none was set
     * @return indented JSON that ends in a line feed
     */
    public static String write(List<Comparison> comparisons, Optional<Tolerance> limit) {
        List<Pair> pairs = comparisons.stream().map(one -> pair(one, limit)).toList();
        return MAPPER.writeValueAsString(new Document(SCHEMA_VERSION, pairs)) + "\n";
    }

    private static Pair pair(Comparison comparison, Optional<Tolerance> limit) {
        return new Pair(
                side(comparison.a()),
                side(comparison.b()),
                PERCENT * comparison.tolerance().relative(),
                comparison.tolerance().points(),
                comparison.differences(),
                comparison.changes().stream()
                        .map(change -> change(change, limit))
                        .toList());
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

    private static ChangeJson change(Change change, Optional<Tolerance> limit) {
        Optional<Effect> effect = change.effect();
        return new ChangeJson(
                change.phase(),
                change.operation(),
                change.figure().key(),
                change.figure().unit(),
                change.before(),
                change.after(),
                effect.map(of -> of.scale() == Scale.RELATIVE ? "percent" : "points"),
                effect.map(of -> PERCENT * of.change()),
                effect.map(of -> PERCENT * of.low()),
                effect.map(of -> PERCENT * of.high()),
                change.word().name().toLowerCase(Locale.ROOT),
                Optional.of(change.reason()).filter(reason -> !reason.isEmpty()),
                limit.filter(change::isWorseBy).isPresent());
    }
}
