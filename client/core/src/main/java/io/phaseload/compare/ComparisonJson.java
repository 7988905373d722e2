package io.phaseload.compare;

import io.phaseload.compare.Comparison.Change;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON form of comparisons; {@code comparison.schema.json} says what is in it. */
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
            String operation,
            String figure,
            String unit,
            Double before,
            Double after,
            String changeUnit,
            Double change,
            Double changeLow,
            Double changeHigh,
            String word,
            String reason,
            boolean regression) {}

    private ComparisonJson() {}

    /**
     * Writes comparisons.
     *
     * @param comparisons all with the same first side
     * @param limit what a regression is worse by, or {@code null} if none is one
     * @return indented JSON that ends in a line feed
     */
    public static String write(List<Comparison> comparisons, Tolerance limit) {
        List<Pair> pairs = comparisons.stream().map(one -> pair(one, limit)).toList();
        return MAPPER.writeValueAsString(new Document(SCHEMA_VERSION, pairs)) + "\n";
    }

    private static Pair pair(Comparison comparison, Tolerance limit) {
        return new Pair(
                side(comparison.a()),
                side(comparison.b()),
                PERCENT * comparison.tolerance().relative(),
                comparison.tolerance().points(),
                comparison.differences(),
                comparison.changes().stream().map(change -> change(change, limit)).toList());
    }

    private static SideJson side(Side side) {
        return new SideJson(
                side.name(),
                side.trials().stream()
                        .map(
                                trial ->
                                        new TrialJson(
                                                trial.folder(),
                                                trial.result().startedAt(),
                                                VerdictJson.of(trial.result().verdict())))
                        .toList());
    }

    private static ChangeJson change(Change change, Tolerance limit) {
        Effect effect = change.effect();
        return new ChangeJson(
                change.phase(),
                change.operation(),
                change.figure().key(),
                change.figure().unit(),
                change.before(),
                change.after(),
                effect == null ? null : effect.scale() == Scale.RELATIVE ? "percent" : "points",
                effect == null ? null : PERCENT * effect.change(),
                effect == null ? null : PERCENT * effect.low(),
                effect == null ? null : PERCENT * effect.high(),
                change.word().name().toLowerCase(Locale.ROOT),
                change.reason().isEmpty() ? null : change.reason(),
                limit != null && change.isWorseBy(limit));
    }
}
