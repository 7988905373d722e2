package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.host.HostFigure;
import io.phaseload.plan.Plan;
import io.phaseload.result.host.HostUse;
import io.phaseload.run.EngineUse;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Everything that one run measured. Immutable.
 *
 * @param schemaVersion the version of the JSON format
 * @param runId identifies this run
 * @param startedAt the time when the run began
 * @param plan the plan
 * @param environment the machine that ran it
 * @param engine the engine
 * @param target the target's own count of requests, if it was started by the command line
 * @param phases one per phase of the plan, in order
 * @param totals over all phases
 * @param measuredPhases names of the {@linkplain io.phaseload.plan.Phase#measured measured phases}
 * @param measured the figures of these: the headline figures
 * @param verdict true if the measurement is valid
 * @param interrupted true if the run was stopped before its end
 * @param fault why the client itself couldn't go on, if so
 * @param mergedFrom the runs that this was merged from; empty for a single run
 * @param thresholds the results of the plan's thresholds
 * @param diagnoses the explanations of failures and slow responses, the largest first; empty if no known pattern fits
 * @param checks the checks that never held or never had anything to check; empty in most runs
 * @param changes the changes of the load while it ran, in order; empty in most runs
 * @param agents the agents that sent it, if there were several
 * @param proof the comparison with the server's log, if there was one
 * @param steady the steady parts of long measured phases with a constant load
 */
public record Result(
        int schemaVersion,
        String runId,
        Instant startedAt,
        Plan plan,
        Environment environment,
        EngineUse engine,
        Optional<TargetCount> target,
        List<PhaseResult> phases,
        Figures totals,
        List<String> measuredPhases,
        Figures measured,
        Verdict verdict,
        boolean interrupted,
        Optional<String> fault,
        List<Source> mergedFrom,
        List<ThresholdResult> thresholds,
        List<Diagnosis> diagnoses,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CheckRemark> checks,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ChangedLoad> changes,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Agents> agents,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Proof> proof,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SteadyPhase> steady) {

    /** The version of the JSON form that this version writes. */
    public static final int SCHEMA_VERSION = 3;

    /**
     * A target's own count of requests.
     *
     * @param kind the target that {@code --target} starts, such as {@code tomcat}
     * @param description a description for people
     * @param requests the number of requests that it received
     */
    public record TargetCount(String kind, String description, long requests) {}

    /**
     * A run that was merged with others.
     *
     * @param runId of the run
     * @param startedAt the time when it began
     * @param environment the machine that ran it
     */
    public record Source(String runId, Instant startedAt, Environment environment) {

        /** Runs of earlier versions have no id; their start and host take its place. */
        public Source {
            runId = runId == null
                    ? startedAt + environment.host().map(host -> "@" + host).orElse("")
                    : runId;
        }
    }

    /**
     * The findings of the verdict.
     *
     * @return the findings, in order
     */
    @JsonProperty
    public List<Finding> findings() {
        return verdict.findings();
    }

    /**
     * Adds the target's own count, which must equal the client's. Only requests without a response may or may not have
     * reached the target.
     *
     * @param counted the target's count of this run's requests, and of no others
     * @return a copy; its verdict is INVALID if the counts differ
     */
    public Result withTarget(TargetCount counted) {
        boolean agrees = totals.responses() <= counted.requests() && counted.requests() <= totals.requests();
        Verdict judged = agrees
                ? verdict
                : verdict.and(Rule.TARGET_COUNT.finding(
                        Wording.REQUESTS, counted.requests(), totals.requests(), totals.responses()));
        return with(copy -> {
            copy.target = Optional.of(counted);
            copy.verdict = judged;
        });
    }

    /**
     * This result with what was known of client and target in its intervals.
     *
     * @param use of these intervals
     * @return a copy
     */
    public Result with(HostUse use) {
        List<PhaseResult> complete = new ArrayList<>();
        for (PhaseResult phase : phases) {
            complete.add(phase.with(
                    use.client(phase.name(), HostFigure.names()),
                    plan.serverMetrics().map(any -> use.server(phase.name(), plan.serverFigures()))));
        }
        return with(copy -> copy.phases = complete);
    }

    /**
     * Marks this result as that of merged runs.
     *
     * @param sources the runs
     * @param judged the verdict on all of them
     * @return a copy
     */
    public Result mergedFrom(List<Source> sources, Verdict judged) {
        return with(copy -> {
            copy.mergedFrom = sources;
            copy.verdict = judged;
        });
    }

    /**
     * Changes the run's id.
     *
     * @param id of the run
     * @return a copy
     */
    public Result withRunId(String id) {
        return with(copy -> copy.runId = id);
    }

    /**
     * Changes the verdict.
     *
     * @param judged the verdict
     * @return a copy
     */
    public Result withVerdict(Verdict judged) {
        return with(copy -> copy.verdict = judged);
    }

    /**
     * This result with thresholds that were judged by all that is known.
     *
     * @param judged one for each of its own
     * @return a copy
     */
    public Result withThresholds(List<ThresholdResult> judged) {
        return with(copy -> copy.thresholds = judged);
    }

    /**
     * This result with the steady parts of its phases.
     *
     * @param parts of long phases
     * @return a copy
     */
    public Result withSteady(List<SteadyPhase> parts) {
        return with(copy -> copy.steady = parts);
    }

    /**
     * This result with what explains it.
     *
     * @param found the diagnoses, the largest first
     * @return a copy
     */
    public Result withDiagnoses(List<Diagnosis> found) {
        return with(copy -> copy.diagnoses = found);
    }

    /**
     * This result with what each agent had to do with it.
     *
     * @param each the agents that sent it
     * @return a copy
     */
    public Result withAgents(Agents each) {
        return with(copy -> copy.agents = Optional.of(each));
    }

    /**
     * With the command that the user typed, in place of that of an agent.
     *
     * @param command the whole command line, without secrets
     * @return a copy
     */
    public Result withCommandLine(List<String> command) {
        return with(copy -> copy.environment = environment.withCommandLine(command));
    }

    /**
     * This result with the plan as it was written, if another form of it was run.
     *
     * @param written of the same load
     * @return a copy
     */
    public Result withPlan(Plan written) {
        return with(copy -> copy.plan = written);
    }

    /**
     * This result with the comparison with the server's log.
     *
     * @param proved the comparison
     * @return a copy
     */
    public Result withProof(Proof proved) {
        return with(copy -> copy.proof = Optional.of(proved));
    }

    private Result with(Consumer<ResultCopy> change) {
        ResultCopy copy = new ResultCopy();
        change.accept(copy);
        return copy.result();
    }

    /** The components that change after a run; the others are those of this result. */
    private final class ResultCopy {
        private String runId = Result.this.runId;
        private Plan plan = Result.this.plan;
        private Environment environment = Result.this.environment;
        private Optional<TargetCount> target = Result.this.target;
        private List<PhaseResult> phases = Result.this.phases;
        private Verdict verdict = Result.this.verdict;
        private List<Source> mergedFrom = Result.this.mergedFrom;
        private List<ThresholdResult> thresholds = Result.this.thresholds;
        private List<Diagnosis> diagnoses = Result.this.diagnoses;
        private Optional<Agents> agents = Result.this.agents;
        private Optional<Proof> proof = Result.this.proof;
        private List<SteadyPhase> steady = Result.this.steady;

        Result result() {
            return new Result(
                    schemaVersion,
                    runId,
                    startedAt,
                    plan,
                    environment,
                    engine,
                    target,
                    List.copyOf(phases),
                    totals,
                    measuredPhases,
                    measured,
                    verdict,
                    interrupted,
                    fault,
                    mergedFrom,
                    thresholds,
                    List.copyOf(diagnoses),
                    checks,
                    changes,
                    agents,
                    proof,
                    List.copyOf(steady));
        }
    }
}
