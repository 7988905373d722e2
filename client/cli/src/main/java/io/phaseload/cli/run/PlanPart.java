package io.phaseload.cli.run;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A part of a plan, run for a look at it.
 *
 * @param plan the part
 * @param skipped the thresholds about what is left out, and of a plan run once those about percentiles and the amount
 *     of load
 */
record PlanPart(Plan plan, List<Threshold> skipped) {

    /**
     * Makes a part.
     *
     * @param whole the plan
     * @param once one iteration of one user of each scenario, in the largest measured phase
     * @param only the name of the only scenario; {@code null} for all
     */
    static PlanPart of(Plan whole, boolean once, String only) {
        PlanPart part = new PlanPart(whole, List.of());
        if (only != null) {
            part = part.of(only);
        }
        return once ? part.once() : part;
    }

    private PlanPart of(String only) {
        Journeys journeys = plan.scenario()
                .journeys()
                .orElseThrow(() -> new UsageException("--scenario " + only + " needs a plan with scenarios"));
        List<Journey> named = journeys.all().stream()
                .filter(journey -> journey.name().equals(only))
                .toList();
        UsageException.throwIf(
                named.isEmpty(),
                "--scenario %s: expected %s",
                only,
                String.join(" or ", journeys.all().stream().map(Journey::name).toList()));
        Journeys alone = new Journeys(
                List.of(named.get(0).weight(1)), journeys.variables(), journeys.feeders(), journeys.ofEnvironment());
        // Requests of several scenarios are named after theirs.
        String prefix = journeys.all().size() > 1 ? only + ": " : "";
        List<Threshold> thresholds = plan.thresholds().stream()
                .map(threshold ->
                        threshold.withNames(name -> name.startsWith(prefix) ? name.substring(prefix.length()) : name))
                .toList();
        return made(Scenario.of(alone), plan.threads(), plan.phases(), thresholds);
    }

    private PlanPart once() {
        Phase largest = plan.phases().stream()
                .filter(phase -> plan.measuredPhases().contains(phase.name()))
                .max(Comparator.comparingDouble(Phase::share))
                .orElseThrow();
        Phase phase = new Phase(largest.name(), 1, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE);
        Optional<Journeys> journeys = plan.scenario().journeys();
        Scenario scenario = journeys.map(all -> Scenario.of(new Journeys(
                        all.all().stream().map(journey -> journey.weight(1)).toList(),
                        all.variables(),
                        all.feeders(),
                        all.ofEnvironment())))
                .orElse(plan.scenario());
        int users = journeys.map(all -> all.all().size()).orElse(1);
        PlanPart part = made(scenario, users, List.of(phase), plan.thresholds());
        List<Threshold> ofMany =
                part.plan.thresholds().stream().filter(PlanPart::isOfMany).toList();
        List<Threshold> others = part.plan.thresholds().stream()
                .filter(threshold -> !isOfMany(threshold))
                .map(PlanPart::ofFew)
                .toList();
        List<Threshold> without = new ArrayList<>(part.skipped);
        without.addAll(ofMany);
        return new PlanPart(part.plan.withThresholds(others), without);
    }

    /** None of a few requests may fail: they can't show that less than a percentage does. */
    private static Threshold ofFew(Threshold threshold) {
        return threshold.figure() == Figure.Count.FAILURES
                        && threshold.unit() == Threshold.Unit.PERCENT
                        && threshold.operator().isUpperLimit()
                ? new Threshold(
                        threshold.phase(),
                        threshold.operation(),
                        Figure.Count.FAILURES,
                        Threshold.Operator.LESS,
                        BigDecimal.ONE,
                        Threshold.Unit.ONE,
                        threshold.abort(),
                        Optional.empty())
                : threshold;
    }

    /** A few requests have no percentiles, and their number and rate say nothing of the plan's. */
    private static boolean isOfMany(Threshold threshold) {
        return threshold.figure() instanceof Figure.Time time
                        && threshold.other().isEmpty()
                ? time.statistic().percent() < 100
                : !Set.of(Figure.Count.FAILURES, Figure.Count.RESENT).contains(threshold.figure());
    }

    private PlanPart made(Scenario scenario, int users, List<Phase> phases, List<Threshold> thresholds) {
        Set<String> names = new HashSet<>(scenario.timed());
        scenario.operations().forEach(operation -> names.add(operation.name()));
        List<String> inPlan = phases.stream().map(Phase::name).toList();
        List<Threshold> kept = new ArrayList<>();
        List<Threshold> without = new ArrayList<>(skipped);
        for (Threshold threshold : thresholds) {
            boolean about = threshold.phase().map(inPlan::contains).orElse(true)
                    && threshold.operation().map(names::contains).orElse(true)
                    && threshold
                            .other()
                            .map(of -> names.contains(of.operation()))
                            .orElse(true);
            (about ? kept : without).add(threshold);
        }
        PlanBuilder part = plan.toBuilder()
                .scenario(scenario)
                .threads(users)
                .phases(phases.toArray(Phase[]::new))
                .thresholds(kept);
        return new PlanPart((phases.equals(plan.phases()) ? part : part.asPlanned()).build(), without);
    }
}
