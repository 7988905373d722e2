package io.phaseload.ab;

import io.phaseload.files.AtomicFile;
import io.phaseload.result.json.JsonFile;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes and reads a comparison: its runs, and the effects that follow from them. {@code ab.schema.json} describes the
 * format.
 */
public final class AbJson {

    /** The name of the file in the comparison's folder. */
    public static final String FILE = "ab.json";

    static final int SCHEMA_VERSION = 1;

    private static final double PERCENT = 100;

    private AbJson() {}

    /** A change with its interval, in percent or percentage points. */
    private record ChangeJson(double change, double low, double high) {

        static Optional<ChangeJson> of(Optional<Effect> effect) {
            return effect.map(of -> new ChangeJson(PERCENT * of.change(), PERCENT * of.low(), PERCENT * of.high()));
        }
    }

    private record EffectJson(
            String figure,
            String unit,
            double a,
            double b,
            String changeUnit,
            Optional<ChangeJson> change,
            Optional<ChangeJson> control,
            double margin,
            boolean decides,
            String word,
            boolean regression) {

        static EffectJson of(FigureEffect effect) {
            return new EffectJson(
                    effect.figure().key(),
                    effect.figure().unit(),
                    effect.a(),
                    effect.b(),
                    effect.figure().scale() == Scale.RELATIVE ? "percent" : "points",
                    ChangeJson.of(effect.effect()),
                    ChangeJson.of(effect.control()),
                    PERCENT * effect.margin(),
                    effect.decides(),
                    effect.word().name().toLowerCase(Locale.ROOT),
                    effect.isRegression());
        }
    }

    /**
     * Writes a comparison as JSON.
     *
     * @param comparison the comparison, finished or not
     * @return indented JSON that ends in a line feed
     */
    public static String write(AbComparison comparison) {
        Judgement judgement = comparison.judgement();
        ObjectNode json = JsonFile.tree(comparison);
        json.put("outcome", judgement.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.put("blocks", judgement.blocks());
        json.putPOJO("effects", judgement.effects().stream().map(EffectJson::of).toList());
        return JsonFile.text(json);
    }

    /**
     * Writes a comparison into its folder.
     *
     * @param folder of the comparison
     * @param comparison the comparison, finished or not
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, AbComparison comparison) throws IOException {
        AtomicFile.write(folder.resolve(FILE), write(comparison));
    }

    /**
     * Reads a comparison; its effects follow from its runs again.
     *
     * @param folder of the comparison
     * @return the comparison as it was last written
     * @throws IOException if it is missing or malformed
     */
    public static AbComparison read(Path folder) throws IOException {
        return JsonFile.read(folder.resolve(FILE), SCHEMA_VERSION, AbComparison.class);
    }
}
