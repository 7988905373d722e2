package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.host.HostFigure;
import io.phaseload.plan.Plan;
import io.phaseload.run.EngineUse;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that one run measured. Immutable.
 *
 * @param schemaVersion of the JSON form
 * @param runId tells this run from all others
 * @param startedAt when the run began
 * @param plan what was run
 * @param environment where it was run
 * @param engine what ran it
 * @param target what the target reported about itself, empty if it wasn't asked
 * @param phases one per phase of the plan, in order
 * @param totals over all phases
 * @param measuredPhases names of the {@linkplain io.phaseload.plan.Phase#measured measured phases}
 * @param measured over these: the headline figures
 * @param verdict whether the measurement is valid
 * @param interrupted whether the run was stopped before its end
 * @param fault why the client itself couldn't go on, if it couldn't
 * @param mergedFrom the runs that this was merged from; empty for a single run
 * @param thresholds those of the plan, with their results
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
        List<ThresholdResult> thresholds) {

    /** The version of the JSON form that this version writes. */
    public static final int SCHEMA_VERSION = 3;

    /**
     * What a target counted itself.
     *
     * @param kind what {@code --target} starts, such as {@code tomcat}
     * @param description what it is, for people
     * @param requests how many requests it received
     */
    public record TargetCount(String kind, String description, long requests) {}

    /**
     * A run that was merged with others.
     *
     * @param runId of the run
     * @param startedAt when it began
     * @param environment where it was run
     */
    public record Source(String runId, Instant startedAt, Environment environment) {

        /** Runs of earlier versions have no id, but no two of them began at the same time. */
        public Source {
            runId = runId == null ? startedAt + "@" + environment.host() : runId;
        }
    }

    /**
     * What the verdict is made of.
     *
     * @return the findings, in order
     */
    @JsonProperty
    public List<Finding> findings() {
        return verdict.findings();
    }

    /**
     * This result with the target's own count, which the client's must equal. Only a request that
     * got no response may or may not have reached the target.
     *
     * @param counted what the target counted during this run, and nobody else's requests
     * @return a copy; its verdict is INVALID if the counts differ
     */
    public Result withTarget(TargetCount counted) {
        boolean agrees =
                totals.responses() <= counted.requests() && counted.requests() <= totals.requests();
        Verdict judged =
                agrees
                        ? verdict
                        : verdict.and(
                                Rule.TARGET_COUNT.finding(
                                        counted.requests(), totals.requests(), totals.responses()));
        return with(runId, Optional.of(counted), phases, judged, mergedFrom);
    }

    /**
     * This result with what was known of client and target in its intervals.
     *
     * @param use of these intervals
     * @return a copy
     */
    public Result with(HostUse use) {
        List<PhaseResult> told = new ArrayList<>();
        for (PhaseResult phase : phases) {
            told.add(
                    phase.with(
                            use.client(phase.name(), HostFigure.names()),
                            plan.serverMetrics()
                                    .map(any -> use.server(phase.name(), plan.serverFigures()))));
        }
        return with(runId, target, told, verdict, mergedFrom);
    }

    /**
     * This result as that of several runs.
     *
     * @param sources the runs
     * @param judged the verdict on them all
     * @return a copy
     */
    public Result mergedFrom(List<Source> sources, Verdict judged) {
        return with(runId, target, phases, judged, sources);
    }

    /**
     * This result as that of a run that has an id already.
     *
     * @param id of the run
     * @return a copy
     */
    public Result withRunId(String id) {
        return with(id, target, phases, verdict, mergedFrom);
    }

    /**
     * This result with another verdict.
     *
     * @param judged the verdict
     * @return a copy
     */
    public Result withVerdict(Verdict judged) {
        return with(runId, target, phases, judged, mergedFrom);
    }

    private Result with(
            String id,
            Optional<TargetCount> counted,
            List<PhaseResult> newPhases,
            Verdict judged,
            List<Source> sources) {
        return new Result(
                schemaVersion,
                id,
                startedAt,
                plan,
                environment,
                engine,
                counted,
                List.copyOf(newPhases),
                totals,
                measuredPhases,
                measured,
                judged,
                interrupted,
                fault,
                sources,
                thresholds);
    }
}
