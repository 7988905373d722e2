package io.phaseload.result.store;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Agents;
import io.phaseload.result.ChangedLoad;
import io.phaseload.result.Environment;
import io.phaseload.result.Proof;
import io.phaseload.result.Result;
import io.phaseload.result.SteadyPhase;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.build.Scope;
import io.phaseload.result.build.ThresholdSeries;
import io.phaseload.result.host.HostUse;
import io.phaseload.result.json.JsonFile;
import io.phaseload.result.json.ResultJson;
import io.phaseload.run.EngineUse;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SyntaxMistake;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run that was read from its folder, with the result of the whole run or of a part of it. Immutable. */
public final class StoredRun {

    private final Plan plan;
    private final JsonNode json;
    private final List<Interval> intervals;
    private final Verdict completeness;
    private final StoredPhases storedPhases;
    private final Result whole;

    StoredRun(Plan plan, JsonNode json, List<Interval> intervals, Verdict completeness) {
        this.plan = plan;
        this.json = json;
        this.intervals = List.copyOf(intervals);
        this.completeness = completeness;
        this.storedPhases = new StoredPhases(plan, json, startedAt());
        this.whole = made(interval -> true);
    }

    /**
     * Reads a results folder.
     *
     * @param folder the folder of a run, finished or not
     * @return the run
     * @throws IOException if files are missing or can't be read, belong to different plans, or are of an unsupported
     *     version
     */
    public static StoredRun read(Path folder) throws IOException {
        Path file = folder.resolve(ResultFolder.RESULT);
        JsonNode json = JsonFile.read(file, Result.SCHEMA_VERSION);
        try {
            Plan plan = PlanFile.ofResult(json.path("plan").toString());
            checkPhases(plan, json);
            IntervalReader.Read read = intervals(folder, plan);
            Verdict completeness = new FolderCheck(plan, json, read).verdict();
            return new StoredRun(plan, json, read.intervals(), completeness);
        } catch (RuntimeException e) {
            throw new IOException(file + ": " + firstLine(e), e);
        }
    }

    /**
     * Reads the intervals of a run that has just been written.
     *
     * @param folder of the run
     * @param result that was written into it
     * @return all of them, in order
     * @throws IOException if they can't be read
     */
    public static List<Interval> intervals(Path folder, Result result) throws IOException {
        return intervals(folder, result.plan()).intervals();
    }

    private static IntervalReader.Read intervals(Path folder, Plan plan) throws IOException {
        return new IntervalReader(
                        folder,
                        plan.phases().stream().map(Phase::name).toList(),
                        Operation.namesInResult(plan.scenario().operations()),
                        IntervalFiles.journeys(plan.scenario()),
                        plan.serverFigures())
                .read();
    }

    /**
     * A run whose intervals are in memory: the run of another client, which reported them.
     *
     * @param json the whole of its {@code result.json}
     * @param intervals all that it reported
     * @return the run
     * @throws SettingsException if its plan has what isn't allowed
     */
    public static StoredRun of(String json, List<Interval> intervals) {
        return of(JsonMapper.shared().readTree(json), intervals);
    }

    private static StoredRun of(JsonNode json, List<Interval> intervals) {
        Plan plan = PlanFile.ofResult(json.path("plan").toString());
        IntervalReader.Read read = new IntervalReader.Read(intervals, Optional.empty());
        return new StoredRun(plan, json, intervals, new FolderCheck(plan, json, read).verdict());
    }

    private static void checkPhases(Plan plan, JsonNode json) {
        List<String> expected = plan.phases().stream().map(Phase::name).toList();
        List<String> names = json.path("phases")
                .valueStream()
                .map(phase -> phase.path("name").asString())
                .toList();
        if (FolderCheck.isFinished(json) && !names.equals(expected)) {
            throw new IllegalArgumentException("phases %s: expected the plan's phases, %s"
                    .formatted(String.join(",", names), String.join(",", expected)));
        }
    }

    private static String firstLine(RuntimeException e) {
        // Jackson wraps exceptions about a plan.
        String message = SyntaxMistake.json(e.getCause() instanceof SettingsException mistake ? mistake : e);
        return String.valueOf(message).lines().findFirst().orElse("");
    }

