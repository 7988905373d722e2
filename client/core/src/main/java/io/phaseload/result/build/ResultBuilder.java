package io.phaseload.result.build;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.Route;
import io.phaseload.result.ChangedLoad;
import io.phaseload.result.Environment;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.run.LoadEvent;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Builds the result of a measurement. */
public final class ResultBuilder {

    private ResultBuilder() {}

    /**
     * Computes the figures of a measurement.
     *
     * @param plan the plan
     * @param measured the measurement
     * @return the result, without a target's count
     */
    public static Result of(Plan plan, Environment environment, Measurement measured) {
        return of(plan, environment, measured, Optional.empty());
    }

    /**
     * Computes the figures of a measurement that a threshold may have ended.
     *
     * @param plan the plan
     * @param measured the measurement
     * @param breach the threshold that ended the run, if one did
     * @return the result, without a target's count
     */
    public static Result of(
            Plan plan, Environment environment, Measurement measured, Optional<ThresholdResult> breach) {
        Scope scope = Scope.of(plan.measuredPhases(), measured.phases());
        return of(plan, environment, measured, scope, breach);
    }

    /**
     * Computes the figures of a measurement of part of a plan, or of merged runs.
     *
     * @param plan the plan
     * @param measured the measurement
     * @param breach the threshold that ended the run, if one did
     * @return the result, without a target's count
     */
    public static Result of(
            Plan plan, Environment environment, Measurement measured, Scope scope, Optional<ThresholdResult> breach) {
        Tally all = Tallies.sum(measured.phases().stream()
                .map(PhaseMeasurement::operations)
                .map(Tallies::sum)
                .toList());
        return new Result(
                Result.SCHEMA_VERSION,
                UUID.randomUUID().toString(),
                measured.startedAt(),
                asRun(plan, measured),
                environment,
                measured.engine(),
                Optional.empty(),
                measured.phases().stream()
                        .map(phase -> PhaseBuilder.of(phase, plan.scenario()))
                        .toList(),
                Figures.of(all, measured.wall(), scope.inPhases()),
                scope.measured(),
                scope.figures(measured.phases()),
                Judgement.of(plan, measured, all, breach),
                measured.interrupted(),
                measured.fault().map(Throwable::toString),
                List.of(),
                thresholds(plan, measured, scope, breach),
                List.of(),
                CheckRemarks.of(
                        plan,
                        measured.phases().stream()
                                .map(PhaseMeasurement::operations)
                                .toList()),
                measured.changes().stream().map(ChangedLoad::of).toList(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The plan as it was run: with the changes of its load. */
    private static Plan asRun(Plan plan, Measurement measured) {
        List<LoadChange> changes = Stream.concat(
                        plan.changes().stream(),
                        measured.changes().stream().map(LoadEvent::change).filter(change -> !change.kind()
                                .endsRun()))
                .distinct()
                .toList();
        return changes.equals(plan.changes()) ? plan : plan.withChanges(changes);
    }

    /**
     * Looks for what explains a result.
     *
     * @param result of the measurement
     * @return the result with what was found
     */
    public static Result explain(Result result, Measurement measured, SeriesRecorder seconds) {
        Plan plan = result.plan();
        List<PhaseSeries> phases = series(plan, measured, seconds);
        RunSeries run = new RunSeries(
                phases,
                result.verdict().blamesClient(),
                asksToClose(plan),
                isNamed(plan.target()),
                names(
                        plan,
                        operation -> plan.scenario().followsRedirects()
                                || operation.checks().stream().anyMatch(Check::ofStatus)),
                names(plan, ResultBuilder::isFixed),
                names(
                        plan,
                        operation -> isFixed(operation)
                                || plan.scenario().journeys().stream()
                                        .anyMatch(journeys -> journeys.gives(operation))));
        return remark(result, phases)
                .withDiagnoses(Diagnoses.of(run).stream()
                        .map(found -> withCommands(found, plan))
                        .toList());
    }

    /**
     * Adds remarks on phases whose throughput isn't steady to a verdict. {@link #explain} does the same.
     *
     * @param result of the measurement
     * @return a copy
     */
    public static Result remark(Result result, Measurement measured, SeriesRecorder seconds) {
        return remark(result, series(result.plan(), measured, seconds));
    }

    private static Result remark(Result result, List<PhaseSeries> phases) {
        Verdict verdict = result.verdict();
        for (PhaseSeries phase : phases) {
            if (result.measuredPhases().contains(phase.name())
                    && result.plan().scenario().journeys().isEmpty()
                    && result.changes().stream()
                            .noneMatch(change -> change.phase().equals(phase.name()))) {
                verdict = Steady.judge(phase).map(verdict::and).orElse(verdict);
            }
        }
        return result.withVerdict(verdict)
                .withSteady(phases.stream()
                        .filter(phase -> result.measuredPhases().contains(phase.name()))
                        .filter(phase -> result.changes().stream()
                                .noneMatch(change -> change.phase().equals(phase.name())
                                        && !change.origin().equals(LoadEvent.DECIDED)))
                        .flatMap(phase -> Steady.part(phase).stream())
                        .toList());
    }

    private static List<PhaseSeries> series(Plan plan, Measurement measured, SeriesRecorder seconds) {
        return measured.phases().stream()
                .filter(phase -> phase.startedAt().isPresent())
                .map(phase -> series(plan, phase, seconds))
                .toList();
    }

    private static PhaseSeries series(Plan plan, PhaseMeasurement phase, SeriesRecorder seconds) {
        List<String> names = Operation.namesInResult(plan.scenario().operations());
        return new PhaseSeries(
                Wording.of(plan),
                phase.phase().name(),
                phase.users(),
                phase.wall(),
                phase.phase().load(),
                plan.target().responseTimeout(),
                names,
                phase.operations(),
                Tallies.sum(phase.operations()),
                seconds.of(phase.phase().name()),
                Facts.of(phase.sample(), names, phase.operations(), phase.wall()));
    }

    private static Diagnosis withCommands(Diagnosis found, Plan plan) {
        return new Diagnosis(
                found.id(),
                found.about(),
                found.phase(),
                found.confidence(),
                found.impact(),
                found.evidence(),
                found.text(),
                TargetCommands.of(plan, found.text()).in(found.advice()),
                found.follows());
    }

    /** Whether a name is looked up for connections to a target. */
    private static boolean isNamed(Target target) {
        List<String> hosts = List.of(target.host());
        if (target.route() instanceof Route.To to) {
            hosts = to.hosts();
        } else if (target.route() instanceof Route.By by) {
            hosts = List.of(by.proxy().host());
        } else if (target.route() instanceof Route.UnixSocket) {
            return false;
        }
        return hosts.stream().anyMatch(host -> !host.contains(":") && !host.matches("[0-9.]+"));
    }

    /** The names of some operations, as results have them. */
    private static Set<String> names(Plan plan, Predicate<Operation> such) {
        List<Operation> operations = plan.scenario().operations();
        List<String> names = Operation.namesInResult(operations);
        return IntStream.range(0, names.size())
                .filter(of -> such.test(operations.get(of)))
                .mapToObj(names::get)
                .collect(Collectors.toSet());
    }

    /** Whether an operation reads the same thing each time: without a body, and without a value in path and headers. */
    private static boolean isFixed(Operation operation) {
        return operation.body().isEmpty()
                && Stream.concat(
                                Stream.of(operation.path()),
                                operation.headers().stream().map(Header::value))
                        .noneMatch(text -> text.contains("{"));
    }

    private static boolean asksToClose(Plan plan) {
        boolean closes = plan.engine()
                .client()
                .filter(client -> client.pool().timeToLive().isPresent())
                .isPresent();
        boolean closesSockets =
                plan.scenario().journeys().filter(Journeys::haveSockets).isPresent();
        return closes
                || closesSockets
                || Stream.concat(
                                plan.target().headers().stream(),
                                plan.scenario().operations().stream()
                                        .flatMap(operation -> operation.headers().stream()))
                        .anyMatch(header -> header.name().equalsIgnoreCase("Connection")
                                && header.value().equalsIgnoreCase("close"));
    }

    private static List<ThresholdResult> thresholds(
            Plan plan, Measurement measured, Scope scope, Optional<ThresholdResult> breach) {
        List<String> names = plan.scenario().namesInResult();
        List<ThresholdResult> results = new ArrayList<>();
        for (Threshold threshold : plan.thresholdsInResult()) {
            int operation = threshold.operation().map(names::indexOf).orElse(-1);
            ThresholdResult own = ThresholdResult.of(threshold, scope.figures(threshold, operation, measured.phases()));
            results.add(breach.filter(of -> of.expression().equals(own.expression()))
                    .map(own::endedBy)
                    .orElse(own));
        }
        return List.copyOf(results);
    }
}
