package io.phaseload.sweep;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phaseload.result.Environment;
import io.phaseload.result.json.JsonFile;
import io.phaseload.result.json.ResultJson;
import io.phaseload.settings.SyntaxMistake;
import io.phaseload.stats.ConfidenceInterval;
import io.phaseload.stats.LittlesLaw;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.summary.Scalability;
import io.phaseload.sweep.summary.SweepSummary;
import io.phaseload.sweep.trials.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Reads and writes sweeps as JSON; {@code sweep.schema.json} beside this class describes the format. */
public final class SweepJson {

    /** The name of the file in a sweep's folder. */
    public static final String FILE = "sweep.json";

    /** The version of the JSON format that is written. */
    public static final int SCHEMA_VERSION = 1;

    private SweepJson() {}

    private record SweepDocument(
            int schemaVersion,
            @JsonUnwrapped SweepInfo info,
            boolean finished,
            List<StepJson> steps,
            List<SweepResult.Skipped> skipped,
            List<ScalabilityJson> scalability) {}

    private record StepJson(
            int step,
            Map<String, String> values,
            int threads,
            int trials,
            List<String> failures,
            Optional<LawJson> littlesLaw,
            List<SweepSummary.OperationSummary> operations) {

        static StepJson of(SweepSummary.StepSummary step) {
            return new StepJson(
                    step.step().number(),
                    step.step().values(),
                    step.threads(),
                    step.trials(),
                    step.failures(),
                    step.littlesLaw().stream().mapToObj(LawJson::of).findFirst(),
                    step.operations());
        }
    }

    private record LawJson(double ratio, String audit) {

        static LawJson of(double ratio) {
            LittlesLaw.Audit audit = new LittlesLaw(1, 1, ratio).audit();
            return new LawJson(ratio, audit.name().toLowerCase(Locale.ROOT));
        }
    }

    private record ScalabilityJson(Map<String, String> group, int steps, int stepsNeeded, Optional<FitJson> fit) {

        static ScalabilityJson of(Scalability scalability) {
            return new ScalabilityJson(
                    scalability.group(),
                    scalability.steps(),
                    ScalabilityFit.LEAST_STEPS,
                    scalability.fit().map(fit -> FitJson.of(fit, scalability.curve())));
        }
    }

    private record FitJson(
            AxisValue lambda,
            AxisValue sigma,
            AxisValue kappa,
            AxisValue peakUsers,
            Optional<Double> kneeUsers,
            double rSquared,
            boolean poor,
            double residualError,
            List<ScalabilityFit.Point> curve) {

        static FitJson of(ScalabilityFit fit, List<ScalabilityFit.Point> curve) {
            return new FitJson(
                    AxisValue.of(fit.law().lambda(), fit.lambda()),
                    AxisValue.of(fit.law().sigma(), fit.sigma()),
                    AxisValue.of(fit.law().kappa(), fit.kappa()),
                    fit.isPoor() ? AxisValue.NONE : AxisValue.of(orNaN(fit.peak()), fit.peakInterval()),
                    finite(orNaN(fit.knee())),
                    fit.rSquared(),
                    fit.isPoor(),
                    fit.residualError(),
                    curve);
        }
    }

    /** Infinite values are null, such as a peak too far beyond the measured range. */
    private record AxisValue(Optional<Double> value, Optional<Double> low, Optional<Double> high) {

        static final AxisValue NONE = new AxisValue(Optional.empty(), Optional.empty(), Optional.empty());

        static AxisValue of(double value, ConfidenceInterval interval) {
            return new AxisValue(finite(value), finite(interval.low()), finite(interval.high()));
        }
    }

    private static double orNaN(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }

    private static Optional<Double> finite(double value) {
        return Optional.of(value).filter(Double::isFinite);
    }

    /**
     * Reads a sweep, with the {@code trials.csv} beside it.
     *
     * @param folder of the sweep
     * @return the sweep as it was last written; it isn't checked whether the two files agree
     * @throws IOException if it is missing or malformed
     */
    public static SweepResult read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        JsonNode json = JsonFile.read(file, SCHEMA_VERSION);
        try {
            List<Step> steps =
                    json.path("steps").valueStream().map(SweepJson::step).toList();
            List<String> arguments =
                    json.path("arguments").valueStream().map(JsonNode::asString).toList();
            List<SweepResult.Skipped> skipped = json.path("skipped")
                    .valueStream()
                    .map(one -> ResultJson.read(one, SweepResult.Skipped.class))
                    .toList();
            SweepInfo info = new SweepInfo(
                    json.path("name").asString(),
                    Instant.parse(json.path("startedAt").asString()),
                    ResultJson.read(json.required("environment"), Environment.class),
                    arguments,
                    json.path("trials").asInt(),
                    Order.valueOf(json.path("order").asString().toUpperCase(Locale.ROOT)),
                    json.path("seed").asLong(),
                    steps);
            return new SweepResult(
                    info, TrialCsv.read(folder), json.path("finished").asBoolean(), skipped);
        } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
            throw new IOException(file + ": " + SyntaxMistake.json(e), e);
        }
    }

    private static Step step(JsonNode json) {
        Map<String, String> values = new LinkedHashMap<>();
        json.path("values").forEachEntry((key, value) -> values.put(key, value.asString()));
        return new Step(json.path("step").asInt(), values);
    }

    /**
     * Checks that a finished sweep's rows are those that it was summed up from.
     *
     * @param folder of the sweep
     * @param sweep as it was read
     * @throws IOException if they count different requests; missing rows are reported elsewhere
     */
    static void check(Path folder, SweepResult sweep) throws IOException {
        if (!sweep.finished() || sweep.missing().isPresent()) {
            return;
        }
        JsonNode json = JsonFile.read(folder.resolve(FILE), SCHEMA_VERSION);
        for (SweepSummary.StepSummary step : sweep.summary().steps()) {
            JsonNode stored = json.path("steps")
                    .valueStream()
                    .filter(one -> one.path("step").asInt(0) == step.step().number())
                    .findFirst()
                    .orElse(MissingNode.getInstance());
            for (int i = 0; i < step.operations().size(); i++) {
                SweepSummary.OperationSummary own = step.operations().get(i);
                JsonNode counted = stored.path("operations").path(i);
                long requests = counted.path("totalOps").asLong(0);
                long failed = counted.path("failed").asLong(0);
                if (requests != own.totalOps() || failed != own.failed()) {
                    throw new IOException("%s: step %d, %s: %d requests, %d failed: expected %d and %d, as in %s"
                            .formatted(
                                    folder.resolve(TrialCsv.FILE),
                                    step.step().number(),
                                    own.name(),
                                    own.totalOps(),
                                    own.failed(),
                                    requests,
                                    failed,
                                    FILE));
                }
            }
        }
    }

    /**
     * Writes a sweep as JSON.
     *
     * @param sweep the sweep, finished or not
     * @return indented JSON that ends in a line feed
     */
    public static String write(SweepResult sweep) {
        SweepSummary summary = sweep.summary();
        return JsonFile.text(new SweepDocument(
                SCHEMA_VERSION,
                sweep.info(),
                sweep.finished(),
                summary.steps().stream().map(StepJson::of).toList(),
                sweep.skipped(),
                summary.scalability().stream().map(ScalabilityJson::of).toList()));
    }
}