    /**
     * The plan that was run.
     *
     * @return the plan, without its secrets
     */
    public Plan plan() {
        return plan;
    }

    /** The whole of {@code result.json}. */
    JsonNode json() {
        return json;
    }

    /**
     * The measurements of each second.
     *
     * @return all intervals that were written, in order
     */
    public List<Interval> intervals() {
        return intervals;
    }

    /** VALID if the intervals are all that {@code result.json} counts; else says what is missing. */
    Verdict completeness() {
        return completeness;
    }

    /**
     * The result of the whole run.
     *
     * @return the result of all intervals
     */
    public Result result() {
        return whole;
    }

    /**
     * Computes the result of a part of the run.
     *
     * @param wanted selects the intervals of that part
     * @return a result; if not all are wanted, its phases last as long as those that are
     */
    public Result result(Predicate<Interval> wanted) {
        return isWhole(wanted) ? whole : made(wanted);
    }

    private Result made(Predicate<Interval> wanted) {
        Measurement measured = measurement(wanted);
        Scope scope = scope(wanted, measured);
        List<Interval> own = intervals.stream().filter(wanted).toList();
        Result result = ResultBuilder.of(judged(scope, wanted), environment(), measured, scope, breach())
                .with(HostUse.of(own))
                .withRunId(runId());
        result = ThresholdSeries.judged(result, own);
        if (isWhole(wanted)) {
            result = part("target", Result.TargetCount.class)
                    .map(result::withTarget)
                    .orElse(result);
            if (!sources().isEmpty()) {
                result = result.mergedFrom(sources(), verdict());
            }
            result = part("proof", Proof.class).map(result::withProof).orElse(result);
            result = part("agents", Agents.class).map(result::withAgents).orElse(result);
        }
        Verdict verdict = isWhole(wanted) ? asStored(result.verdict()) : result.verdict();
        result = result.withVerdict(completeness.and(verdict));
        // Seconds of runs that were merged overlap.
        SeriesRecorder seconds = SeriesRecorder.of(sources().isEmpty() ? own : List.of());
        if (isWhole(wanted)
                && FolderCheck.isFinished(json)
                && json.path("diagnoses").isArray()) {
            // They were made with a sample of the requests, which isn't stored.
            return ResultBuilder.remark(result, measured, seconds)
                    .withSteady(all("steady", SteadyPhase.class))
                    .withDiagnoses(all("diagnoses", Diagnosis.class));
        }
        return ResultBuilder.explain(result, measured, seconds);
    }

    /**
     * The run's own id.
     *
     * @return the id; for a run of an earlier version, its start and host
     */
    public String runId() {
        return source().runId();
    }

    private Result.Source source() {
        return new Result.Source(json.path("runId").asString(null), startedAt(), environment());
    }

    private <T> Optional<T> part(String key, Class<T> type) {
        JsonNode own = json.path(key);
        return own.isObject() ? Optional.of(ResultJson.read(own, type)) : Optional.empty();
    }

    /** The runs that it was merged from, or itself. */
    List<Result.Source> parts() {
        return sources().isEmpty() ? List.of(source()) : sources();
    }

    private List<Result.Source> sources() {
        return all("mergedFrom", Result.Source.class);
    }

    /** Why requests were late was found with a sample of them, which isn't stored. */
    private Verdict asStored(Verdict verdict) {
        return new Verdict(
                verdict.status(),
                verdict.findings().stream()
                        .map(of -> of.id().equals(Rule.OFFERED_LOAD.id()) ? stored(of) : of)
                        .toList());
    }

    private Finding stored(Finding own) {
        return all("findings", Finding.class).stream()
                .filter(of -> of.id().equals(own.id()) && of.phase().equals(own.phase()))
                .findFirst()
                .orElse(own);
    }

    private <T> List<T> all(String key, Class<T> type) {
        return json.path(key)
                .valueStream()
                .map(one -> ResultJson.read(one, type))
                .toList();
    }

    /** The stored verdict of merged runs. */
    private Verdict verdict() {
        Verdict.Status status =
                Verdict.Status.valueOf(json.at("/verdict/status").asString());
        List<Finding> findings = all("findings", Finding.class);
        return new Verdict(
                status,
                findings.isEmpty()
                        ? json.at("/verdict/reasons")
                                .valueStream()
                                .map(text -> merged(text.asString(), status))
                                .toList()
                        : findings);
    }

    /** From an earlier version, which had only one kind of remark; the severity of other texts isn't known. */
    private static Finding merged(String text, Verdict.Status status) {
        boolean remark = text.contains(": too short to judge how busy the client was");
        return Rule.MERGED.finding(Wording.REQUESTS, text).as(remark ? Verdict.Status.VALID : status);
    }

    private Scope scope(Predicate<Interval> wanted, Measurement measured) {
        Scope whole = Scope.of(plan.measuredPhases(), measured.phases());
        if (!isWhole(wanted)) {
            return Scope.of(Phase.measured(phases(wanted)), measured.phases());
        }
        // In merged runs, phases may overlap.
        JsonNode inPhases = json.at("/totals/phaseSeconds");
        JsonNode inMeasured = json.at("/measured/wallSeconds");
        return inPhases.isMissingNode() || inMeasured.isMissingNode()
                ? whole
                : new Scope(whole.measured(), StoredPhases.seconds(inPhases), StoredPhases.seconds(inMeasured));
    }

    /** The names of phases with selected intervals. */
    private List<String> phases(Predicate<Interval> wanted) {
        List<String> names = intervals.stream()
                .filter(wanted)
                .map(Interval::phase)
                .distinct()
                .toList();
        return plan.phases().stream().map(Phase::name).filter(names::contains).toList();
    }

    /** The plan without thresholds about phases that aren't selected. */
    private Plan judged(Scope scope, Predicate<Interval> wanted) {
        List<String> phases = phases(wanted);
        return isWhole(wanted)
                ? plan
                : plan.withThresholds(plan.thresholds().stream()
                        .filter(of -> of.phases(scope.measured()).stream().anyMatch(phases::contains))
                        .toList());
    }

    /** The threshold that ended the run, if one did; earlier versions had none. */
    Optional<ThresholdResult> breach() {
        return json.path("thresholds")
                .valueStream()
                .filter(threshold -> threshold.path("aborted").asBoolean(false))
                .findFirst()
                .map(threshold -> ResultJson.read(threshold, ThresholdResult.class));
    }

    Instant startedAt() {
        return Instant.parse(json.path("startedAt").asString());
    }

    Environment environment() {
        return ResultJson.read(json.required("environment"), Environment.class);
    }

    Measurement measurement(Predicate<Interval> wanted) {
        List<PhaseMeasurement> measurements = new ArrayList<>();
        Duration wall = Duration.ZERO;
        boolean whole = isWhole(wanted);
        for (Phase phase : plan.phases()) {
            List<Interval> all = intervals.stream()
                    .filter(interval -> interval.phase().equals(phase.name()))
                    .toList();
            List<Interval> own = all.stream().filter(wanted).toList();
            boolean uncut = whole || !own.isEmpty() && own.size() == all.size();
            PhaseMeasurement measured = storedPhases.measured(phase, own, uncut);
            measurements.add(measured);
            wall = wall.plus(measured.wall());
        }
        if (whole && !json.path("totals").path("wallSeconds").isMissingNode()) {
            wall = StoredPhases.seconds(json.path("totals").path("wallSeconds"));
        }
        return new Measurement(
                part("engine", EngineUse.class).orElse(EngineUse.THREADS),
                startedAt(),
                wall,
                measurements,
                json.path("interrupted").asBoolean(true) || !FolderCheck.isFinished(json),
                fault(),
                all("changes", ChangedLoad.class).stream()
                        .map(ChangedLoad::event)
                        .toList());
    }

    private boolean isWhole(Predicate<Interval> wanted) {
        return intervals.stream().allMatch(wanted);
    }

    private Optional<Throwable> fault() {
        JsonNode fault = json.path("fault");
        return fault.isString() ? Optional.of(new StoredFault(fault.asString())) : Optional.empty();
    }

    /** How many users ran a phase; in merged runs, more than the plan says. */
    int threads(Phase phase) {
        return storedPhases.threads(phase);
    }
}
